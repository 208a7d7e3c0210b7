"""Induction, one hypothesis at a time, and what each of them rests on.

A hypothesis that cannot fail after a step from a state where all of them hold rests on those that it takes to show
that, which the solver tells. One that can fail is dropped, and what rested on it is asked again. So it can be broken
off at any time: hypotheses that rest only on each other are inductive together, and hold in every state that can be
reached.

What is easy comes first. A question that takes too many conflicts is put off, and asked again with more of them.

In the literature: Houdini (Flanagan and Leino 2001), here with unsat cores that tell what a hypothesis rests on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludorum.analysis.proofs.encoding.property_circuit import Literal
from ludorum.analysis.proofs.tactics.induction import Step
from ludorum.analysis.proofs.tactics.localization import About
from ludorum.errors import BudgetExceeded

# So many conflicts at first, and so many times as many in every round.
_CONFLICTS, _MORE = 50, 8
# After so many questions that were put off the whole circuit is too hard, at first.
_MOST_HARD = 8
# So many conflicts where only a part of the circuit is looked at, which is quick.
_IN_CORNERS = (2_000, 16_000)


@dataclass(frozen=True, slots=True)
class Held:
    """What was found to hold; and whether nothing was left to be asked."""

    formulas: list[Literal]
    is_complete: bool


def inductive_together(step: Step, hypotheses: Iterable[Literal]) -> Held:
    """Of formulas that hold in the initial state those that are inductive together, as far as the budget lasts."""
    return _Houdini(step, hypotheses, by_itself=False).held()


def lasting(step: Step, once: Iterable[Literal]) -> Held:
    """Of formulas those that stay true in every step from a state where they are, as far as the budget lasts."""
    return _Houdini(step, once, by_itself=True).held()


class _Houdini:
    """`by_itself`: nothing is assumed but what is asked about, which need not hold from the beginning."""

    def __init__(self, step: Step, hypotheses: Iterable[Literal], *, by_itself: bool) -> None:
        self._step, self._by_itself = step, by_itself
        self._hypotheses = list(dict.fromkeys(hypotheses))
        #: Those that were not dropped and need to be assumed.
        self._alive = dict.fromkeys(self._hypotheses)
        self._rests_on: dict[Literal, frozenset[Literal]] = {}
        #: Those that the solver of the whole step has clauses for, after it.
        self._encoded: set[Literal] = set()

    def held(self) -> Held:
        try:
            if self._step.localization is not None:
                self._while_easy()
                self._in_corners()
            self._with_everything()
        except BudgetExceeded:
            return Held(self._closed(), is_complete=False)
        return Held(self._closed(), is_complete=True)

    @property
    def _open(self) -> list[Literal]:
        return [formula for formula in self._alive if formula not in self._rests_on]

    def _while_easy(self) -> None:
        """Asks with the whole circuit until that turns out to be hard: it takes less than making many corners.

        Raises BudgetExceeded.
        """
        hard = 0
        for formula in self._open:
            if formula in self._alive and formula not in self._rests_on:
                hard += not self._ask(formula, _CONFLICTS)
                if hard > _MOST_HARD:
                    break
        self._establish()

    def _in_corners(self) -> None:
        """Asks about each hypothesis with the part of the circuit that it depends on; raises BudgetExceeded."""
        corners, known = self._step.localization, self._step.known
        if corners is None or known is None:
            return
        about = None if self._by_itself else About(corners, self._alive)
        if not self._by_itself:
            # An induction that was broken off left these.
            for formula in self._open:
                support = self._step.support(formula)
                if support is not None and support <= self._alive.keys():
                    self._rests_on[formula] = support
            self._establish()
        asked = self._open
        for conflicts in _IN_CORNERS:
            hard: list[Literal] = []
            for formula in asked:
                others = corners.holds_after(formula, [formula] if about is None else about, known,
                                             self._step.budget, conflicts)
                if isinstance(others, frozenset):
                    self._rests_on[formula] = others
                    if not self._by_itself:
                        self._step.rests_on[formula] = others
                    if others <= {formula}:
                        self._establish()
                elif others:
                    hard.append(formula)
            self._establish()
            asked = hard

    def _with_everything(self) -> None:
        """Asks about all that is left until it is dropped or rests on others; raises BudgetExceeded."""
        conflicts = _CONFLICTS
        while open_ := self._open:
            left = len(self._alive)
            for formula in open_:
                if formula in self._alive and formula not in self._rests_on:
                    self._ask(formula, conflicts)
            self._establish()
            if len(self._alive) == left:
                conflicts *= _MORE

    def _ask(self, formula: Literal, conflicts: int) -> bool:
        """Whether a hypothesis can fail after a step; False if so many conflicts do not tell."""
        whole = self._step.whole()
        fails = -whole.holds_after(formula)
        self._encoded.add(formula)
        assumed = {whole.switch(other): other for other in ([formula] if self._by_itself else self._alive)}
        answer = whole.solver.attempt([*assumed, fails], conflicts)
        if answer is False:
            self._rests_on[formula] = frozenset(assumed[switch] for switch in whole.solver.core() if switch in assumed)
        elif answer:
            self._drop()
        return answer is not None

    def _drop(self) -> None:
        """Drops all that fails in the step which was found, and asks again about what rested on that."""
        whole = self._step.whole()
        failed = {formula for formula in self._alive if formula in self._encoded
                  and whole.solver.holds(-whole.holds_after(formula))
                  and whole.solver.holds(whole.frame.literal(formula))}
        for formula in failed:
            del self._alive[formula]
        self._rests_on = {formula: others for formula, others in self._rests_on.items()
                          if formula not in failed and not others & failed}

    def _establish(self) -> None:
        """What rests on nothing that is still open need not be assumed: the fewer assumptions the easier it is."""
        if not self._by_itself:
            proved = self._closed()
            self._step.know(proved)
            for formula in proved:
                self._alive.pop(formula, None)

    def _closed(self) -> list[Literal]:
        """Those that rest only on each other."""
        held = dict(self._rests_on)
        while True:
            loose = [formula for formula, others in held.items() if not others <= held.keys()]
            if not loose:
                return [formula for formula in self._hypotheses if formula in held]
            for formula in loose:
                del held[formula]
