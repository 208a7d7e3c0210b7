"""The relaxed program: which fluents and moves are possible at all, in clingo's language.

A fluent is possible if it is in `init` or heads a possible `next`, and a move if it heads a possible
`legal` of a role. Both are choices, so that grounding keeps every rule that holds in some state.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.asp.writing import write
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.dependencies import relevant
from ludorum.gdl.rulesheet import Rulesheet

CHOICES = """\
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- role(R), legal(R,M).
"""


def relaxed_program(clauses: Iterable[Clause]) -> str:
    """The clauses and the choices of fluents and moves."""
    return write(clauses) + CHOICES


def to_asp(rulesheet: Rulesheet) -> str:
    """A rulesheet as a logic program that clingo reads, with a note on what it means."""
    name = " ".join(rulesheet.source.name.split())
    return f"""\
% {name}: the relaxed game as an answer set program.
% The choices of true/1 and does/2 make up a state and the moves made in it;
% legal/2, next/1, goal/2, terminal/0 and sees/2 follow from them.
{relaxed_program(relevant(flatten(rulesheet)))}"""
