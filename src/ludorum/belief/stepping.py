"""How sets of states go through a turn: in the core where the engine has a part there, else one by one.

States are rows of numbers either way, so that whoever keeps, draws and counts them need not know which it is.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import inf, prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludorum._core import OutOfMemory, OutOfTime, Simulator, ViewSimulator, advance_belief, advance_sample
from ludorum.belief.alike import alike_moves
from ludorum.belief.turn import Turn
from ludorum.clock import Deadline
from ludorum.engines.abilities import Simulates
from ludorum.engines.circuit import CircuitReasoner
from ludorum.engines.protocol import Position, Reasoner
from ludorum.errors import TooLarge, TooSlow
from ludorum.gdl.terms import Term

Rows = NDArray[np.uint64]
Weights = NDArray[np.float64]

# So many rows are asked for their legal moves at once.
_CHUNK = 16_384


class Stepping(Protocol):
    def row(self, position: Position) -> Rows:
        """The row of a position, as an array of one row."""

    def position(self, row: Rows) -> Position: ...

    def holds(self, rows: Rows, position: Position) -> bool:
        """Whether one of the rows is that of a position."""

    def terminal(self, rows: Rows) -> NDArray[np.bool_]: ...

    def legal(self, rows: Rows, seat: int) -> dict[Term, int]:
        """In how many of the states each move of a role is legal, those legal in none left out."""

    def goals(self, rows: Rows, seat: int) -> list[int | None]:
        """The goal of a role in each of the states, None where not exactly one holds."""

    def odds(self, rows: Rows, weights: Weights) -> dict[Term, float]:
        """For every fluent that holds in some of the states, the sum of their weights."""

    def advance(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int,
                deadline: Deadline) -> tuple[Rows, Weights, bool]:
        """Where a turn leads from states, and whether that is all; it is not if a limit was met."""

    def sample(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int, deadline: Deadline,
               seed: int) -> tuple[Rows, Weights]:
        """Some states where a turn leads from states, with weights that are right on average."""


class CoreReasoner(Reasoner, Simulates, Protocol):
    """An engine with a part in the core."""


class CoreStepping:
    """Many states at once, in the core. What an engine cannot tell in rows of bits raises TooLarge."""

    def __init__(self, reasoner: CoreReasoner, initial: Position, seat: int) -> None:
        self._reasoner = reasoner
        self._simulator: Simulator = reasoner.simulator(initial)
        self._alike = (alike_moves(reasoner.circuit, seat) if isinstance(reasoner, CircuitReasoner)
                       else np.zeros(0, dtype=np.uint32))

    def row(self, position: Position) -> Rows:
        return self._reasoner.row(position).reshape(1, -1)

    def position(self, row: Rows) -> Position:
        return self._plain(row).tobytes()

    def holds(self, rows: Rows, position: Position) -> bool:
        return bool((self._plain(rows) == self._reasoner.row(position)).all(axis=1).any())

    def _plain(self, rows: Rows) -> Rows:
        """Rows, or a row, without what is no part of the state."""
        return rows

    def terminal(self, rows: Rows) -> NDArray[np.bool_]:
        return self._looked(rows)[0]

    def legal(self, rows: Rows, seat: int) -> dict[Term, int]:
        counts = None
        for first in range(0, len(rows), _CHUNK):
            _, legal = self._looked(rows[first : first + _CHUNK])
            bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
            counts = bits if counts is None else counts + bits
        if counts is None:
            return {}
        first = sum(self._simulator.move_counts[:seat])
        of_role = counts[first : first + self._simulator.move_counts[seat]]
        moves = self._reasoner.moves[seat]
        return {moves[number]: int(of_role[number]) for number in np.flatnonzero(of_role)}

    def goals(self, rows: Rows, seat: int) -> list[int | None]:
        values = self._simulator.goals(np.ascontiguousarray(rows))[:, seat]
        return [None if value < 0 else value for value in values.tolist()]

    def odds(self, rows: Rows, weights: Weights) -> dict[Term, float]:
        if not isinstance(self._reasoner, CircuitReasoner):
            return _added_up(self._reasoner, map(self.position, rows), weights)
        plain = self._plain(rows)
        sums = np.zeros(64 * plain.shape[1])
        for first in range(0, len(rows), _CHUNK):
            some = np.ascontiguousarray(plain[first : first + _CHUNK])
            sums += weights[first : first + _CHUNK] @ np.unpackbits(some.view(np.uint8), axis=1, bitorder="little")
        fluents = self._reasoner.circuit.fluents
        return {fluents[number]: float(sums[number]) for number in np.flatnonzero(sums)}

    def advance(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int,
                deadline: Deadline) -> tuple[Rows, Weights, bool]:
        known = self._numbers(turn)
        if known is None:
            return rows[:0], weights[:0], True
        try:
            found, sums, ending, _ = advance_belief(self._simulator, rows, weights, turn.seat, *known, self._alike,
                                                    most_states, most_tries, _seconds(deadline))
        except (OutOfMemory, OutOfTime) as error:
            raise _given_up(error) from None
        return found, sums, ending == "done"

    def sample(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int, deadline: Deadline,
               seed: int) -> tuple[Rows, Weights]:
        known = self._numbers(turn)
        if known is None:
            return rows[:0], weights[:0]
        try:
            return advance_sample(self._simulator, rows, weights, turn.seat, *known, self._alike, most_states,
                                  most_tries, _seconds(deadline), seed)
        except (OutOfMemory, OutOfTime) as error:
            raise _given_up(error) from None

    def _numbers(self, turn: Turn) -> tuple[list[int], NDArray[np.uint64] | None] | None:
        """A turn as the core takes it; None if it cannot be."""
        moves = []
        for seat, move in enumerate(turn.moves):
            number = -1 if move is None else self._reasoner.move_number(seat, move)
            if number is None:
                return None
            moves.append(number)
        if turn.percepts is None:
            return moves, None
        told = self._reasoner.percept_row(turn.seat, turn.percepts)
        return None if told is None else (moves, told)

    def _looked(self, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.uint64]]:
        try:
            terminal, legal = self._simulator.terminal_and_legal(np.ascontiguousarray(rows))
        except (OutOfMemory, OutOfTime) as error:
            raise _given_up(error) from None
        return terminal.astype(bool), legal


class ViewStepping(CoreStepping):
    """The same with what every role has seen: a row has a word a role behind the state. Moves of chance may be alike.

    What a role did is part of what it has seen, so no two moves of players are.
    """

    def __init__(self, reasoner: CoreReasoner, initial: Position, chance: int | None) -> None:
        self._reasoner = reasoner
        self.simulator = ViewSimulator(reasoner.simulator(initial), chance)
        self._simulator = self.simulator
        self._alike = np.zeros(0, dtype=np.uint32)
        if isinstance(reasoner, CircuitReasoner) and chance is not None:
            counts = [len(moves) for moves in reasoner.moves]
            self._alike = np.arange(sum(counts), dtype=np.uint32)
            first, last = sum(counts[:chance]), sum(counts[: chance + 1])
            self._alike[first:last] = alike_moves(reasoner.circuit, *range(len(counts)))[first:last]

    def row(self, position: Position) -> Rows:
        views = np.zeros(len(self._simulator.move_counts), dtype=np.uint64)
        return np.concatenate([self._reasoner.row(position), views]).reshape(1, -1)

    def _plain(self, rows: Rows) -> Rows:
        return rows[..., : self.simulator.plain_words]


class PlainStepping:
    """State by state, with the questions that every engine answers. A row is the number of a position met with."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self._positions: list[Position] = []
        self._numbers: dict[Position, int] = {}

    def row(self, position: Position) -> Rows:
        return np.array([[self._number(position)]], dtype=np.uint64)

    def position(self, row: Rows) -> Position:
        return self._positions[int(row[0])]

    def holds(self, rows: Rows, position: Position) -> bool:
        return bool((rows == self._number(position)).any())

    def terminal(self, rows: Rows) -> NDArray[np.bool_]:
        return np.array([self._reasoner.is_terminal(self.position(row)) for row in rows], dtype=bool)

    def legal(self, rows: Rows, seat: int) -> dict[Term, int]:
        counts: dict[Term, int] = {}
        for row in rows:
            for move in self._reasoner.legal(self.position(row))[seat]:
                counts[move] = counts.get(move, 0) + 1
        return counts

    def goals(self, rows: Rows, seat: int) -> list[int | None]:
        return [self._reasoner.goals(self.position(row))[seat] for row in rows]

    def odds(self, rows: Rows, weights: Weights) -> dict[Term, float]:
        return _added_up(self._reasoner, map(self.position, rows), weights)

    def advance(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int,
                deadline: Deadline) -> tuple[Rows, Weights, bool]:
        found: dict[int, float] = {}
        tries = 0
        for row, weight in zip(rows, weights, strict=True):
            if found and deadline.passed:
                return *_arrays(found), False
            position = self.position(row)
            choices, likely = self._choices(position, turn)
            tries += prod(map(len, choices))
            if tries > most_tries:
                return *_arrays(found), False
            self._add(found, position, product(*choices), turn, float(weight) * likely)
            if len(found) > most_states:
                return *_arrays(found), False
        return *_arrays(found), True

    def sample(self, rows: Rows, weights: Weights, turn: Turn, *, most_states: int, most_tries: int, deadline: Deadline,
               seed: int) -> tuple[Rows, Weights]:
        drawing = random.Random(seed)
        found: dict[int, float] = {}
        each = max(1, most_tries // max(1, len(rows)))
        # In any order, in case time ends before the last.
        for number in drawing.sample(range(len(rows)), len(rows)):
            if found and deadline.passed:
                break
            position, weight = self.position(rows[number]), float(weights[number])
            choices, likely = self._choices(position, turn)
            if (ways := prod(map(len, choices))) <= each:
                self._add(found, position, product(*choices), turn, weight * likely)
            else:
                joints = (tuple(map(drawing.choice, choices)) for _ in range(each))
                self._add(found, position, joints, turn, weight * likely * ways / each)
        return _arrays(found)

    def _add(self, found: dict[int, float], position: Position, joints: Iterator[tuple[Term, ...]], turn: Turn,
             weight: float) -> None:
        for joint in joints:
            told = None if turn.percepts is None else self._reasoner.percepts(position, joint)[turn.seat]
            if told == turn.percepts:
                number = self._number(self._reasoner.after(position, joint))
                found[number] = found.get(number, 0.0) + weight

    def _choices(self, position: Position, turn: Turn) -> tuple[list[Sequence[Term]], float]:
        """What every role may have done, nothing if the game is over, and how likely each joint move of these is."""
        if self._reasoner.is_terminal(position):
            return [()], 0.0
        legal = self._reasoner.legal(position)
        likely = prod(1 / len(moves) for seat, moves in enumerate(legal) if seat != turn.seat and moves)
        return [moves if told is None else [told] if told in moves else []
                for moves, told in zip(legal, turn.moves, strict=True)], likely

    def _number(self, position: Position) -> int:
        number = self._numbers.setdefault(position, len(self._positions))
        if number == len(self._positions):
            self._positions.append(position)
        return number


def _arrays(found: dict[int, float]) -> tuple[Rows, Weights]:
    return (np.array(list(found), dtype=np.uint64).reshape(-1, 1), np.array(list(found.values()), dtype=np.float64))


def _added_up(reasoner: Reasoner, positions: Iterable[Position], weights: Weights) -> dict[Term, float]:
    sums: dict[Term, float] = {}
    for position, weight in zip(positions, weights, strict=True):
        for fluent in reasoner.fluents(position):
            sums[fluent] = sums.get(fluent, 0.0) + float(weight)
    return sums


def _seconds(deadline: Deadline) -> float:
    return inf if deadline.at is None else max(0.0, deadline.remaining)


def _given_up(error: Exception) -> TooLarge | TooSlow:
    return (TooLarge if isinstance(error, OutOfMemory) else TooSlow)(f"the relations engine gave up: {error}")
