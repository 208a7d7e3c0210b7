"""Memory-enhanced IDA*: depth-first search to a bound that grows, with a table of states that were met."""

from __future__ import annotations

from ludorum import _core
from ludorum.grammar import agree
from ludorum.search.puzzle.guided import Guided
from ludorum.search.puzzle.problem import Problem


class IterativeDeepening(Guided):
    """Goes on where breadth-first search is out of memory: what there is no room for is searched without being kept.

    Without a heuristic its first plan is a shortest one, as Cadiaplayer ran it in its start clock; with one, that is so
    where the heuristic is a lower bound.

    In the literature: IDA* (Korf 1985), memory-enhanced (Reinefeld, Marsland 1994).
    """

    name = "ida-star"

    def __init__(self, problem: Problem, *, is_guided: bool = False, memory_mb: int = 256) -> None:
        self._search = _core.IdaStar(problem.simulator, problem.start, problem.target, memory_mb << 20, [],
                                     problem.distance if is_guided else None)
        super().__init__(problem, self._search)

    @property
    def outcome(self) -> str:
        states = self._search.states
        return f"{states:,} {agree(states, 'state')} to depth {self._search.bound}"
