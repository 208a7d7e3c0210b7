"""Induction, of all hypotheses at once.

Hypotheses that need each other are assumed together: if all of them hold in a state, which of them can fail after a
step? Those that can are dropped, and the question is asked again of the others, until nothing fails: the rest holds in
every state that can be reached. With a depth of k they are assumed in k states in a row, of which the first may be any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.analysis.proofs.arena import Arena, Literal
from ludorum.analysis.proofs.budget import Budget
from ludorum.analysis.proofs.frames import Frame
from ludorum.analysis.proofs.holding import Holding
from ludorum.analysis.proofs.sat import Solver


def inductive(arena: Arena, hypotheses: Sequence[Literal], known: Iterable[Literal], budget: Budget, *,
              depth: int = 1) -> list[Literal]:
    """Of formulas that hold in the first `depth` states of every match, those that are inductive together.

    `known` holds in every state that can be reached. Raises BudgetExceeded.
    """
    solver = Solver(budget)
    try:
        return _inductive(arena, hypotheses, tuple(known), solver, depth)
    finally:
        solver.close()


def _inductive(arena: Arena, hypotheses: Sequence[Literal], known: Sequence[Literal], solver: Solver,
               depth: int) -> list[Literal]:
    assumed = {formula: solver.variable() for formula in hypotheses}
    frames = [Frame(arena, solver)]
    for _ in range(depth):
        frame = frames[-1]
        frame.steps()
        solver.add(*([frame.literal(formula)] for formula in known))
        solver.add(*([-switch, frame.literal(formula)] for formula, switch in assumed.items()))
        frames.append(frame.after())
    failing = {formula: solver.variable() for formula in hypotheses}
    holding = Holding(arena, solver, *frames[-2:])
    solver.add(*([-switch, -holding.literal(formula)] for formula, switch in failing.items()))
    solver.add(list(failing.values()))
    left = list(hypotheses)
    while left and solver.solve(assumed[formula] for formula in left):
        failed = {formula for formula in left if solver.holds(-holding.literal(formula))}
        solver.add(*([-failing[formula]] for formula in failed))
        left = [formula for formula in left if formula not in failed]
    return left
