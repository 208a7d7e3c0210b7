"""What is wrong or doubtful in a game that could be read: names, arguments, definitions, locations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.terms import Span
from ludorum.toss.formulas import (
    Atom,
    Formula,
    Less,
    Node,
    Not,
    Real,
    atoms,
    free,
    negation_normal,
    relations_of,
    walk,
)
from ludorum.toss.sheet import Named, Sheet, WrittenLocation, WrittenRule, WrittenStructure


@dataclass(slots=True)
class Signature:
    """The relations of a game: how many arguments each has, and where that is said first."""

    arities: dict[str, int] = field(default_factory=dict)
    first: dict[str, Span] = field(default_factory=dict)


def check_sheet(sheet: Sheet, findings: Findings) -> Signature:
    """Reports everything there is to say; the relations of the game, for whoever builds it."""
    _check_whole(sheet, findings)
    _check_duplicates(sheet, findings)
    signature = _signature(sheet, findings)
    defined = {definition.name.name for definition in sheet.definitions}
    known = defined | _stated(sheet)
    for definition in sheet.definitions:
        variables = {variable.name for variable in definition.variables}
        _check_node(definition.formula, known, variables, definition.name.span, findings,
                    f"it is no argument of {definition.name.name}")
    for rule in sheet.rules:
        _check_rule(rule, known, defined, findings)
    for location in sheet.locations:
        for player, term in location.payoffs:
            _check_node(term, known, set(), player.span, findings, "a payoff is about no element in particular")
        _check_location(location, sheet, findings)
    for model in sheet.models:
        _check_structure(model, defined, known, findings, "the starting structure")
    _check_undeclared(sheet, findings)
    _check_recursion(sheet, findings)
    _check_use(sheet, findings)
    return signature


def _check_whole(sheet: Sheet, findings: Findings) -> None:
    end = Span(len(findings.source.text.rstrip()), len(findings.source.text.rstrip()))
    for what, there, example in (("players", sheet.players, "PLAYERS white, black"),
                                 ("locations", sheet.locations, "LOC 0 { PLAYER white PAYOFF { … } MOVES … }"),
                                 ("starting structure", sheet.models, 'MODEL [ | | ] "…"')):
        if not there:
            findings.add("toss-missing", f"the game has no {what}", end, help=f"add {example}")
    if sheet.first is not None:
        _known(sheet.first, {location.name.name for location in sheet.locations}, "toss-unknown-location",
               "location", findings)


def _check_duplicates(sheet: Sheet, findings: Findings) -> None:
    kinds: list[tuple[str, list[Named]]] = [
        ("player", sheet.players), ("relation", [definition.name for definition in sheet.definitions]),
        ("rule", [rule.name for rule in sheet.rules]), ("location", [location.name for location in sheet.locations])]
    structures = [*sheet.models, *(side for rule in sheet.rules for side in (rule.left, rule.right))]
    kinds += [("element", structure.elements) for structure in structures]
    kinds += [("argument", list(definition.variables)) for definition in sheet.definitions]
    for what, names in kinds:
        seen: set[str] = set()
        for named in names:
            if named.name in seen:
                findings.add("toss-duplicate", f"{named.name} is the name of two {what}s", named.span,
                             "this is the second", "give it another name")
            seen.add(named.name)
    for again in sheet.models[1:]:
        findings.add("toss-duplicate", "there is a second starting structure", again.span,
                     help="a game has one MODEL or START")


def _signature(sheet: Sheet, findings: Findings) -> Signature:
    signature = Signature()

    def note(relation: str, arity: int, span: Span) -> None:
        known = signature.arities.setdefault(relation, arity)
        first = signature.first.setdefault(relation, span)
        if known != arity:
            line = findings.source.position(first.start)[0]
            findings.add("toss-arity", f"{relation} has {arity} arguments here and {known} in line {line}", span,
                         help="a relation has the same number of arguments everywhere")

    for definition in sheet.definitions:
        note(definition.name.name, len(definition.variables), definition.name.span)
    for structure in [*sheet.models, *(side for rule in sheet.rules for side in (rule.left, rule.right))]:
        for relation, arity in structure.declared:
            note(relation.name, arity, relation.span)
        for fact in structure.facts:
            note(fact.relation.name, len(fact.args), fact.relation.span)
    for node in _nodes(sheet):
        for atom in atoms(node):
            note(atom.relation, len(atom.args), atom.span or Span(0, 0))
    return signature


def _nodes(sheet: Sheet) -> Iterator[Node]:
    """Every formula and term of a game."""
    for definition in sheet.definitions:
        yield definition.formula
    for rule in sheet.rules:
        yield from (rule.pre, rule.post)
    for location in sheet.locations:
        yield from (term for _, term in location.payoffs)


def _stated(sheet: Sheet) -> set[str]:
    """The relations that the start has or declares, or that a rule can make hold."""
    found = {relation.name for model in sheet.models for relation, _ in model.declared}
    found |= {relation.name for rule in sheet.rules for side in (rule.left, rule.right)
              for relation, _ in side.declared}
    found |= {fact.relation.name for model in sheet.models for fact in model.facts}
    return found | {fact.relation.name for rule in sheet.rules for fact in rule.right.facts}


def _known(named: Named, known: Iterable[str], code: str, what: str, findings: Findings) -> bool:
    """Whether a name is known; if it is not, that is reported with the names that come close."""
    known = sorted(known)
    if named.name in known:
        return True
    close = get_close_matches(named.name, known, n=3)
    meant = f"did you mean {' or '.join(close)}?" if close else (
        f"there are {', '.join(known[:12])}" if known else f"there is no {what} at all")
    findings.add(code, f"there is no {what} {named.name}", named.span, help=meant)
    return False


def _check_node(node: Formula | Real, known: set[str], variables: set[str], place: Span, findings: Findings,
                why: str) -> None:
    for atom in atoms(node):
        _known(Named(atom.relation, atom.span or place), known, "toss-unknown-relation", "relation", findings)
    for name in sorted(free(node) - variables):
        span = next((item.span for item in walk(node) if isinstance(item, Atom) and name in item.args), None)
        findings.add("toss-free-variable", f"{name} is bound by no quantifier", span or place, why,
                     f"write ex {name} (…) or all {name} (…) around it")


def _check_structure(structure: WrittenStructure, defined: set[str], known: set[str], findings: Findings,
                     where: str, *, may_be_defined: bool = False) -> None:
    elements = {element.name for element in structure.elements}
    for fact in structure.facts:
        if fact.relation.name in defined and not may_be_defined:
            findings.add("toss-defined-relation", f"{fact.relation.name} is defined and cannot be stated in {where}",
                         fact.relation.span, "a definition says when it holds",
                         "state the relations that it is defined by")
        for argument in fact.args:
            _known(argument, elements, "toss-unknown-element", "element", findings)


def _check_rule(rule: WrittenRule, known: set[str], defined: set[str], findings: Findings) -> None:
    name = rule.name.name
    _check_structure(rule.left, defined, known, findings, "a left side", may_be_defined=True)
    _check_structure(rule.right, defined, known, findings, "a right side")
    for fact in rule.left.facts:
        _known(fact.relation, known, "toss-unknown-relation", "relation", findings)
    for fact in rule.right.facts:
        if fact.is_optional:
            findings.add("toss-unexpected", "only a left side can have optional tuples", fact.relation.span)
    for relation in rule.embedded:
        _known(relation, known, "toss-unknown-relation", "relation", findings)
    left = {element.name for element in rule.left.elements}
    right = {element.name for element in rule.right.elements}
    for new, old in rule.replaces:
        _known(new, right, "toss-unknown-element", "element", findings)
        _known(old, left, "toss-unknown-element", "element", findings)
    _check_node(rule.pre, known, left, rule.name.span, findings, f"it is no element of the left side of {name}")
    _check_node(rule.post, known, right, rule.name.span, findings, f"it is no element of the right side of {name}")


def _check_location(location: WrittenLocation, sheet: Sheet, findings: Findings) -> None:
    players = {player.name for player in sheet.players}
    for player in location.players:
        _known(player, players, "toss-unknown-player", "player", findings)
    movers = [player for player, edges in zip(location.players, location.edges, strict=False) if edges]
    if len(movers) > 1:
        findings.add("toss-several-movers", f"{movers[0].name} and {movers[1].name} both have moves here",
                     movers[1].span, "two players would move at once", "give each a location of its own")
    if not location.players:
        findings.add("toss-missing", f"location {location.name.name} has no player", location.name.span,
                     help="add PLAYER and a name")
    paid = {player.name for player, _ in location.payoffs}
    for player, _ in location.payoffs:
        _known(player, players, "toss-unknown-player", "player", findings)
    for missing in sorted(players - paid):
        findings.add("toss-missing-payoff", f"location {location.name.name} has no payoff for {missing}",
                     location.name.span, "the play may end here", f"add {missing}: 0 to PAYOFF")
    rules, places = {rule.name.name for rule in sheet.rules}, {other.name.name for other in sheet.locations}
    for edges in location.edges:
        for edge in edges:
            _known(edge.rule, rules, "toss-unknown-rule", "rule", findings)
            _known(edge.to, places, "toss-unknown-location", "location", findings)


def _check_undeclared(sheet: Sheet, findings: Findings) -> None:
    if not sheet.models:
        return
    declared = {relation.name for model in sheet.models for relation, _ in model.declared}
    declared |= {fact.relation.name for model in sheet.models for fact in model.facts if not fact.is_mark}
    mentioned = set().union(*map(relations_of, _nodes(sheet))) | {
        fact.relation.name for rule in sheet.rules for side in (rule.left, rule.right) for fact in side.facts}
    told: set[str] = set()
    for model in sheet.models:
        for fact in model.facts:
            name = fact.relation.name
            if fact.is_mark and name not in declared | mentioned | told:
                told.add(name)
                findings.add("toss-unknown-mark", f"no rule and no formula mentions the mark {name}",
                             fact.relation.span, help=f"declare it by {name}:1 {{}} if it is meant")
    defined = {definition.name.name for definition in sheet.definitions}
    marks = {fact.relation.name for model in sheet.models for fact in model.facts if fact.is_mark}
    for rule in sheet.rules:
        for fact in rule.right.facts:
            name = fact.relation.name
            if name not in declared | marks | told | defined:
                told.add(name)
                findings.add("toss-undeclared-relation", f"{name} is not in the starting structure",
                             fact.relation.span, "it holds of nothing at first",
                             f"declare it there by {name}:{len(fact.args)} {{}}")


def _check_recursion(sheet: Sheet, findings: Findings) -> None:
    """A definition may depend on itself, but not on its own negation: no smallest relation need satisfy it then."""
    uses = {definition.name.name: relations_of(definition.formula) for definition in sheet.definitions}
    for definition in sheet.definitions:
        name = definition.name.name
        for atom in _negative(definition.formula):
            if atom.relation in uses and name in _reached(atom.relation, uses):
                findings.add("toss-negative-recursion", f"{name} depends on its own negation", atom.span,
                             f"here {atom.relation} is negated, counted or compared",
                             "a relation may name itself, but not under not, all … or in a number")
                break


def _negative(formula: Formula) -> Iterator[Atom]:
    """The atoms that a formula denies, or counts."""
    for item in walk(negation_normal(formula)):
        if isinstance(item, Not) and isinstance(item.formula, Atom):
            yield item.formula
        elif isinstance(item, Less):
            yield from atoms(item)


def _reached(name: str, uses: dict[str, set[str]]) -> set[str]:
    """What a relation depends on, itself included."""
    found, stack = {name}, [name]
    while stack:
        for used in uses.get(stack.pop(), set()) - found:
            found.add(used)
            stack.append(used)
    return found


def _check_use(sheet: Sheet, findings: Findings) -> None:
    used = {edge.rule.name for location in sheet.locations for edges in location.edges for edge in edges}
    for rule in sheet.rules:
        if rule.name.name not in used:
            findings.add("toss-unused-rule", f"the rule {rule.name.name} is on no edge", rule.name.span,
                         "no location has it as a move", f"add [{rule.name.name} -> location] to MOVES")
