"""Every symbol with one number of arguments."""

from __future__ import annotations

from ludorum.gdl.check.rule_index import RuleIndex
from ludorum.gdl.terms import Argument, Term
from ludorum.gdl.words import CONNECTIVES, HINTS, KEYWORDS
from ludorum.grammar import agree


def check_arities(program: RuleIndex) -> None:
    atoms = [rule.head for rule in program.rules] + [occurrence.atom for occurrence in program.occurrences]
    _check_relations(program, atoms)
    _check_functions(program, atoms)


def _check_relations(program: RuleIndex, atoms: list[Term]) -> None:
    first: dict[str, Term] = {}
    reported: set[tuple[str, int]] = set()
    for atom in sorted(atoms, key=_position):
        name, arity = atom.name, len(atom.args)
        if name in HINTS or (name, arity) in reported:
            continue
        if name in KEYWORDS:
            if arity != KEYWORDS[name]:
                program.findings.add(
                    "keyword-arity", f"{name} takes {_arguments(KEYWORDS[name])}, not {arity}", atom.span)
            continue
        expected = len(first.setdefault(name, atom).args)
        if arity != expected:
            reported.add((name, arity))
            program.findings.add(
                "arity-conflict", f"{name} has {_arguments(arity)} here but {expected} elsewhere", atom.span,
                _first_use(program, first[name]))


def _check_functions(program: RuleIndex, atoms: list[Term]) -> None:
    first: dict[str, Term] = {}
    reported: set[tuple[str, int]] = set()
    stack: list[Argument] = [argument for atom in atoms for argument in atom.args]
    # A constant may share the name of a function: many games call both the move and its phase `move`.
    functions = []
    while stack:
        argument = stack.pop()
        if isinstance(argument, Term) and argument.args:
            functions.append(argument)
            stack.extend(argument.args)
    for function in sorted(functions, key=_position):
        name, arity = function.name, len(function.args)
        expected = len(first.setdefault(name, function).args)
        if arity != expected and (name, arity) not in reported and name not in CONNECTIVES:
            reported.add((name, arity))
            program.findings.add(
                "function-arity",
                f"the function {name} has {_arguments(arity)} here but {expected} elsewhere",
                function.span, _first_use(program, first[name]),
                "the two are different functions; give them different names")


def _arguments(count: int) -> str:
    return "no arguments" if count == 0 else f"{count} {agree(count, 'argument')}"


def _position(term: Term) -> int:
    return term.span.start if term.span else 0


def _first_use(program: RuleIndex, term: Term) -> str:
    line, _ = program.findings.source.position(_position(term))
    return f"first used as {program.show(term)} in line {line}"
