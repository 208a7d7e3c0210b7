"""Breadth-first search: a shortest plan, and where the states come to an end a proof that there is no better one."""

from __future__ import annotations

from ludorum import _core
from ludorum.grammar import agree
from ludorum.search.puzzle.problem import Permutations, Problem
from ludorum.search.puzzle.solution import Plan


class BreadthFirst:
    """Visits all states that can be reached, the nearest first, in so many megabytes.

    States that differ only in a step counter are one to it, at first. If that leaves open whether a better goal can be
    reached just when the counter ends the game, it starts anew and tells all states apart.
    """

    name = "breadth-first"

    def __init__(self, problem: Problem, *, memory_mb: int = 2048, symmetries: Permutations = ()) -> None:
        self._problem = problem
        self._memory = memory_mb << 20
        self._symmetries = [list(symmetry) for symmetry in symmetries]
        self._counter = list(problem.counter)
        self._search = self._start()
        self._status = "running"
        self._best: Plan | None = None
        self.bound = problem.target

    def advance(self, seconds: float) -> None:
        self._status = self._search.run(seconds)
        if self._search.value > (-1 if self._best is None else self._best.goal):
            self._best = self._problem.plan(self._search.value, self._search.plan)
        if self._status == "exhausted":
            self.bound = min(self.bound, max(self._search.value, self._search.ceiling))
            if self._counter and self._search.ceiling > self._search.value:
                self._counter = []
                self._search = self._start()
                self._status = "running"

    @property
    def best(self) -> Plan | None:
        return self._best

    @property
    def is_over(self) -> bool:
        return self._status != "running"

    @property
    def outcome(self) -> str:
        ended = {"exhausted": "all", "full": "out of memory after"}.get(self._status, "")
        states = self._search.states
        return f"{ended} {states:,} {agree(states, 'state')} to depth {self._search.depth}".strip()

    def close(self) -> None:
        """Nothing goes on between slices."""

    def _start(self) -> _core.BreadthFirst:
        problem = self._problem
        # Images of states, and states at the end of the counter, need not be reachable.
        simulator = problem.everywhere if self._counter or self._symmetries else problem.simulator
        return _core.BreadthFirst(simulator, problem.start, problem.target, self._memory, self._counter,
                                  self._symmetries)
