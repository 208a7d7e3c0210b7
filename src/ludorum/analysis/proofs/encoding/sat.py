"""The only door to the SAT solver: CaDiCaL by way of python-sat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ludorum.clock import Budget

#: The variable that is always true.
TRUE = 1

# After so many conflicts the budget is looked at, or after so many decisions a conflict; what was learnt is kept. Each
# time there are twice as many, until they are so much work.
_CONFLICTS, _DECISIONS = 100, 1_000
_AT_ONCE = 1.0
# The work of a question: for every assumption, every propagation and conflict that it takes, and every variable of a
# model. And of a literal of a clause, with what it takes to come to the clause.
_AN_ASSUMPTION, _A_PROPAGATION, _A_CONFLICT, _A_VARIABLE, _A_LITERAL = 1.5e-6, 2e-7, 1e-5, 2e-7, 1.5e-6


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
        self._searched = 0.0
        self.add([TRUE])

    def variable(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, *clauses: Sequence[int]) -> None:
        for clause in clauses:
            self._cadical.add_clause(clause)
            self._added += len(clause)
        if self._added > 50_000:
            self.budget.check(self._work_of_clauses())

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
            before = self.budget.done
            answer = self.attempt(assumed, conflicts)
            if answer is not None:
                # Before clauses are added, which whoever looks at the model may do.
                self._model = self._found()
                return answer
            if self.budget.done - before < _AT_ONCE:
                conflicts *= 2

    def attempt(self, assumed: Sequence[int], conflicts: int) -> bool | None:
        """The same with so many conflicts, or as much as takes about as long; None if they do not suffice.

        No clause may be added before the model is looked at for the first time.
        """
        self.budget.check(self._work_of_clauses())
        self._cadical.conf_budget(conflicts)
        self._cadical.dec_budget(_DECISIONS * conflicts)
        try:
            answer = self._cadical.solve_limited(assumed)
        except Exception as error:
            # The library takes Ctrl-C for itself while it solves, and reports it as an error of its own.
            if "keyboard interrupt" in str(error):
                raise KeyboardInterrupt from None
            raise
        self.budget.spend(self._work_of_search() + _AN_ASSUMPTION * (10 + len(assumed))
                          + _A_VARIABLE * self._variables * bool(answer))
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

    def _work_of_clauses(self) -> float:
        """The work of the clauses that were added since it was last asked."""
        added, self._added = self._added, 0
        return _A_LITERAL * added

    def _work_of_search(self) -> float:
        """The work of the last search."""
        counts = self._cadical.accum_stats()
        before, self._searched = self._searched, (_A_PROPAGATION * counts["propagations"]
                                                  + _A_CONFLICT * counts["conflicts"])
        return self._searched - before

    def core(self) -> set[int]:
        """After `solve` said no: assumptions that suffice for that."""
        return set(self._cadical.get_core() or ())

    def close(self) -> None:
        self._cadical.delete()


#: The two binary digits of how many of three literals hold.
Adding = Callable[[int, int, int], tuple[int, int]]
#: A weight, at least 1, and the literal that it is counted for.
Weighted = tuple[int, int]


def total(terms: Iterable[Weighted], added: Adding, false: int) -> list[int]:
    """The sum of the weights of what holds."""
    columns: list[list[int]] = []
    for weight, literal in terms:
        for digit in range(weight.bit_length()):
            if weight >> digit & 1:
                while len(columns) <= digit:
                    columns.append([])
                columns[digit].append(literal)
    digits = []
    number = 0
    while number < len(columns):
        column = columns[number]
        while len(column) > 1:
            some = [column.pop(0) for _ in range(min(3, len(column)))]
            digit, carry = added(*(*some, false)[:3])
            column.append(digit)
            if number + 1 == len(columns):
                columns.append([])
            columns[number + 1].append(carry)
        digits.append(column[0] if column else false)
        number += 1
    return digits


def solver_total(solver: Solver, terms: Iterable[Weighted]) -> list[int]:
    """The sum of the weights of what holds, as literals of a solver."""

    def added(a: int, b: int, c: int) -> tuple[int, int]:
        digit, carry = solver.variable(), solver.variable()
        solver.add([-digit, a, b, c], [-digit, -a, -b, c], [-digit, -a, b, -c], [-digit, a, -b, -c],
                   [digit, -a, -b, -c], [digit, a, b, -c], [digit, a, -b, c], [digit, -a, b, c],
                   [-carry, a, b], [-carry, a, c], [-carry, b, c], [carry, -a, -b], [carry, -a, -c], [carry, -b, -c])
        return digit, carry

    return total(terms, added, -TRUE)


def less(solver: Solver, left: Sequence[int], right: Sequence[int]) -> int:
    """A literal that says that the first number is less than the second."""
    found = -TRUE
    for a, b in _side_by_side(left, right):
        # From the lowest digit on: the higher one decides unless the two are alike.
        new = solver.variable()
        solver.add([-new, -a, b], [-new, -a, found], [-new, b, found], [new, a, -b], [new, a, -found],
                   [new, -b, -found])
        found = new
    return found


def different(solver: Solver, left: Sequence[int], right: Sequence[int]) -> int:
    """A literal that says that the two numbers are not the same."""
    unlike = []
    for a, b in _side_by_side(left, right):
        digit = solver.variable()
        solver.add([-digit, a, b], [-digit, -a, -b], [digit, -a, b], [digit, a, -b])
        unlike.append(digit)
    found = solver.variable()
    solver.add([-found, *unlike], *([found, -digit] for digit in unlike))
    return found


def _side_by_side(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """The digits of two numbers, as many of each."""
    digits = max(len(left), len(right))
    padded = [(*number, *[-TRUE] * (digits - len(number))) for number in (left, right)]
    return list(zip(*padded, strict=True))
