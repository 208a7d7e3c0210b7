"""How a game goes on, many states at a time: what may be done, what comes of it, and what everybody is told.

After the end the state stays as it is, and everybody does nothing but stop, which is a move that others are not told
of: whoever stops knows that it is over. The same holds where a role has no legal move.

In a game without secrets everybody is told all moves, as in GDL.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.analysis.proofs.tactics.exploration import joint_moves
from ludorum.belief.hiding import hides
from ludorum.circuit import Circuit
from ludorum.circuit.circuit import FALSE, Literal
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.engines.protocol import Position
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.state import State

Rows = NDArray[np.uint64]
#: The number of the move of somebody who stops.
STOP = -1
# So many states are looked at, and so many successors made, at a time; and the work of one.
_STATES, _SUCCESSORS = 1 << 13, 1 << 16
_A_SUCCESSOR = 2e-6


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps from states: one from every final state, which stops, and one for every joint move of the others."""

    #: The number of the state that each comes from.
    origins: NDArray[np.int64]
    #: int64 [steps, roles]: the moves by number, STOP where the match is over.
    moves: NDArray[np.int64]
    rows: Rows
    #: uint64 [steps, words]: what all roles together are told.
    told: Rows

    def only(self, which: NDArray[np.intp]) -> Steps:
        return Steps(self.origins[which], self.moves[which], self.rows[which], self.told[which])


class World(Protocol):
    """A game with its states as rows."""

    game: Game

    @property
    def initial(self) -> Rows: ...

    def steps(self, rows: Rows, budget: Budget) -> Steps:
        """All steps from states; raises BudgetExceeded."""

    def heard(self, told: Rows, seat: int) -> Rows:
        """Of what all are told what the role in this seat is."""

    def truth(self, atoms: Sequence[Term], rows: Rows) -> NDArray[np.bool_]:
        """bool [states, atoms] for atoms that a state determines."""

    def move(self, seat: int, number: int) -> Term: ...

    def number(self, seat: int, move: Term) -> int | None: ...

    def percepts(self, told: Rows, seat: int) -> frozenset[Term]:
        """What a role is told, of one row of what all are."""

    def percept_row(self, seat: int, percepts: Collection[Term]) -> Rows:
        """What a role is told as a row, as `heard` has it."""

    def position(self, row: Rows) -> Position: ...


def world(game: Game) -> World:
    """The game as it is asked about here."""
    return CircuitWorld(game) if game.engine == "circuit" else PlainWorld(game)


