"""The circuit engine: a compiled game, evaluated by the core."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Simulator
from ludorum.circuit import Circuit
from ludorum.circuit.core import CircuitSimulator, simulator
from ludorum.engines.batch import Batch
from ludorum.engines.playouts import Playouts
from ludorum.errors import UnknownFluent
from ludorum.gdl.terms import Term

WIDTHS = (64, 256, 512)
#: Near the fastest on every machine and in every game.
REPEATABLE_WIDTH = 256

#: A row of bits, one a fluent; hashable, so it can be a position.
Row = bytes


class CircuitReasoner:
    """Answers by evaluating a circuit. A position is the row of its fluents' bits."""

    name = "circuit"

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.roles = circuit.roles
        self._simulator = simulator(circuit)
        self._reachable = simulator(circuit.reachable) if circuit.reachable is not None else None
        self._words = (len(circuit.fluents) + 63) // 64
        self._move_ends = np.cumsum([len(of_role) for of_role in circuit.moves])
        self.initial: Row = self._row(circuit.initial)

    # ---- one position ----

    def position(self, fluents: Iterable[Term]) -> Row:
        numbers = []
        for fluent in fluents:
            if fluent not in self._fluent_numbers:
                raise UnknownFluent(f"{fluent} cannot hold in any state of this game")
            numbers.append(self._fluent_numbers[fluent])
        return self._row(numbers)

    def fluents(self, position: Row) -> frozenset[Term]:
        bits = np.unpackbits(np.frombuffer(position, dtype=np.uint8), bitorder="little")
        return frozenset(self.circuit.fluents[number] for number in np.flatnonzero(bits))

    def legal(self, position: Row) -> tuple[tuple[Term, ...], ...]:
        _, legal = self._simulator.terminal_and_legal(self._rows([position]))
        bits = np.unpackbits(legal[0].view(np.uint8), bitorder="little")
        return tuple(tuple(moves[number] for number in np.flatnonzero(bits[end - len(moves) : end]))
                     for moves, end in zip(self.circuit.moves, self._move_ends, strict=True))

    def is_terminal(self, position: Row) -> bool:
        terminal, _ = self._simulator.terminal_and_legal(self._rows([position]))
        return bool(terminal[0])

    def goals(self, position: Row) -> tuple[int | None, ...]:
        values = self._simulator.goals(self._rows([position]))[0]
        return tuple(None if value < 0 else int(value) for value in values)

    def after(self, position: Row, joint: Sequence[Term]) -> Row:
        successors: NDArray[np.uint64] = self._simulator.step(self._rows([position]), self._joint(joint))
        return successors.tobytes()

    def percepts(self, position: Row, joint: Sequence[Term]) -> tuple[frozenset[Term], ...]:
        told = self._simulator.percepts(self._rows([position]), self._joint(joint))[0]
        bits = np.unpackbits(told.view(np.uint8), bitorder="little")
        found = []
        first = 0
        for percepts in self.circuit.percepts:
            found.append(frozenset(term for (term, _), bit in zip(percepts, bits[first:], strict=False) if bit))
            first += len(percepts)
        return tuple(found)

    # ---- many at once ----

    def playouts(self, n: int, position: Row, *, seed: int = 0, threads: int = 1, max_steps: int = 10_000,
                 lanes: int | None = None) -> Playouts:
        goals, lengths, outcomes, *_ = self._play(n, position, seed, threads, max_steps, lanes)
        return Playouts(tuple(map(str, self.roles)), goals, lengths, outcomes)

    def work(self, n: int, position: Row, *, seed: int = 0, threads: int = 1, max_steps: int = 10_000,
             lanes: int | None = None) -> dict[str, int]:
        """What such a run of playouts does: its lanes, its steps of all lanes together, its goal evaluations."""
        *_, used, steps, goal_evaluations = self._play(n, position, seed, threads, max_steps, lanes)
        return {"lanes": used, "steps": steps, "goal_evaluations": goal_evaluations}

    def lanes(self, position: Row, *, is_repeatable: bool = False) -> int:
        """How many games a machine word holds: as LUDORUM_LANES says, else what a short trial finds fastest.

        A trial may end otherwise on another day; where results depend on the lanes and must be the same, there is none.
        """
        if is_repeatable:
            return forced_lanes() or REPEATABLE_WIDTH
        return forced_lanes() or self._fastest(position).fastest_lanes(self._state(position))

    def expand(self, position: Row, limit: int | None = None) -> list[tuple[tuple[Term, ...], Row]]:
        joints = self._simulator.joint_moves(self._state(position), 2**63 if limit is None else limit)
        if not len(joints):
            return []
        successors = self._simulator.step(self._rows([position] * len(joints)), joints)
        return [(tuple(moves[number] for moves, number in zip(self.circuit.moves, joint, strict=True)), row.tobytes())
                for joint, row in zip(joints, successors, strict=True)]

    def perft(self, position: Row, depth: int) -> list[int]:
        return list(self._fastest(position).perft(self._state(position), depth))

    def batch(self, n: int, position: Row | None = None, *, max_steps: int = 10_000, threads: int = 1) -> Batch:
        # What is right in any state: single games may be put into others.
        start = self._state(self.initial if position is None else position)
        return Batch(self._simulator, lambda: (self.circuit.fluents, self.circuit.moves), start, n,
                     max_steps=max_steps, threads=threads)

    def simulator(self, position: Row | None = None) -> Simulator:
        """What the core's searches play with: the fastest from a position on, or what is right in any state."""
        return self._simulator if position is None else self._fastest(position)

    def row(self, position: Row) -> NDArray[np.uint64]:
        """A position as the core's searches take it."""
        return self._state(position)

    def move_number(self, seat: int, move: Term) -> int | None:
        return self._move_numbers[seat].get(move)

    def percept_terms(self, seat: int, row: NDArray[np.uint64]) -> frozenset[Term]:
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")
        return frozenset(term for term, number in self._percept_numbers[seat].items() if bits[number])

    def percept_row(self, seat: int, percepts: Collection[Term]) -> NDArray[np.uint64] | None:
        """What the role in this seat is told as a row of all percepts, None if that cannot be."""
        numbers = self._percept_numbers[seat]
        if not numbers.keys() >= set(percepts):
            return None
        bits = np.zeros((sum(map(len, self.circuit.percepts)) + 63) // 64 * 64, dtype=np.uint8)
        bits[[numbers[percept] for percept in percepts]] = 1
        return np.packbits(bits, bitorder="little").view(np.uint64)

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """For every role its moves in the order of their numbers."""
        return self.circuit.moves

    def describe(self) -> dict[str, Any]:
        """Sizes of what the core evaluates in play: gates, inputs and runs of every cone, slots."""
        return dict(self._fastest(self.initial).describe())

    def _fastest(self, position: Row) -> CircuitSimulator:
        """What plays on from a position: the smaller circuit if the position can be one of those it is right for."""
        if self._reachable is None or self.circuit.reachable is None:
            return self._simulator
        bits = np.unpackbits(np.frombuffer(position, dtype=np.uint8), bitorder="little")
        held = set(np.flatnonzero(bits).tolist())
        return self._reachable if self.circuit.reachable.agrees(held) else self._simulator

    # ---- terms to numbers ----

    @cached_property
    def _fluent_numbers(self) -> dict[Term, int]:
        return {fluent: number for number, fluent in enumerate(self.circuit.fluents)}

    @cached_property
    def _move_numbers(self) -> tuple[dict[Term, int], ...]:
        return tuple({move: number for number, move in enumerate(moves)} for moves in self.circuit.moves)

    @cached_property
    def _percept_numbers(self) -> tuple[dict[Term, int], ...]:
        found: list[dict[Term, int]] = []
        first = 0
        for percepts in self.circuit.percepts:
            found.append({term: number for number, (term, _) in enumerate(percepts, start=first)})
            first += len(percepts)
        return tuple(found)

    def _row(self, fluents: Iterable[int]) -> Row:
        bits = np.zeros(self._words * 64, dtype=np.uint8)
        bits[list(fluents)] = 1
        return np.packbits(bits, bitorder="little").tobytes()

    def _rows(self, positions: Sequence[Row]) -> NDArray[np.uint64]:
        return np.frombuffer(b"".join(positions), dtype=np.uint64).reshape(len(positions), self._words)

    def _state(self, position: Row) -> NDArray[np.uint64]:
        return np.frombuffer(position, dtype=np.uint64)

    def _joint(self, joint: Sequence[Term]) -> NDArray[np.uint32]:
        numbers = [of_role[move] for of_role, move in zip(self._move_numbers, joint, strict=True)]
        return np.array([numbers], dtype=np.uint32)

    def _play(self, n: int, position: Row, seed: int, threads: int, max_steps: int, lanes: int | None) -> Any:
        return self._fastest(position).playouts(self._state(position), n, seed & (2**64 - 1), threads, max_steps,
                                        lanes or forced_lanes() or 0)


def forced_lanes() -> int | None:
    """The width that LUDORUM_LANES asks for."""
    text = os.environ.get("LUDORUM_LANES", "").strip()
    if not text:
        return None
    if text not in map(str, WIDTHS):
        raise ValueError(f"LUDORUM_LANES is {text!r}; it can be {', '.join(map(str, WIDTHS))}")
    return int(text)
