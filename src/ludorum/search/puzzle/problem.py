"""A puzzle as the core searches it: rows of bits, move numbers, and what is known about its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum._core import GoalDistance, RelaxedPlan, Simulator
from ludorum.circuit import Circuit
from ludorum.circuit.core import core_circuit
from ludorum.engines.abilities import Simulates
from ludorum.gdl.goals import goal_values
from ludorum.gdl.terms import Term
from ludorum.search.puzzle.counters import step_counter
from ludorum.search.puzzle.goal_formula import goal_distance
from ludorum.search.puzzle.solution import Plan
from ludorum.state import State

#: Permutations of fluents, by number.
Permutations = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Problem:
    """A state of a game of one role whose engine has a part in the core."""

    start: NDArray[np.uint64]
    #: Right in the states that can be reached from the start.
    simulator: Simulator
    #: Right in any state, and slower.
    everywhere: Simulator
    #: Knows the moves by their numbers; some engines meet them only as they search.
    reasoner: Simulates
    #: The highest goal value that the rules have.
    target: int
    #: The game as a circuit, where it is played as one: what is known about the states is read from it.
    circuit: Circuit | None

    @classmethod
    def of(cls, state: State) -> Problem | None:
        """The problem of a state; None where the core knows nothing of the engine."""
        reasoner, position = state.game.reasoner, state.position
        if not isinstance(reasoner, Simulates):
            return None
        circuit = state.game.circuit if state.game.engine == "circuit" else None
        if circuit is not None:
            target = max((value for value, literal in circuit.goals[0] if literal), default=0)
        else:
            target = max(goal_values(state.game.rules))
        return cls(reasoner.row(position), reasoner.simulator(position), reasoner.simulator(), reasoner, target,
                   circuit)

    @cached_property
    def counter(self) -> tuple[int, ...]:
        """The fluents of a step counter that only limits the game; empty if none is known."""
        if self.circuit is None:
            return ()
        bits = np.unpackbits(self.start.view(np.uint8), bitorder="little")
        return step_counter(self.circuit, frozenset(np.flatnonzero(bits).tolist()))

    @cached_property
    def distance(self) -> GoalDistance | None:
        """How far states are from the highest goal; None where no formula says so."""
        return None if self.circuit is None else goal_distance(self.circuit, self.target)

    @cached_property
    def relaxed_plan(self) -> RelaxedPlan | None:
        """How many moves a plan takes where nothing that holds ever ceases to; None where there is no circuit."""
        if self.circuit is None:
            return None
        roots = [literal for value, literal in self.circuit.goals[0] if value == self.target]
        return RelaxedPlan(core_circuit(self.circuit), roots[0]) if roots else None

    def plan(self, goal: int, numbers: Sequence[int]) -> Plan | None:
        """The plan of these moves; None for the value -1, which is that of none."""
        return Plan(goal, self.moves(numbers)) if goal >= 0 else None

    def moves(self, numbers: Sequence[int]) -> tuple[Term, ...]:
        names = self.reasoner.moves[0]
        return tuple(names[number] for number in numbers)
