"""Moves and roles: terms with the manners of the people who play."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.errors import InvalidTerm
from ludorum.gdl import parse_term
from ludorum.gdl.terms import Term


class Role(str):
    """The name of a player in a game: a string, so that it is as good a key as one."""

    __slots__ = ()


class Move:
    """What a role does in a turn: a ground term.

    >>> Move("(mark 2 2)")
    Move('(mark 2 2)')
    >>> print(Move("(MARK 2 2)"))
    (mark 2 2)
    """

    __slots__ = ("_term",)

    def __init__(self, term: str | Term | Move) -> None:
        self._term = as_term(term)

    @property
    def term(self) -> Term:
        return self._term

    def __eq__(self, other: object) -> bool:
        return self._term == other._term if isinstance(other, Move) else NotImplemented

    def __lt__(self, other: Move) -> bool:
        return str(self) < str(other)

    def __hash__(self) -> int:
        return hash(self._term)

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    def __str__(self) -> str:
        return str(self._term)


#: Wherever a move is asked for, any of these will do.
MoveLike = Move | Term | str


def as_term(term: MoveLike) -> Term:
    """The term meant by a move, a term or a text in KIF; raises InvalidTerm for any other text."""
    if isinstance(term, Term):
        return term
    if isinstance(term, Move):
        return term.term
    if isinstance(term, str):
        return parse_term(term)
    raise TypeError(f"a move is a Move, a Term or a text, not {term!r}")


def as_terms(terms: str | Iterable[MoveLike]) -> tuple[Term, ...]:
    """The terms in a text, or meant by each of a series."""
    if not isinstance(terms, str):
        return tuple(map(as_term, terms))
    try:
        # A first element, in case there is no other; a newline, in case the text ends in a comment.
        listed = parse_term(f"(list list {terms}\n)")
    except InvalidTerm as error:
        raise InvalidTerm(f"{terms!r} is no series of terms") from error
    return tuple(argument for argument in listed.args[1:] if isinstance(argument, Term))