class CircuitWorld:
    """By the core, which evaluates the circuit."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.circuit: Circuit = game.circuit
        self.model = PropertyCircuit(game.circuit)
        reasoner = game.reasoner
        assert isinstance(reasoner, Simulates)
        self._core = reasoner.simulator(game.initial.position)
        self._first: Rows = reasoner.row(game.initial.position)[None, :]
        self._is_open = not hides(game)
        self._masks = _masks(self._core.percept_roles, len(self.circuit.roles))
        self._numbers = tuple({move: number for number, move in enumerate(moves)} for moves in self.circuit.moves)

    @property
    def initial(self) -> Rows:
        return self._first

    def steps(self, rows: Rows, budget: Budget) -> Steps:
        seats = len(self.circuit.roles)
        words = seats if self._is_open else self._masks.shape[1]
        parts = [Steps(np.zeros(0, dtype=np.int64), np.zeros((0, seats), dtype=np.int64), rows[:0],
                       np.zeros((0, words), dtype=np.uint64))]
        for start in range(0, len(rows), _STATES):
            some = np.ascontiguousarray(rows[start : start + _STATES])
            ended, legal = self._core.terminal_and_legal(some)
            goes_on = np.zeros(len(some), dtype=bool)
            for which, joint in joint_moves(ended.astype(bool), legal, self.circuit, _SUCCESSORS):
                budget.check(_A_SUCCESSOR * len(which))
                goes_on[which] = True
                states = np.ascontiguousarray(some[which])
                parts.append(Steps(start + which, joint.astype(np.int64), self._core.step(states, joint),
                                   self.told(states, joint)))
            over = np.flatnonzero(~goes_on)
            parts.append(Steps(start + over, np.full((len(over), seats), STOP, dtype=np.int64), some[over],
                               np.zeros((len(over), words), dtype=np.uint64)))
        return Steps(*(np.concatenate([getattr(part, name) for part in parts])
                       for name in ("origins", "moves", "rows", "told")))

    def legal(self, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether states are terminal; and bool [states, moves], role by role, which moves are legal."""
        ended, legal = self._core.terminal_and_legal(np.ascontiguousarray(rows))
        count = sum(map(len, self.circuit.moves))
        return ended.astype(bool), np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little",
                                                 count=count).astype(bool)

    def after(self, rows: Rows, joint: NDArray[np.uint32]) -> Rows:
        """The states that follow by joint moves."""
        return self._core.step(np.ascontiguousarray(rows), joint)

    def told(self, rows: Rows, joint: NDArray[np.uint32]) -> Rows:
        """What all roles together are told after joint moves."""
        if self._is_open:
            return joint.astype(np.uint64)
        if not self._core.percept_roles:
            return np.zeros((len(rows), self._masks.shape[1]), dtype=np.uint64)
        return self._core.percepts(np.ascontiguousarray(rows), joint)

    def heard(self, told: Rows, seat: int) -> Rows:
        return told if self._is_open else told & self._masks[seat]

    def literal(self, atom: Term, model: PropertyCircuit | None = None) -> Literal:
        """The literal of an atom that a state determines, in this or another circuit of the same game."""
        model = model or self.model
        circuit = model.circuit
        if atom.name == "terminal":
            return circuit.terminal
        if atom.name == "true":
            return model.fluent(self._fluents[atom.args[0]])
        seat = circuit.roles.index(atom.args[0])
        if atom.name == "goal":
            return model.any_of(literal for value, literal in circuit.goals[seat] if value == int(atom.args[1]))
        assert atom.name == "legal", f"{atom} is not about a state"
        number = self._numbers[seat].get(atom.args[1])  # type: ignore[arg-type]
        return FALSE if number is None else circuit.legal[seat][number]

    @cached_property
    def _fluents(self) -> dict[object, int]:
        return {fluent: number for number, fluent in enumerate(self.circuit.fluents)}

    def truth(self, atoms: Sequence[Term], rows: Rows) -> NDArray[np.bool_]:
        return self.model.truth([self.literal(atom) for atom in atoms], np.ascontiguousarray(rows))

    def move(self, seat: int, number: int) -> Term:
        return self.circuit.moves[seat][number]

    def number(self, seat: int, move: Term) -> int | None:
        return self._numbers[seat].get(move)

    def percepts(self, told: Rows, seat: int) -> frozenset[Term]:
        if self._is_open:
            return frozenset(self.circuit.moves[other][int(number)] for other, number in enumerate(told))
        bits = np.unpackbits(np.ascontiguousarray(told).view(np.uint8), bitorder="little")
        first = sum(len(percepts) for percepts in self.circuit.percepts[:seat])
        return frozenset(term for number, (term, _) in enumerate(self.circuit.percepts[seat])
                         if bits[first + number])

    def percept_row(self, seat: int, percepts: Collection[Term]) -> Rows:
        bits = np.zeros((1, 64 * self._masks.shape[1]), dtype=np.uint8)
        first = sum(len(known) for known in self.circuit.percepts[:seat])
        for number, (term, _) in enumerate(self.circuit.percepts[seat]):
            bits[0, first + number] = term in percepts
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)

    def position(self, row: Rows) -> Position:
        return row.tobytes()


