"""Rules as the checks see them: every atom with its surroundings, and which relation depends on which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.graph import component_numbers
from ludorum.gdl.printing import show
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule
from ludorum.gdl.terms import Argument, Term

#: A relation: its name and its number of arguments.
Signature = tuple[str, int]


def signature(atom: Term) -> Signature:
    return atom.name, len(atom.args)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An atom in a body, whether it stands under a `not`, and positive atoms that hold where it matters."""

    rule: Rule
    atom: Term
    negated: bool
    beside: tuple[Term, ...]


class RuleIndex:
    def __init__(self, rules: Sequence[Rule], findings: Findings) -> None:
        self.rules = rules
        self.findings = findings
        self.occurrences = [occurrence for rule in rules for occurrence in _occurrences(rule)]

    def show(self, argument: Argument) -> str:
        """A term in the syntax of the source."""
        return show(argument, self.findings.source.syntax)

    @cached_property
    def definitions(self) -> dict[Signature, list[Rule]]:
        """The rules of every relation that has any."""
        found: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(signature(rule.head), []).append(rule)
        return found

    @cached_property
    def dependencies(self) -> dict[Signature, set[Signature]]:
        """For every defined relation those that occur in its bodies."""
        found: dict[Signature, set[Signature]] = {relation: set() for relation in self.definitions}
        for occurrence in self.occurrences:
            found[signature(occurrence.rule.head)].add(signature(occurrence.atom))
        return found

    @cached_property
    def component(self) -> dict[Signature, int]:
        """A number for every relation, the same for relations that depend on each other."""
        return component_numbers(self.dependencies)


def _occurrences(rule: Rule) -> Iterator[Occurrence]:
    # Formulas still to visit, each with its polarity and the atoms beside it.
    stack: list[tuple[Sequence[Formula], bool, tuple[Term, ...]]] = [(rule.body, False, ())]
    while stack:
        formulas, negated, beside = stack.pop()
        conjuncts = list(_conjuncts(formulas))
        beside += tuple(formula for formula in conjuncts if isinstance(formula, Term))
        for formula in conjuncts:
            if isinstance(formula, Term):
                yield Occurrence(rule, formula, negated, beside)
            elif isinstance(formula, Not):
                stack.append(((formula.formula,), True, beside))
            elif isinstance(formula, Or):
                stack.extend(((alternative,), negated, beside) for alternative in formula.formulas)


def _conjuncts(formulas: Sequence[Formula]) -> Iterator[Formula]:
    for formula in formulas:
        if isinstance(formula, And):
            yield from _conjuncts(formula.formulas)
        else:
            yield formula
