"""A step from any state, asked about again and again: its clauses are made once, and what is learnt is kept."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.analysis.proofs.arena import Arena, Literal
from ludorum.analysis.proofs.budget import Budget
from ludorum.analysis.proofs.corner import About, Corners
from ludorum.analysis.proofs.frames import Frame
from ludorum.analysis.proofs.holding import Holding
from ludorum.analysis.proofs.sat import Solver

#: Circuits of no more gates have no corners.
SMALL = 6_000


class Step:
    """A state, the next one, and what is known of every state that can be reached."""

    def __init__(self, arena: Arena, budget: Budget) -> None:
        self.arena = arena
        self.budget = budget
        #: What is asked with a part of the circuit first; None in small circuits.
        self.corners = Corners(arena) if arena.circuit.gates > SMALL else None
        #: What is known, for questions with a part of the circuit.
        self.known = About(self.corners) if self.corners is not None else None
        #: What was found out in corners: formulas that hold after a step if others, and what is known, do before it.
        self.rests_on: dict[Literal, frozenset[Literal]] = {}
        self._formulas: dict[Literal, None] = {}
        self._said = 0
        self._whole: _Whole | None = None

    def know(self, formulas: Iterable[Literal]) -> None:
        """These hold in every state that can be reached."""
        self._formulas |= dict.fromkeys(formulas)
        if self.known is not None:
            self.known.add(self._formulas)

    def support(self, formula: Literal) -> frozenset[Literal] | None:
        """What it takes for a formula to hold after a step beyond what is known; None if that was not found out."""
        found = self.rests_on.get(formula)
        return None if found is None else frozenset(other for other in found if other not in self._formulas)

    def whole(self) -> _Whole:
        """All of the step, as clauses; raises BudgetExceeded."""
        if self._whole is None:
            self._whole = _Whole(self.arena, self.budget)
        self._whole.solver.budget = self.budget
        for formula in list(self._formulas)[self._said :]:
            self._whole.solver.add([self._whole.frame.literal(formula)])
            self._said += 1
        return self._whole


class _Whole:
    def __init__(self, arena: Arena, budget: Budget) -> None:
        self.solver = Solver(budget)
        self.frame = Frame(arena, self.solver)
        self.frame.steps()
        self.after = self.frame.after()
        self._holding = Holding(arena, self.solver, self.frame, self.after)
        self._switches: dict[Literal, int] = {}

    def switch(self, formula: Literal) -> int:
        """A literal that assumes a formula before the step."""
        if formula not in self._switches:
            switch = self.solver.variable()
            self.solver.add([-switch, self.frame.literal(formula)])
            self._switches[formula] = switch
        return self._switches[formula]

    def holds_after(self, formula: Literal) -> int:
        """A literal for a formula after the step, where it held before."""
        return self._holding.literal(formula)
