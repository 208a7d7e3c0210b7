"""The only door to the SAT solver: CaDiCaL by way of python-sat."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from ludorum.analysis.proofs.budget import Budget

#: The variable that is always true.
TRUE = 1

# After so many conflicts the clock is looked at, or after so many decisions a conflict; what was learnt is kept. How
# long a conflict takes depends on the clauses: where they are quick, there are as many of them the next time as this
# part of the time that is left allows.
_CONFLICTS, _DECISIONS = 100, 1_000
_PART = 0.1


class Solver:
    """Clauses of literals, a variable's number or its negative; solved again and again as clauses are added.

    Every question ends within the budget or raises BudgetExceeded; others may be asked all the same. Where it is used
    up, there is no solver to ask: making one raises BudgetExceeded, too.
    """

    def __init__(self, budget: Budget) -> None:
        # Not at the top: importing it takes longer than most verbs of the command.
        from pysat.solvers import Cadical195

        budget.check()
        self.budget = budget
        self._cadical = Cadical195()
        self._variables = TRUE
        self._model: Sequence[int] | None = ()
        self._added = 0
        self.add([TRUE])

    def variable(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, *clauses: Sequence[int]) -> None:
        for clause in clauses:
            self._cadical.add_clause(clause)
        self._added += len(clauses)
        if self._added > 20_000:
            self._added = 0
            self.budget.check()

    def exactly_one(self, literals: Sequence[int], *, unless: int = -TRUE) -> None:
        """Exactly one of these is true, or `unless` is."""
        self.add([*literals, unless])
        if len(literals) <= 5:
            self.add(*([-a, -b, unless] for i, a in enumerate(literals) for b in literals[:i]))
            return
        # A ladder: from every literal on, all later rungs say that one was there.
        before = literals[0]
        for literal in literals[1:-1]:
            rung = self.variable()
            self.add([-before, rung], [-literal, rung], [-before, -literal, unless])
            before = rung
        self.add([-before, -literals[-1], unless])

    def solve(self, assumptions: Iterable[int] = ()) -> bool:
        """Whether the clauses can be satisfied where these literals are true; raises BudgetExceeded."""
        assumed = list(assumptions)
        conflicts = _CONFLICTS
        while True:
            start = time.perf_counter()
            answer = self.attempt(assumed, conflicts)
            if answer is not None:
                # Before clauses are added, which whoever looks at the model may do.
                self._model = self._found()
                return answer
            taken = max(time.perf_counter() - start, 1e-3)
            allowed = _PART * min(self.budget.deadline.remaining, 60.0)
            conflicts = max(_CONFLICTS, min(4 * conflicts, int(conflicts * allowed / taken)))

    def attempt(self, assumed: Sequence[int], conflicts: int) -> bool | None:
        """The same with so many conflicts, or as much as takes about as long; None if they do not suffice.

        No clause may be added before the model is looked at for the first time.
        """
        self.budget.check()
        self._cadical.conf_budget(conflicts)
        self._cadical.dec_budget(_DECISIONS * conflicts)
        try:
            answer = self._cadical.solve_limited(assumed)
        except Exception as error:
            # The library takes Ctrl-C for itself while it solves, and reports it as an error of its own.
            if "keyboard interrupt" in str(error):
                raise KeyboardInterrupt from None
            raise
        # A model is as long as there are variables, and not everybody who asks looks at it.
        self._model = None if answer else ()
        return None if answer is None else bool(answer)

    def holds(self, literal: int) -> bool:
        """Whether a literal is true in the model that `solve` found."""
        if self._model is None:
            self._model = self._found()
        number = abs(literal)
        # What no clause mentions is false.
        is_true = number <= len(self._model) and self._model[number - 1] > 0
        return is_true == (literal > 0)

    def _found(self) -> Sequence[int]:
        return (self._cadical.get_model() or ()) if self._model is None else self._model

    def core(self) -> set[int]:
        """After `solve` said no: assumptions that suffice for that."""
        return set(self._cadical.get_core() or ())

    def close(self) -> None:
        self._cadical.delete()
