"""Text to rules and back: readers, printers, diagnostics, scrambling."""

from __future__ import annotations

from ludorum.gdl.diagnostics import Diagnostic
from ludorum.gdl.parsing import check, parse, parse_term, read
from ludorum.gdl.printing import to_infix, to_kif
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Rulesheet, Source
from ludorum.gdl.scrambling import scramble
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables

__all__ = [
    "And", "Argument", "Diagnostic", "Formula", "Not", "Or", "Rule", "Rulesheet", "Source", "Span", "Term",
    "Variable", "check", "parse", "parse_term", "read", "scramble", "to_infix", "to_kif", "variables",
]
