"""What searches that are guided by the distance from the goal have in common."""

from __future__ import annotations

from ludorum import _core
from ludorum.search.puzzle.problem import Problem
from ludorum.search.puzzle.solution import Plan


class Guided:
    """A search of the core that goes on in slices and may come to an end of all states."""

    def __init__(self, problem: Problem, search: _core.BestFirst | _core.Beam | _core.IdaStar | _core.Minimin) -> None:
        self._problem = problem
        self._core = search
        self._status = "running"

    def advance(self, seconds: float) -> None:
        self._status = self._core.run(seconds)

    @property
    def best(self) -> Plan | None:
        return self._problem.plan(self._core.value, self._core.plan)

    @property
    def bound(self) -> int:
        # Where a counter was left out of account, coming to an end proves less; breadth-first search knows how much.
        if self._status == "exhausted" and not self._problem.counter:
            return self._core.value
        return self._problem.target

    @property
    def is_over(self) -> bool:
        return self._status != "running"

    def close(self) -> None:
        """Nothing goes on between slices."""
