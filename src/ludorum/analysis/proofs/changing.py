"""What a step changes, as literals of a solver: what begins and ceases to hold, and how much that weighs."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.analysis.proofs.arena import Literal
from ludorum.analysis.proofs.frames import Frame
from ludorum.analysis.proofs.sat import Solver
from ludorum.analysis.proofs.sums import Weighted


class Changing:
    """The step from one frame to the next."""

    def __init__(self, solver: Solver, before: Frame, after: Frame) -> None:
        self._solver = solver
        self._before, self._after = before, after
        self._known: dict[Literal, tuple[int, int]] = {}

    def worth(self, weights: Iterable[tuple[Literal, int]]) -> tuple[list[Weighted], list[Weighted]]:
        """By how much the sum of the weights of what holds goes up, and down."""
        up: list[Weighted] = []
        down: list[Weighted] = []
        for formula, weight in weights:
            if weight:
                begins, ends = self._change(formula)
                (up if weight > 0 else down).append((abs(weight), begins))
                (down if weight > 0 else up).append((abs(weight), ends))
        return up, down

    def _change(self, formula: Literal) -> tuple[int, int]:
        """Literals that say that a formula begins, and that it ceases, to hold."""
        if formula not in self._known:
            here, there = self._before.literal(formula), self._after.literal(formula)
            self._known[formula] = self._both(-here, there), self._both(here, -there)
        return self._known[formula]

    def _both(self, left: int, right: int) -> int:
        both = self._solver.variable()
        self._solver.add([-both, left], [-both, right], [both, -left, -right])
        return both
