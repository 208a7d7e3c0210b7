"""Text to games of Toss, with everything that is to be said about them."""

from __future__ import annotations

from ludorum.errors import InvalidRules
from ludorum.gdl.diagnostics import Diagnostic, Findings
from ludorum.gdl.source import Source
from ludorum.toss.checking import Signature, check_sheet
from ludorum.toss.diagnostics import CODES
from ludorum.toss.game import Definition, Edge, Game, Location, RewritingRule, Structure
from ludorum.toss.reader import read_sheet
from ludorum.toss.sheet import Sheet, WrittenLocation, WrittenRule, WrittenStructure


def parse(text: str, name: str = "<rules>") -> Game:
    """The game that a text in Toss describes; raises InvalidRules with all that was found if there is an error."""
    findings = Findings(Source(text, name), CODES)
    sheet = read_sheet(findings)
    signature = check_sheet(sheet, findings) if not findings.have_errors else None
    if findings.have_errors or signature is None:
        raise InvalidRules(findings.in_order())
    return _game(sheet, signature, findings)


def check(text: str, name: str = "<rules>") -> list[Diagnostic]:
    """Everything there is to say about a text in Toss, in its order. Never raises, whatever the text.

    What a translation would have to say, such as that a payoff is rounded, is not here: see `to_rules`.
    """
    try:
        return list(parse(text, name).diagnostics)
    except InvalidRules as invalid:
        return list(invalid.diagnostics)


def _game(sheet: Sheet, signature: Signature, findings: Findings) -> Game:
    return Game(
        players=tuple(player.name for player in sheet.players),
        definitions={written.name.name: Definition(written.name.name,
                                                   tuple(variable.name for variable in written.variables),
                                                   written.formula, written.name.span)
                     for written in sheet.definitions},
        rules={written.name.name: _rule(written) for written in sheet.rules},
        locations={written.name.name: _location(written) for written in sheet.locations},
        start=_structure(sheet.models[0]),
        first=(sheet.first or sheet.locations[0].name).name,
        arities=dict(signature.arities),
        source=findings.source,
        diagnostics=tuple(findings.in_order()),
    )


def _structure(written: WrittenStructure) -> Structure:
    def facts(is_optional: bool) -> frozenset[tuple[str, tuple[str, ...]]]:
        return frozenset((fact.relation.name, tuple(argument.name for argument in fact.args))
                         for fact in written.facts if fact.is_optional == is_optional)

    return Structure(tuple(element.name for element in written.elements), facts(False), facts(True))


def _rule(written: WrittenRule) -> RewritingRule:
    left, right = _structure(written.left), _structure(written.right)
    replaces = {new: new for new in right.elements if new in left.elements}
    replaces.update((new.name, old.name) for new, old in written.replaces)
    return RewritingRule(written.name.name, left, right, replaces,
                         frozenset(relation.name for relation in written.embedded), written.pre, written.post,
                         written.name.span)


def _location(written: WrittenLocation) -> Location:
    # Who has no moves only watches; a location where nobody moves belongs to the first who is named.
    mover = next((player for player, edges in zip(written.players, written.edges, strict=False) if edges),
                 written.players[0])
    edges = tuple(Edge(edge.rule.name, edge.to.name, edge.rule.span) for edges in written.edges for edge in edges)
    return Location(written.name.name, mover.name, {player.name: term for player, term in written.payoffs},
                    edges, written.name.span)
