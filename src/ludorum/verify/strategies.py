"""Whether a role can bring something about, for sure, by moves that depend on nothing but what it knows.

From a set of states that are possible for the role, a move that is legal in all of them leads, for everything that it
may be told then, to another such set. The role is sure if some move leads only to sets where it is sure; states where
it has come about already stay in the set, for the role need not know that.

In the literature: sure winning with uniform strategies of perfect recall, by AND-OR search over belief states.
"""

from __future__ import annotations

import numpy as np

from ludorum.clock import Budget
from ludorum.verify.formulas import Surely
from ludorum.verify.points import Points
from ludorum.verify.truth import Truth
from ludorum.verify.world import STOP

# The work of a step in the mind of the role.
_A_STEP = 2e-6

#: Points with whether it has come about.
_Possible = tuple[tuple[int, bool], ...]


def surely(formula: Surely, points: Points, held: Truth, budget: Budget) -> Truth:
    """Where a role can see to it that something holds within some steps; raises BudgetExceeded."""
    search = _Search(formula, points, held, budget)
    number = points.classes[:, search.column]
    found = np.zeros(len(points), dtype=bool)
    order = np.argsort(number, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(number[order])) + 1):
        found[some] = search.is_sure(tuple(sorted((int(point), bool(held[point])) for point in some)), formula.steps)
    return found


class _Search:
    def __init__(self, formula: Surely, points: Points, held: Truth, budget: Budget) -> None:
        self._points, self._held, self._budget = points, held, budget
        roles = list(map(str, points.world.game.roles))
        self._seat = roles.index(formula.role)
        self.column = points.seats.index(self._seat)
        self._known: dict[_Possible, tuple[int, int]] = {}
        #: For every point and move of the role what may follow, and what the role is told then.
        self._steps: dict[int, dict[int, list[tuple[int, int]]]] = {}
        assert points.labels is not None
        order = np.argsort(points.origins, kind="stable")
        self._starts = np.searchsorted(points.origins[order], np.arange(len(points) + 1))
        self._targets = points.targets[order]
        self._own = points.labels[order, self.column]
        self._told = points.labels[order, len(points.seats) + self.column]

    def is_sure(self, possible: _Possible, steps: int) -> bool:
        """Whether from these possibilities so many steps suffice."""
        if all(done for _, done in possible):
            return True
        if steps == 0:
            return False
        # So many steps are known to suffice, and so many not to.
        suffice, fail = self._known.get(possible, (1 << 30, 0))
        if steps >= suffice or steps <= fail:
            return steps >= suffice
        sure = any(self._all_sure(possible, move, steps - 1) for move in self._moves(possible))
        suffice, fail = self._known.get(possible, (1 << 30, 0))
        self._known[possible] = (min(suffice, steps), fail) if sure else (suffice, max(fail, steps))
        return sure

    def _moves(self, possible: _Possible) -> list[int]:
        """The moves that can be made in all of these points where the match goes on, those that tell the most first."""
        going = [following for point, _ in possible if STOP not in (following := self._following(point))]
        if not going:
            return [STOP]
        common = set(going[0]).intersection(*going[1:])
        return sorted(common, key=lambda move: (self._largest(possible, move), move))

    def _largest(self, possible: _Possible, move: int) -> int:
        return max(map(len, self._after(possible, move)), default=0)

    def _all_sure(self, possible: _Possible, move: int, steps: int) -> bool:
        # The hardest first: where one fails, the others need not be asked.
        parts = sorted(self._after(possible, move), key=len, reverse=True)
        return all(self.is_sure(part, steps) for part in parts)

    def _after(self, possible: _Possible, move: int) -> list[_Possible]:
        """What is possible after a move, for everything that the role may be told."""
        found: dict[int, set[tuple[int, bool]]] = {}
        self._budget.check(_A_STEP * len(possible))
        for point, done in possible:
            following = self._following(point)
            for there, told in following[STOP if STOP in following else move]:
                found.setdefault(told, set()).add((there, done or bool(self._held[there])))
        return [tuple(sorted(some)) for some in found.values()]

    def _following(self, point: int) -> dict[int, list[tuple[int, int]]]:
        """For every move of the role the points that may follow and what it is told; STOP where the match is over."""
        if point not in self._steps:
            found: dict[int, list[tuple[int, int]]] = {}
            for step in range(self._starts[point], self._starts[point + 1]):
                found.setdefault(int(self._own[step]), []).append((int(self._targets[step]), int(self._told[step])))
            self._steps[point] = found
        return self._steps[point]
