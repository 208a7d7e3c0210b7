"""Beam search: the most promising states of every layer, in beams that grow wider."""

from __future__ import annotations

from ludorum import _core
from ludorum.grammar import agree
from ludorum.search.puzzle.guided import Guided
from ludorum.search.puzzle.problem import Permutations, Problem


class Beam(Guided):
    """Follows beams of 64, 128, 256 … states, each three times: by distance from the goal, by the most legal moves, and
    by the fewest.

    The same seed finds the same. It proves something only if a beam was wide enough for all states there are.
    """

    name = "beam"

    def __init__(self, problem: Problem, *, seed: int = 0, max_steps: int = 1000, memory_mb: int = 1024,
                 symmetries: Permutations = ()) -> None:
        # Images of states need not be reachable.
        simulator = problem.everywhere if symmetries else problem.simulator
        self._search = _core.Beam(
            simulator, problem.start, problem.target, memory_mb << 20, list(problem.counter),
            [list(symmetry) for symmetry in symmetries], problem.distance, seed & (2**64 - 1), max_steps)
        super().__init__(problem, self._search)

    @property
    def outcome(self) -> str:
        ended = "all " if self._status == "exhausted" else ""
        states = self._search.states
        return f"{ended}{states:,} {agree(states, 'state')} in beams up to {self._search.width:,} wide"
