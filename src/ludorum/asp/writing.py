"""Clauses in clingo's language."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.asp.encoding import encode, encode_atom
from ludorum.gdl.clauses import Clause


def write_clause(clause: Clause) -> str:
    """A clause in clingo's language."""
    body = [*map(encode_atom, clause.positive), *(f"not {encode_atom(atom)}" for atom in clause.negative),
            *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]
    return f"{encode_atom(clause.head)} :- {', '.join(body)}." if body else f"{encode_atom(clause.head)}."


def write(clauses: Iterable[Clause]) -> str:
    """Clauses in clingo's language, one a line."""
    return "".join(f"{write_clause(clause)}\n" for clause in clauses)
