"""Minimum lookahead: looks some steps ahead, makes the best move, and remembers what it has learned of where it was."""

from __future__ import annotations

from ludorum import _core
from ludorum.grammar import agree
from ludorum.search.puzzle.guided import Guided
from ludorum.search.puzzle.problem import Problem


class MinimumLookahead(Guided):
    """Walks towards what looks nearest, `lookahead` steps ahead, from the start again wherever it comes to a bad end.

    In the literature: minimin lookahead and learning real-time A* (Korf 1990), of which Cluneplayer had the first.
    """

    name = "lookahead"

    def __init__(self, problem: Problem, *, lookahead: int = 3, seed: int = 0, max_steps: int = 1000,
                 memory_mb: int = 256) -> None:
        assert problem.distance is not None
        self._search = _core.Minimin(problem.simulator, problem.start, problem.target, memory_mb << 20,
                                     problem.distance, lookahead, seed & (2**64 - 1), max_steps)
        super().__init__(problem, self._search)

    @property
    def outcome(self) -> str:
        states, rounds = self._search.states, self._search.rounds
        return f"{states:,} {agree(states, 'state')}, started {rounds + 1:,} {agree(rounds + 1, 'time')}"
