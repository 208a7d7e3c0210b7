"""Every variable bound by a positive condition: condition 2 of Definition 2.7."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.gdl.check.rule_index import RuleIndex
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule
from ludorum.gdl.terms import Term, Variable, variables


def check_safety(program: RuleIndex) -> None:
    for rule in program.rules:
        _RuleCheck(program, rule).check()


class _RuleCheck:
    def __init__(self, program: RuleIndex, rule: Rule) -> None:
        self.program = program
        self.rule = rule
        self.reported: set[str] = set()

    def check(self) -> None:
        if not self.rule.body:
            # Most rules of most sheets are ground facts.
            for variable in _first_of_each(variables(self.rule.head)):
                name = self.program.show(variable)
                self.program.findings.add("unsafe-variable", f"{name} is a variable in a fact", variable.span,
                                          f"no condition says what {name} may be")
            return
        bound = _bound_by_all(self.rule.body)
        for variable in _first_of_each(variables(self.rule.head)):
            if variable.name not in bound:
                self._report_head(variable)
        self._visit(self.rule.body, frozenset(), negated=False)

    def _report_head(self, variable: Variable) -> None:
        name = self.program.show(variable)
        self.reported.add(variable.name)
        if variable.name in _bound_somewhere(self.rule.body):
            message = f"{name} is used in the head but not bound by every alternative"
            label = f"some alternative does not mention {name}"
        else:
            message = f"{name} is used in the head but never bound"
            label = f"no positive condition mentions {name}"
        self.program.findings.add("unsafe-variable", message, variable.span, label, self._suggestion(name))

    def _suggestion(self, name: str) -> str:
        head = self.rule.head
        if head.name == "next" and len(head.args) == 1:
            return f"add a condition such as {self.program.show(Term('true', head.args))}"
        return f"add a condition that says what {name} may be"

    def _visit(self, formulas: Sequence[Formula], bound: frozenset[str], *, negated: bool) -> None:
        """Looks for what is unbound, where the variables `bound` are bound outside."""
        bound |= _bound_by_all(formulas)
        for formula in formulas:
            if isinstance(formula, Not):
                self._visit_negation(formula, bound)
            elif isinstance(formula, And):
                self._visit(formula.formulas, bound, negated=negated)
            elif isinstance(formula, Or):
                for alternative in formula.formulas:
                    self._visit((alternative,), bound, negated=negated)
            elif formula.name == "distinct":
                for variable in _first_of_each(variables(formula)):
                    if variable.name not in bound and variable.name not in self.reported:
                        self.reported.add(variable.name)
                        name = self.program.show(variable)
                        self.program.findings.add(
                            "unsafe-variable", f"{name} is compared but never bound", variable.span,
                            f"no positive condition mentions {name}",
                            f"add a condition that says what {name} may be")

    def _visit_negation(self, negation: Not, bound: frozenset[str]) -> None:
        inside = _bound_somewhere((negation.formula,))
        for variable in _first_of_each(_variables_of(negation.formula)):
            if variable.name in inside and variable.name not in bound and variable.name not in self.reported:
                self.reported.add(variable.name)
                name = self.program.show(variable)
                self.program.findings.add(
                    "unsafe-negation", f"{name} occurs only under not", variable.span,
                    f"read as: there is no {name} at all",
                    f"if one particular {name} is meant, add a condition that says which")
        self._visit((negation.formula,), bound, negated=True)


def _first_of_each(found: Iterable[Variable]) -> Iterable[Variable]:
    first: dict[str, Variable] = {}
    for variable in found:
        first.setdefault(variable.name, variable)
    return first.values()


def _variables_of(formula: Formula) -> Iterable[Variable]:
    if isinstance(formula, Term):
        yield from variables(formula)
    elif isinstance(formula, Not):
        yield from _variables_of(formula.formula)
    else:
        for part in formula.formulas:
            yield from _variables_of(part)


def _names(atom: Term) -> frozenset[str]:
    return frozenset(variable.name for variable in variables(atom))


def _bound(formula: Formula) -> frozenset[str]:
    """The variables that have a value wherever the formula holds."""
    if isinstance(formula, Term):
        return frozenset() if formula.name == "distinct" else _names(formula)
    if isinstance(formula, And):
        return _bound_by_all(formula.formulas)
    if isinstance(formula, Or) and formula.formulas:
        return frozenset.intersection(*map(_bound, formula.formulas))
    return frozenset()


def _bound_by_all(formulas: Iterable[Formula]) -> frozenset[str]:
    return frozenset().union(*map(_bound, formulas))


def _bound_somewhere(formulas: Iterable[Formula]) -> frozenset[str]:
    """The variables that some positive atom mentions, in whatever alternative."""
    found: frozenset[str] = frozenset()
    for formula in formulas:
        if isinstance(formula, And | Or):
            found |= _bound_somewhere(formula.formulas)
        elif not isinstance(formula, Not):
            found |= _bound(formula)
    return found
