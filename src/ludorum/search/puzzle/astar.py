"""A*: towards the states that look nearest to the goal, by the goal's own formula."""

from __future__ import annotations

from ludorum import _core
from ludorum.search.puzzle.problem import Problem, Symmetries
from ludorum.search.puzzle.solution import Plan


class AStar:
    """Expands states in the order of their steps and `weight` times their distance from the highest goal.

    The distance counts conditions of the goal that are not met, so it is no lower bound: plans need not be shortest.
    """

    name = "a-star"

    def __init__(self, problem: Problem, *, weight: int = 4, memory_mb: int = 2048,
                 symmetries: Symmetries = ()) -> None:
        assert problem.distance is not None
        self._problem = problem
        self._status = "running"
        # Images of states need not be reachable.
        simulator = problem.everywhere if symmetries else problem.simulator
        self._search = _core.BestFirst(
            simulator, problem.start, problem.target, memory_mb << 20, list(problem.counter),
            [list(symmetry) for symmetry in symmetries], problem.distance, weight)

    def advance(self, seconds: float) -> None:
        self._status = self._search.run(seconds)

    @property
    def best(self) -> Plan | None:
        return self._problem.plan(self._search.value, self._search.plan)

    @property
    def bound(self) -> int:
        # Where a counter was left out of account, coming to an end proves less; breadth-first search knows how much.
        if self._status == "exhausted" and not self._problem.counter:
            return self._search.value
        return self._problem.target

    @property
    def is_over(self) -> bool:
        return self._status != "running"

    @property
    def outcome(self) -> str:
        ended = {"exhausted": "all", "full": "out of memory after"}.get(self._status, "")
        return f"{ended} {self._search.states:,} states, nearest at {self._search.nearest}".strip()

    def close(self) -> None:
        """Nothing goes on between slices."""
