"""Conditions that can never hold, fluents that nobody asks for, and roles that are left out."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ludorum.gdl.check.possible import Possible, Symbol, bounds_of, symbol
from ludorum.gdl.check.rule_index import Occurrence, RuleIndex, Signature, signature
from ludorum.gdl.graph import closure
from ludorum.gdl.guards import ROLE, Position, roots
from ludorum.gdl.natural import natural
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Term
from ludorum.gdl.words import CONNECTIVES, HINTS, KEYWORDS, RANDOM

_FLUENT: Position = ("relation", "true", 1, 0)
_MOVE: Position = ("relation", "legal", 2, 1)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
# More values than that are not worth listing.
_MOST_VALUES = 8
# Comparing names is slow; in a text with more impossible conditions than this, they are not slips of the pen.
_MOST_SUGGESTIONS = 10


def check_possibility(program: RuleIndex) -> None:
    possible = Possible(program.rules)
    _Conditions(program, possible).check()
    _check_fluents(program)
    _check_roles(program, possible)


class _Conditions:
    """Looks in conditions for what no rule gives."""

    def __init__(self, program: RuleIndex, possible: Possible) -> None:
        self.program = program
        self.possible = possible
        self.reported: set[tuple[Position, Symbol]] = set()
        self.defined = {name for name, _ in program.definitions} | {"true", "does", "next"}

    def check(self) -> None:
        for occurrence in self.program.occurrences:
            atom = occurrence.atom
            # What no rule defines at all is another matter, and hints matter to nobody.
            if atom.name in self.defined and atom.name != "distinct" and occurrence.rule.head.name not in HINTS:
                self._check_atom(occurrence)

    def _check_atom(self, occurrence: Occurrence) -> None:
        stack = roots(occurrence.atom)
        while stack:
            position, value = stack.pop()
            # Whoever is named there is a role, or else that is said already.
            if not isinstance(value, Term) or position == ROLE:
                continue
            allowed = self.possible.of(position)
            if allowed is None or symbol(value) in allowed:
                stack.extend((("function", value.name, len(value.args), i), inner)
                             for i, inner in enumerate(value.args))
            elif (position, symbol(value)) not in self.reported and not self._is_known(value, allowed):
                self.reported.add((position, symbol(value)))
                self._report(occurrence, position, value, allowed)

    def _is_known(self, value: Term, allowed: frozenset[Symbol]) -> bool:
        """Whether another check has said what is wrong: a number of arguments, or a keyword for a fluent."""
        is_keyword = value.name in CONNECTIVES or value.name in KEYWORDS
        return bool(value.args) and (is_keyword or any(name == value.name and arity for name, arity in allowed))

    def _report(self, occurrence: Occurrence, position: Position, value: Term, allowed: frozenset[Symbol]) -> None:
        label = "never holds, so its negation always does" if occurrence.negated else "never holds"
        if position == _FLUENT:
            code, message = "undefined-fluent", f"no init and no next gives the fluent {value.name}"
        elif position == _MOVE:
            code, message = "undefined-move", f"no move {value.name} is ever legal"
        else:
            _, name, _, number = position
            ordinal = _ORDINALS[number] if number < len(_ORDINALS) else f"{number + 1}th"
            code, message = "impossible-value", f"the {ordinal} argument of {name} is never {self.program.show(value)}"
        self.program.findings.add(code, message, value.span, label, self._help(value, allowed))

    def _help(self, value: Term, allowed: frozenset[Symbol]) -> str:
        names = sorted({name for name, _ in allowed}, key=natural)
        if len(self.reported) <= _MOST_SUGGESTIONS:
            similar = get_close_matches(value.name, names, n=1, cutoff=0.75)
            if similar:
                return f"did you mean {similar[0]}?"
        if not 0 < len(names) <= _MOST_VALUES:
            return ""
        *rest, last = names
        return f"it can be {', '.join(rest)} or {last}" if rest else f"it can only be {last}"


def _check_fluents(program: RuleIndex) -> None:
    """Fluents on which no move, no goal, no percept and no end depends, however indirectly."""
    graph: dict[Signature, set[Signature]] = {}
    for rule in program.rules:
        graph.setdefault(_node(rule.head), set())
    for occurrence in program.occurrences:
        graph[_node(occurrence.rule.head)].add(_node(occurrence.atom))
    used = closure([("legal", 2), ("goal", 2), ("sees", 2), ("terminal", 0)], graph)
    if _ANY in graph or _ANY in used:
        return
    unused: dict[Signature, list[Rule]] = {}
    for rule in program.rules:
        if rule.head.name in ("init", "next") and _node(rule.head) not in used:
            unused.setdefault(_node(rule.head), []).append(rule)
    for rules in unused.values():
        # What only tells what was just played is there for those who watch.
        if not all(_tells_a_move(rule) for rule in rules):
            fluent, = rules[0].head.args
            assert isinstance(fluent, Term)
            program.findings.add("unused-fluent", f"nothing in the game depends on the fluent {fluent.name}",
                                 fluent.span, "no legal move, no goal, no percept and no end")


def _tells_a_move(rule: Rule) -> bool:
    conditions = [formula for formula in rule.body if isinstance(formula, Term)]
    return (any(condition.name == "does" for condition in conditions)
            and all(_node(condition) != _node(rule.head) for condition in conditions))


# A variable that stands for a whole fluent: whatever there is.
_ANY: Signature = ("fluent ?", 0)


def _node(atom: Term) -> Signature:
    """The relation of an atom, or its fluent."""
    if atom.name in ("init", "true", "next") and len(atom.args) == 1:
        fluent = atom.args[0]
        return (f"fluent {fluent.name}", len(fluent.args)) if isinstance(fluent, Term) else _ANY
    return signature(atom)


def _check_roles(program: RuleIndex, possible: Possible) -> None:
    for role in _roles(program):
        if not _may_head(program, possible, "legal", role):
            program.findings.add("role-without-moves", f"no rule ever gives {role.name} a legal move", role.span,
                                 "play stops where a role has no move",
                                 f"give it a move to pass, such as {program.show(Term('legal', (role, Term('noop'))))}")
        if role.name != RANDOM and not _may_head(program, possible, "goal", role):
            program.findings.add("role-without-goals", f"no rule ever gives {role.name} a goal", role.span)


def _roles(program: RuleIndex) -> Iterable[Term]:
    heads = (rule.head.args[0] for rule in program.definitions.get(("role", 1), []))
    return dict.fromkeys(role for role in heads if isinstance(role, Term))


def _may_head(program: RuleIndex, possible: Possible, relation: str, role: Term) -> bool:
    """Whether some rule can derive the relation for this role. Without any, that is said already."""
    rules = program.definitions.get((relation, 2), [])
    for rule in rules:
        who = rule.head.args[0]
        if isinstance(who, Term):
            if who == role:
                return True
        else:
            values = possible.common(bounds_of(rule.body).get(who.name, ()))
            if values is None or symbol(role) in values:
                return True
    return not rules
