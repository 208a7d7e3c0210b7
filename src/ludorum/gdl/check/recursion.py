"""Recursion that has a meaning and an end: conditions 1 and 3 of Definition 2.7."""

from __future__ import annotations

from ludorum.gdl.check.rule_index import Occurrence, RuleIndex, signature
from ludorum.gdl.graph import path_to
from ludorum.gdl.terms import Argument, Term, Variable, variables


def check_recursion(program: RuleIndex) -> None:
    component = program.component
    limits = _Limits(program)
    unstratified: set[int] = set()
    unbounded: set[int] = set()
    for occurrence in program.occurrences:
        head, atom = signature(occurrence.rule.head), signature(occurrence.atom)
        if component[head] != component[atom]:
            continue
        if occurrence.negated and component[head] not in unstratified:
            unstratified.add(component[head])
            _report_unstratified(program, occurrence)
        if id(occurrence.rule) not in unbounded:
            argument = limits.unlimited_argument(occurrence)
            if argument is not None:
                unbounded.add(id(occurrence.rule))
                _report_unbounded(program, occurrence, argument)


class _Limits:
    """What limits the arguments of recursive conditions."""

    def __init__(self, program: RuleIndex) -> None:
        self.program = program
        # By the identity of `Occurrence.beside`, which the conditions of one conjunction share.
        self.outside: dict[int, set[Argument]] = {}

    def unlimited_argument(self, occurrence: Occurrence) -> Argument | None:
        """An argument that neither the head nor a condition outside the recursion has."""
        for argument in occurrence.atom.args:
            if argument in occurrence.rule.head.args or not any(True for _ in variables(argument)):
                continue
            if argument not in self._terms_outside(occurrence):
                return argument
        return None

    def _terms_outside(self, occurrence: Occurrence) -> set[Argument]:
        key = id(occurrence.beside)
        if key not in self.outside:
            component = self.program.component
            own = component[signature(occurrence.rule.head)]
            atoms = [atom for atom in occurrence.beside
                     if atom.name != "distinct" and component[signature(atom)] != own]
            self.outside[key] = set().union(*map(_subterms, atoms))
        return self.outside[key]


def _report_unstratified(program: RuleIndex, occurrence: Occurrence) -> None:
    head, atom = signature(occurrence.rule.head), signature(occurrence.atom)
    way = path_to(program.dependencies, atom, {head}) or [atom]
    cycle = " → ".join(name for name, _ in [head, *way])
    program.findings.add(
        "unstratified-negation", f"{head[0]} depends on its own negation", occurrence.atom.span,
        f"the cycle: {cycle}", "it can be played if no single instance depends on its own negation")


def _report_unbounded(program: RuleIndex, occurrence: Occurrence, argument: Argument) -> None:
    name = program.show(argument)
    grows = any(isinstance(term, Term) and argument in _subterms(term) for term in occurrence.rule.head.args)
    program.findings.add(
        "unbounded-recursion", f"the recursion of {occurrence.rule.head.name} may not end", argument.span,
        f"{name} grows with every round" if grows
        else f"{name} is no argument of the head, and no condition outside the recursion mentions it",
        "add a condition that limits it")


def _subterms(atom: Term) -> set[Argument]:
    found: set[Argument] = set()
    stack: list[Argument] = list(atom.args)
    while stack:
        item = stack.pop()
        found.add(item)
        if not isinstance(item, Variable):
            stack.extend(item.args)
    return found
