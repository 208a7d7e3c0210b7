"""Keywords where they belong: conditions 4 to 8 of Definition 2.7, and their likes for GDL-II."""

from __future__ import annotations

from ludorum.gdl.check.rule_index import Occurrence, RuleIndex, Signature, signature
from ludorum.gdl.graph import path_to
from ludorum.gdl.printing import show_formula
from ludorum.gdl.rulesheet import Not, Rule
from ludorum.gdl.terms import Term, variables
from ludorum.gdl.words import CONNECTIVES, HINTS, KEYWORDS

_STATE = frozenset((name, KEYWORDS[name])
                   for name in ("true", "does", "next", "legal", "goal", "terminal", "sees"))
_MOVES = frozenset({("does", 2)})
# What has to be known before anyone moves.
_BEFORE_MOVES = frozenset({("legal", 2), ("goal", 2), ("terminal", 0)})


def check_keywords(program: RuleIndex) -> None:
    for rule in program.rules:
        _check_head(program, rule)
    for occurrence in program.occurrences:
        _check_condition(program, occurrence)
    _check_dependencies(program)


def _check_head(program: RuleIndex, rule: Rule) -> None:
    head = rule.head
    name = head.name
    if name == "role" and rule.body:
        program.findings.add("role-not-fact", "a role cannot depend on conditions", head.span,
                             "the players are fixed before the game", "state every role as a fact")
    elif name == "role" and any(True for _ in variables(head)):
        program.findings.add("role-not-fact", "a role cannot have variables", head.span,
                             "the players are fixed before the game", "state every role as a fact")
    elif name == "true":
        program.findings.add("true-in-head", "true cannot be the head of a rule", head.span,
                             "the current state is given, never derived",
                             "use next for what will hold, or a relation of your own")
    elif name == "does":
        program.findings.add("does-in-head", "does cannot be the head of a rule", head.span,
                             "moves are chosen by the players", "use legal for what may be chosen")
    elif name == "distinct":
        program.findings.add("distinct-in-head", "distinct cannot be the head of a rule", head.span,
                             "its meaning is fixed: the two terms differ")
    _check_fluent(program, head)


def _check_condition(program: RuleIndex, occurrence: Occurrence) -> None:
    atom = occurrence.atom
    if atom.name == "init":
        program.findings.add("init-in-body", "init cannot be a condition", atom.span,
                             "it only says what holds at the start", "use true for what holds now")
    elif atom.name == "next":
        program.findings.add("next-in-body", "next is used as a condition", atom.span,
                             "understood, but other players may refuse it",
                             "give the condition a relation of its own, and let next depend on that")
    elif atom.name == "sees":
        program.findings.add("sees-in-body", "sees is used as a condition", atom.span,
                             "understood, but other players may refuse it",
                             "give the condition a relation of its own, and let sees depend on that")
    _check_fluent(program, atom)


def _check_fluent(program: RuleIndex, atom: Term) -> None:
    """Warns of `(true (not f))`: a slip for `(not (true f))`."""
    if atom.name not in ("init", "true", "next") or len(atom.args) != 1:
        return
    fluent = atom.args[0]
    if isinstance(fluent, Term) and fluent.args and fluent.name in CONNECTIVES | {"init", "true", "next"}:
        help = ""
        if fluent.name == "not" and len(fluent.args) == 1:
            meant = show_formula(Not(Term(atom.name, fluent.args)), program.findings.source.syntax)
            help = f"if its absence is meant, write {meant}"
        program.findings.add("keyword-as-fluent", f"{fluent.name} is taken for the name of a fluent here",
                             fluent.span, "not a condition, but a fluent", help)


def _check_dependencies(program: RuleIndex) -> None:
    reported: set[int] = set()
    # Sheets with thousands of legal rules ask for the same few paths.
    paths: dict[tuple[str, Signature], list[Signature] | None] = {}
    for occurrence in program.occurrences:
        head = signature(occurrence.rule.head)
        if head == ("init", 1):
            code, goals, closed = "init-depends-on-state", _STATE, frozenset[Signature]()
        elif head in _BEFORE_MOVES:
            code, goals, closed = "depends-on-moves", _MOVES, _BEFORE_MOVES
        elif head[0] in HINTS:
            code, goals, closed = "hint-depends-on-state", _STATE, frozenset[Signature]()
        else:
            continue
        key = code, signature(occurrence.atom)
        if key not in paths:
            paths[key] = path_to(program.dependencies, key[1], goals, closed)
        path = paths[key]
        if path is None or id(occurrence.rule) in reported:
            continue
        reported.add(id(occurrence.rule))
        target, span = path[-1][0], occurrence.atom.span
        way = " → ".join(name for name, _ in path[:-1])
        label = f"depends on {target} by way of {way}" if way else ""
        if code == "init-depends-on-state":
            program.findings.add(code, f"the initial state cannot depend on {target}", span, label,
                                 "let it depend on facts only")
        elif code == "depends-on-moves":
            program.findings.add(code, f"{head[0]} cannot depend on does", span, label,
                                 f"{head[0]} must be known before anyone moves; remember the move with next")
        else:
            program.findings.add(code, f"{head[0]} should not depend on {target}", span, label,
                                 f"{head[0]} lists what is possible at all; it is a hint and not relied on")
