"""Induction over the steps of a game: what holds in k states in a row holds in the next one.

`Step` is a step from any state, asked about again and again: its clauses are made once, and what is learnt is kept.
`inductive` tries many hypotheses at once. Those that need each other are assumed together: if all of them hold in a
state, which of them can fail after a step? Those that can are dropped, and the question is asked again of the others,
until nothing fails: the rest holds in every state that can be reached. With a depth of k they are assumed in k states
in a row, of which the first may be any.

In the literature: k-induction (Sheeran, Singh and Stålmarck 2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.analysis.proofs.encoding.frames import Frame, Holding
from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.analysis.proofs.tactics.localization import About, Localization
from ludorum.clock import Budget

#: Circuits of no more gates have no corners.
SMALL = 6_000


class Step:
    """A state, the next one, and what is known of every state that can be reached."""

    def __init__(self, model: PropertyCircuit, budget: Budget) -> None:
        self.model = model
        self.budget = budget
        #: What is asked with a part of the circuit first; None in small circuits.
        self.localization = Localization(model) if model.circuit.gates > SMALL else None
        #: What is known, for questions with a part of the circuit.
        self.known = About(self.localization) if self.localization is not None else None
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
            self._whole = _Whole(self.model, self.budget)
        self._whole.solver.budget = self.budget
        for formula in list(self._formulas)[self._said :]:
            self._whole.solver.add([self._whole.frame.literal(formula)])
            self._said += 1
        return self._whole


class _Whole:
    def __init__(self, model: PropertyCircuit, budget: Budget) -> None:
        self.solver = Solver(budget)
        self.frame = Frame(model, self.solver)
        self.frame.steps()
        self.after = self.frame.after()
        self._holding = Holding(model, self.solver, self.frame, self.after)
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


def inductive(model: PropertyCircuit, hypotheses: Sequence[Literal], known: Iterable[Literal], budget: Budget, *,
              depth: int = 1) -> list[Literal]:
    """Of formulas that hold in the first `depth` states of every match, those that are inductive together.

    `known` holds in every state that can be reached. Raises BudgetExceeded.
    """
    solver = Solver(budget)
    try:
        return _inductive(model, hypotheses, tuple(known), solver, depth)
    finally:
        solver.close()


def _inductive(model: PropertyCircuit, hypotheses: Sequence[Literal], known: Sequence[Literal], solver: Solver,
               depth: int) -> list[Literal]:
    assumed = {formula: solver.variable() for formula in hypotheses}
    frames = [Frame(model, solver)]
    for _ in range(depth):
        frame = frames[-1]
        frame.steps()
        solver.add(*([frame.literal(formula)] for formula in known))
        solver.add(*([-switch, frame.literal(formula)] for formula, switch in assumed.items()))
        frames.append(frame.after())
    failing = {formula: solver.variable() for formula in hypotheses}
    holding = Holding(model, solver, *frames[-2:])
    solver.add(*([-switch, -holding.literal(formula)] for formula, switch in failing.items()))
    solver.add(list(failing.values()))
    left = list(hypotheses)
    while left and solver.solve(assumed[formula] for formula in left):
        failed = {formula for formula in left if solver.holds(-holding.literal(formula))}
        solver.add(*([-failing[formula]] for formula in failed))
        left = [formula for formula in left if formula not in failed]
    return left
