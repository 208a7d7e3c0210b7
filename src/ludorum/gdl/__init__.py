"""Text to rules and back: readers, printers, diagnostics, scrambling."""

from __future__ import annotations

from ludorum.errors import InvalidRules, InvalidTerm
from ludorum.gdl.diagnostics import Diagnostic, has_errors
from ludorum.gdl.kif import KifReader
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Rulesheet, Source
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables

__all__ = [
    "And", "Argument", "Diagnostic", "Formula", "Not", "Or", "Rule", "Rulesheet", "Source", "Span", "Term",
    "Variable", "parse", "parse_term", "read_kif", "variables",
]


def read_kif(source: Source) -> Rulesheet:
    reader = KifReader(source)
    reader.read()
    if has_errors(reader.diagnostics):
        raise InvalidRules(reader.diagnostics)
    return Rulesheet(tuple(reader.rules), source)


def parse(text: str, name: str = "<rules>") -> Rulesheet:
    """The rules of a text; raises InvalidRules with every diagnostic if it has errors."""
    return read_kif(Source(text, name))


def parse_term(text: str) -> Term:
    """The ground term that a text in KIF denotes; raises InvalidTerm for any other text."""
    reader = KifReader(Source(text, "<term>"))
    statements = reader.statements()
    if reader.diagnostics:
        raise InvalidTerm(f"{text!r} is no term: {reader.diagnostics[0].message}")
    if len(statements) != 1:
        raise InvalidTerm(f"{text!r} is not one term but {len(statements)}")
    term = statements[0]
    if isinstance(term, Variable) or any(True for _ in variables(term)):
        raise InvalidTerm(f"{text!r} has variables, but a ground term was expected")
    return term
