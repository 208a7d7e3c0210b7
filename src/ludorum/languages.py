"""The languages that games are written in: GDL in its two syntaxes, Toss, and markets. All become rulesheets."""

from __future__ import annotations

from ludorum import gdl, market, toss
from ludorum.errors import InvalidRules
from ludorum.gdl import Diagnostic, Rulesheet, Source


def parse(source: Source) -> Rulesheet:
    """The rules that a text describes, in the language it seems to be written in; raises InvalidRules."""
    if toss.is_toss(source.text):
        return toss.to_rules(toss.parse(source.text, source.name))
    if market.is_market(source):
        return market.to_rules(market.parse(source))
    return gdl.parse(source.text, source.name)


def read(source: Source) -> Rulesheet:
    """The rules of a text that need not be a whole game: of GDL only its syntax is checked."""
    return parse(source) if is_translated(source) else gdl.read(source.text, source.name)


def check(source: Source) -> list[Diagnostic]:
    """Everything there is to say about a text, in its order. Never raises, whatever the text."""
    if not is_translated(source):
        return gdl.check(source.text, source.name)
    try:
        return list(parse(source).diagnostics)
    except InvalidRules as invalid:
        return list(invalid.diagnostics)


def is_translated(source: Source) -> bool:
    """Whether a text is in a language that becomes GDL only by translation."""
    return toss.is_toss(source.text) or market.is_market(source)
