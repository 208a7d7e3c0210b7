"""Recursion that has a meaning and an end: conditions 1 and 3 of Definition 2.7."""

from __future__ import annotations

from ludorum.gdl.check.graph import path_to
from ludorum.gdl.check.program import Occurrence, Program, signature
from ludorum.gdl.terms import Argument, Term, Variable, variables


def check_recursion(program: Program) -> None:
    component = program.component
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
            argument = _unbounded_argument(program, occurrence)
            if argument is not None:
                unbounded.add(id(occurrence.rule))
                _report_unbounded(program, occurrence, argument)


def _report_unstratified(program: Program, occurrence: Occurrence) -> None:
    head, atom = signature(occurrence.rule.head), signature(occurrence.atom)
    way = path_to(program.dependencies, atom, {head}) or [atom]
    cycle = " → ".join(name for name, _ in [head, *way])
    program.findings.add(
        "unstratified-negation", f"{head[0]} depends on its own negation", occurrence.atom.span,
        f"the cycle: {cycle}", "it can be played if no single instance depends on its own negation")


def _unbounded_argument(program: Program, occurrence: Occurrence) -> Argument | None:
    """An argument of a recursive condition that neither the head nor a condition outside the cycle has."""
    own = program.component[signature(occurrence.rule.head)]
    outside: set[Argument] | None = None
    for argument in occurrence.atom.args:
        if argument in occurrence.rule.head.args or not any(True for _ in variables(argument)):
            continue
        if outside is None:
            outside = set()
            for atom in occurrence.beside:
                if atom.name != "distinct" and program.component[signature(atom)] != own:
                    outside.update(_subterms(atom))
        if argument not in outside:
            return argument
    return None


def _report_unbounded(program: Program, occurrence: Occurrence, argument: Argument) -> None:
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
