"""A whole game: nothing missing, nothing undefined, nothing to no purpose."""

from __future__ import annotations

from difflib import get_close_matches

from ludorum.gdl.check.rule_index import RuleIndex, Signature, signature
from ludorum.gdl.graph import closure
from ludorum.gdl.printing import show_rule
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Span, Term, Variable
from ludorum.gdl.words import HINTS, KEYWORDS

_ROLE = Variable("role")
_IS_ROLE = Term("role", (_ROLE,))
_NEEDED: dict[str, tuple[str, Rule]] = {
    "role": ("no rule says who plays", Rule(Term("role", (Term("white"),)))),
    "legal": ("no rule says which moves are legal", Rule(Term("legal", (_ROLE, Term("wait"))), (_IS_ROLE,))),
    "goal": ("no rule says what the players get", Rule(Term("goal", (_ROLE, Term("50"))), (_IS_ROLE,))),
    "terminal": ("no rule says when the game ends",
                 Rule(Term("terminal"), (Term("true", (Term("finished"),)),))),
}

# Comparing names is slow; in a text with more undefined relations than this, they are not slips of the pen.
_MOST_SUGGESTIONS = 10


def check_completeness(program: RuleIndex) -> None:
    _check_missing(program)
    _check_undefined(program)
    _check_unused(program)


def _check_missing(program: RuleIndex) -> None:
    defined = {name for name, _ in program.definitions}
    first = program.rules[0].span if program.rules else None
    place = Span(first.start, first.start) if first else None
    for name, (message, example) in _NEEDED.items():
        if name not in defined:
            help = f"add rules for {name}, such as {show_rule(example, program.findings.source.syntax)}"
            program.findings.add(f"missing-{name}", message, place, help=help)


def _check_undefined(program: RuleIndex) -> None:
    names = {name for name, _ in program.definitions}
    known = sorted(names)
    reported: set[Signature] = set()
    for occurrence in program.occurrences:
        atom = occurrence.atom
        relation = signature(atom)
        # A name that is defined with another number of arguments is a conflict of arities, and called so.
        if atom.name in names or atom.name in KEYWORDS or relation in reported:
            continue
        reported.add(relation)
        similar = []
        if len(reported) <= _MOST_SUGGESTIONS:
            similar = get_close_matches(atom.name, known, n=1, cutoff=0.75)
        label = "never holds, so its negation always does" if occurrence.negated else "never holds"
        program.findings.add("undefined-relation", f"no rule defines {atom.name}", atom.span, label,
                             f"did you mean {similar[0]}?" if similar else "")


def _check_unused(program: RuleIndex) -> None:
    roots = [relation for relation in program.definitions if relation[0] in KEYWORDS or relation[0] in HINTS]
    used = {name for name, _ in closure(roots, program.dependencies)}
    for (name, _), rules in program.definitions.items():
        if name not in used:
            program.findings.add("unused-relation", f"nothing in the game depends on {name}",
                                 rules[0].head.span)


