"""What holds after a step, where it held before it."""

from __future__ import annotations

from ludorum.analysis.proofs.arena import Arena, Literal
from ludorum.analysis.proofs.changing import Changing
from ludorum.analysis.proofs.frames import Frame
from ludorum.analysis.proofs.sat import Solver
from ludorum.analysis.proofs.sums import different, solver_total


class Holding:
    """What holds after the last of some steps, where it held before it."""

    def __init__(self, arena: Arena, solver: Solver, before: Frame, after: Frame) -> None:
        self._arena, self._solver, self._after = arena, solver, after
        self._changing = Changing(solver, before, after)
        self._balanced: dict[Literal, int] = {}

    def literal(self, formula: Literal) -> int:
        balance = self._arena.balances.get(formula)
        if balance is None:
            return self._after.literal(formula)
        if formula not in self._balanced:
            # Two sums over a whole state are a riddle; that what a step changes comes to nothing is none.
            up, down = self._changing.worth((self._arena.some_of(numbers), weight)
                                            for numbers, weight in balance.weights)
            self._balanced[formula] = -different(
                self._solver, solver_total(self._solver, up), solver_total(self._solver, down))
        return self._balanced[formula]
