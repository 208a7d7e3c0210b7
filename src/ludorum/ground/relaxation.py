"""The relaxed program: which fluents and moves are possible at all, in clingo's language.

A fluent is possible if it is in `init` or heads a possible `next`, and a move if it heads a possible
`legal` of a role. Both are choices, so that grounding keeps every rule that holds in some state.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.ground.dependencies import relevant
from ludorum.ground.encoding import encode, encode_atom

CHOICES = """\
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- role(R), legal(R,M).
"""


def write_clause(clause: Clause) -> str:
    """A clause in clingo's language."""
    body = [*map(encode_atom, clause.positive), *(f"not {encode_atom(atom)}" for atom in clause.negative),
            *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]
    return f"{encode_atom(clause.head)} :- {', '.join(body)}." if body else f"{encode_atom(clause.head)}."


def write(clauses: Iterable[Clause]) -> str:
    """Clauses in clingo's language, one a line."""
    return "".join(f"{write_clause(clause)}\n" for clause in clauses)


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
