"""A*: towards the states that look nearest to the goal, by the goal's own formula."""

from __future__ import annotations

from ludorum import _core
from ludorum.grammar import agree
from ludorum.search.puzzle.guided import Guided
from ludorum.search.puzzle.problem import Permutations, Problem


class AStar(Guided):
    """Expands states in the order of their steps and `weight` times their distance from the highest goal.

    The distance counts conditions of the goal that are not met, so it is no lower bound: plans need not be shortest.
    """

    name = "a-star"

    def __init__(self, problem: Problem, *, weight: int = 4, memory_mb: int = 2048,
                 symmetries: Permutations = ()) -> None:
        guide = self.guide(problem)
        assert guide is not None
        # Images of states need not be reachable.
        simulator = problem.everywhere if symmetries else problem.simulator
        self._search = _core.BestFirst(
            simulator, problem.start, problem.target, memory_mb << 20, list(problem.counter),
            [list(symmetry) for symmetry in symmetries], guide, weight)
        super().__init__(problem, self._search)

    @staticmethod
    def guide(problem: Problem) -> _core.Guide | None:
        """What tells how far states are from the goal; None where nothing does."""
        return problem.distance

    @property
    def outcome(self) -> str:
        ended = {"exhausted": "all", "full": "out of memory after"}.get(self._status, "")
        states = self._search.states
        return f"{ended} {states:,} {agree(states, 'state')}, nearest at {self._search.nearest}".strip()


class RelaxedAStar(AStar):
    """The same by the moves of relaxed plans: of plans where nothing that holds ever ceases to.

    In the literature: delete relaxation (HSP: Bonet, Geffner 2001; FF: Hoffmann, Nebel 2001).
    """

    name = "relaxed"

    @staticmethod
    def guide(problem: Problem) -> _core.Guide | None:
        return problem.relaxed_plan
