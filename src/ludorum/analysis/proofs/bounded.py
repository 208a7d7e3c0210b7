"""Bounded model checking: is there a match of so many steps to a state where something holds?"""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.analysis.proofs.arena import Arena, Literal
from ludorum.analysis.proofs.budget import Budget
from ludorum.analysis.proofs.frames import Frame
from ludorum.analysis.proofs.sat import Solver
from ludorum.errors import BudgetExceeded

#: A joint move as numbers, one a role.
Joint = tuple[int, ...]

#: Frames refer to those before them; more would be too deep.
MOST_STEPS = 200


class Search:
    """Matches from the initial state that get one step longer at a time."""

    def __init__(self, arena: Arena, budget: Budget, known: Iterable[Literal] = ()) -> None:
        self._known = tuple(known)
        self._solver = Solver(budget)
        self._frames = [Frame(arena, self._solver, is_initial=True)]

    def reach(self, formula: Literal, steps: int) -> list[Joint] | None:
        """Joint moves to a state where a formula holds, exactly so many of them; None if there are none.

        Asked with ascending numbers of steps. Raises BudgetExceeded.
        """
        if steps > MOST_STEPS:
            raise BudgetExceeded(f"matches longer than {MOST_STEPS} steps are not searched")
        while len(self._frames) <= steps:
            last = self._frames[-1]
            last.steps()
            self._frames.append(last.after())
            self._solver.add(*([self._frames[-1].literal(known)] for known in self._known))
        if not self._solver.solve([self._frames[steps].literal(formula)]):
            return None
        return [frame.joint() for frame in self._frames[:steps]]

    def close(self) -> None:
        self._solver.close()
