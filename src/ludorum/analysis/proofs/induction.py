"""Induction, of all hypotheses at once.

Hypotheses that need each other are assumed together: if all of them hold in a state, which of them can fail after a
step? Those that can are dropped, and the question is asked again of the others, until nothing fails: the rest holds in
every state that can be reached. With a depth of k they are assumed in k states in a row, of which the first may be any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.analysis.proofs.arena import Arena, Literal
from ludorum.analysis.proofs.budget import Budget
from ludorum.analysis.proofs.changing import Changing
from ludorum.analysis.proofs.frames import Frame, any_step
from ludorum.analysis.proofs.sat import Solver
from ludorum.analysis.proofs.sums import different, solver_total


def inductive(arena: Arena, hypotheses: Sequence[Literal], known: Iterable[Literal], budget: Budget, *,
              depth: int = 1, whatever_is_done: bool = False) -> list[Literal]:
    """Of formulas that hold in the first `depth` states of every match, those that are inductive together.

    `known` holds in every state that can be reached. `whatever_is_done`: even if roles could do what is not legal, and
    go on after the end; that is more than has to be proved, but needs much less of the circuit. Raises BudgetExceeded.
    """
    solver = Solver(budget)
    try:
        return _inductive(arena, hypotheses, tuple(known), solver, depth, whatever_is_done)
    finally:
        solver.close()


def _inductive(arena: Arena, hypotheses: Sequence[Literal], known: Sequence[Literal], solver: Solver,
               depth: int, whatever_is_done: bool) -> list[Literal]:
    assumed = {formula: solver.variable() for formula in hypotheses}
    frames = [Frame(arena, solver)]
    for _ in range(depth):
        frame = frames[-1]
        if not whatever_is_done:
            frame.steps()
        solver.add(*([frame.literal(formula)] for formula in known))
        solver.add(*([-switch, frame.literal(formula)] for formula, switch in assumed.items()))
        frames.append(frame.after())
    failing = {formula: solver.variable() for formula in hypotheses}
    holding = _Holding(arena, solver, *frames[-2:])
    solver.add(*([-switch, -holding.literal(formula)] for formula, switch in failing.items()))
    solver.add(list(failing.values()))
    if whatever_is_done:
        for before in frames[:-1]:
            before.moves_once()
    left = list(hypotheses)
    while left and solver.solve(assumed[formula] for formula in left):
        failed = {formula for formula in left if solver.holds(-holding.literal(formula))}
        solver.add(*([-failing[formula]] for formula in failed))
        left = [formula for formula in left if formula not in failed]
    return left


class _Holding:
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


def lasting(arena: Arena, known: Iterable[Literal], once: Sequence[Literal], budget: Budget) -> list[Literal]:
    """Of these formulas those that stay true in every step from a state where they are; raises BudgetExceeded."""
    with any_step(arena, known, budget) as (solver, frame, after):
        ending = {formula: solver.variable() for formula in once}
        for formula, switch in ending.items():
            solver.add([-switch, frame.literal(formula)], [-switch, -after.literal(formula)])
        solver.add(list(ending.values()))
        left = list(once)
        while left and solver.solve():
            ended = {formula for formula in left
                     if solver.holds(frame.literal(formula)) and solver.holds(-after.literal(formula))}
            solver.add(*([-ending[formula]] for formula in ended))
            left = [formula for formula in left if formula not in ended]
        return left