class PlainWorld:
    """State by state, by the questions that every engine answers. A row is the number of a position met with."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._is_open = not hides(game)
        self._positions: list[Position] = []
        self._known: dict[Position, int] = {}
        self._moves: list[dict[Term, int]] = [{} for _ in game.roles]
        self._percepts: list[dict[frozenset[Term], int]] = [{frozenset(): 0} for _ in game.roles]

    @property
    def initial(self) -> Rows:
        return np.array([[self._number(self.game.initial.position)]], dtype=np.uint64)

    def steps(self, rows: Rows, budget: Budget) -> Steps:
        reasoner, seats = self.game.reasoner, range(len(self.game.roles))
        origins: list[int] = []
        moves: list[list[int]] = []
        after: list[list[int]] = []
        told: list[list[int]] = []
        for index, row in enumerate(rows):
            position = self.position(row)
            found = self.game.expand(State(self.game, position))
            for joint, state in found:
                budget.check(1e-4)
                terms = tuple(move.term for move in joint)
                origins.append(index)
                moves.append([self._moves[seat].setdefault(terms[seat], len(self._moves[seat])) for seat in seats])
                after.append([self._number(state.position)])
                heard = reasoner.percepts(position, terms)
                if self._is_open:
                    everything = frozenset(Term(str(seat), (term,)) for seat, term in enumerate(terms))
                    heard = (everything,) * len(seats)
                told.append([self._percepts[seat].setdefault(heard[seat], len(self._percepts[seat]))
                             for seat in seats])
            if not found:
                origins.append(index)
                moves.append([STOP for _ in seats])
                after.append([int(row[0])])
                told.append([0 for _ in seats])
        return Steps(np.array(origins, dtype=np.int64), np.array(moves, dtype=np.int64).reshape(-1, len(seats)),
                     np.array(after, dtype=np.uint64).reshape(-1, 1),
                     np.array(told, dtype=np.uint64).reshape(-1, len(seats)))

    def heard(self, told: Rows, seat: int) -> Rows:
        return told[:, seat : seat + 1]

    def truth(self, atoms: Sequence[Term], rows: Rows) -> NDArray[np.bool_]:
        found = np.zeros((len(rows), len(atoms)), dtype=bool)
        for index, row in enumerate(rows):
            state = State(self.game, self.position(row))
            fluents = state.fluents
            for number, atom in enumerate(atoms):
                if atom.name == "true":
                    found[index, number] = atom.args[0] in fluents
                elif atom.name == "terminal":
                    found[index, number] = state.is_terminal
                elif atom.name == "goal":
                    found[index, number] = state.goals[str(atom.args[0])] == int(atom.args[1])
                else:
                    found[index, number] = str(atom.args[1]) in map(str, state.legal(str(atom.args[0])))
        return found

    def move(self, seat: int, number: int) -> Term:
        return list(self._moves[seat])[number]

    def number(self, seat: int, move: Term) -> int | None:
        return self._moves[seat].setdefault(move, len(self._moves[seat]))

    def percepts(self, told: Rows, seat: int) -> frozenset[Term]:
        return list(self._percepts[seat])[int(told[seat])]

    def percept_row(self, seat: int, percepts: Collection[Term]) -> Rows:
        numbers = self._percepts[seat]
        return np.array([[numbers.setdefault(frozenset(percepts), len(numbers))]], dtype=np.uint64)

    def position(self, row: Rows) -> Position:
        return self._positions[int(row[0])]

    def _number(self, position: Position) -> int:
        number = self._known.setdefault(position, len(self._positions))
        if number == len(self._positions):
            self._positions.append(position)
            if number > 200_000:
                raise BudgetExceeded("there are too many states to look at one by one")
        return number


def _masks(roles: Iterable[int], seats: int) -> Rows:
    """For every role the bits of its percepts in a row of all."""
    listed = list(roles)
    bits = np.zeros((seats, max(64, (len(listed) + 63) // 64 * 64)), dtype=np.uint8)
    for number, seat in enumerate(listed):
        bits[seat, number] = 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
