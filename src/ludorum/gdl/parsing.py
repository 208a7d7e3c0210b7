"""Text to rules, with everything that is to be said about them."""

from __future__ import annotations

from ludorum.errors import InvalidRules, InvalidTerm
from ludorum.gdl.check import check_rules
from ludorum.gdl.diagnostics import Diagnostic, Findings
from ludorum.gdl.infix import read_infix
from ludorum.gdl.kif import read_expressions, read_kif
from ludorum.gdl.printing import to_kif
from ludorum.gdl.recognition import recognise
from ludorum.gdl.rulesheet import Rule, Rulesheet
from ludorum.gdl.source import Source, Syntax
from ludorum.gdl.terms import Term, Variable, variables


def parse(text: str, name: str = "<rules>", *, syntax: Syntax | None = None) -> Rulesheet:
    """The rules of a text, checked; raises InvalidRules with all that was found if there is an error.

    The syntax is recognised unless it is given. Warnings travel with the rulesheet as its `diagnostics`.
    """
    rules, findings = _read(text, name, syntax)
    check_rules(rules, findings)
    return _rulesheet(rules, findings)


def read(text: str, name: str = "<rules>", *, syntax: Syntax | None = None) -> Rulesheet:
    """The rules of a text that need not be a whole game: only its syntax is checked."""
    return _rulesheet(*_read(text, name, syntax))


def check(rules: str | Rulesheet, name: str = "<rules>", *, syntax: Syntax | None = None) -> list[Diagnostic]:
    """Everything there is to say about the text of rules, in its order. Never raises, whatever the text.

    A rulesheet is checked by the text it was read from; one made by a program, as it would be printed.
    """
    if isinstance(rules, Rulesheet):
        source = rules.source
        return check(source.text or to_kif(rules), source.name, syntax=source.syntax)
    found, findings = _read(rules, name, syntax)
    check_rules(found, findings)
    return findings.in_order()


def parse_term(text: str) -> Term:
    """The ground term that a text in KIF denotes; raises InvalidTerm for any other text."""
    findings = Findings(Source(text, "<term>"))
    expressions = read_expressions(findings)
    shown = repr(text if len(text) <= 80 else text[:79] + "…")
    if findings.diagnostics:
        raise InvalidTerm(f"{shown} is no term: {findings.diagnostics[0].message}")
    if len(expressions) != 1:
        raise InvalidTerm(f"{shown} is not one term but {len(expressions)}")
    term = expressions[0]
    if isinstance(term, Variable) or any(True for _ in variables(term)):
        raise InvalidTerm(f"{shown} has variables, but a ground term was expected")
    return term


def _read(text: str, name: str, syntax: Syntax | None) -> tuple[list[Rule], Findings]:
    findings = Findings(Source(text, name, syntax or recognise(text)))
    reader = read_kif if findings.source.syntax == "kif" else read_infix
    return reader(findings), findings


def _rulesheet(rules: list[Rule], findings: Findings) -> Rulesheet:
    diagnostics = tuple(findings.in_order())
    if findings.have_errors:
        raise InvalidRules(diagnostics)
    return Rulesheet(tuple(rules), findings.source, diagnostics)
