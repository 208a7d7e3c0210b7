"""What every engine can answer.

A reasoner's states are opaque: hashable values that only the reasoner that made them understands. Roles and moves
go by position: a joint move is a tuple with one move a role, in the order of `roles`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol

from ludorum.gdl.terms import Term

Position = Hashable


class Reasoner(Protocol):
    """The contract of an engine: initial, legal, after, terminal, goals, percepts.

    Requires: `after` and `percepts` get one legal move a role and a position that is not terminal; `Game` checks.
    """

    @property
    def name(self) -> str: ...  # "circuit", "reference", …

    @property
    def roles(self) -> tuple[Term, ...]: ...

    @property
    def initial(self) -> Position: ...

    def position(self, fluents: Iterable[Term]) -> Position:
        """The position where exactly these fluents hold; raises UnknownFluent for one that cannot."""

    def fluents(self, position: Position) -> frozenset[Term]: ...

    def legal(self, position: Position) -> tuple[tuple[Term, ...], ...]:
        """For every role its legal moves, sorted by their text."""

    def is_terminal(self, position: Position) -> bool: ...

    def goals(self, position: Position) -> tuple[int | None, ...]:
        """For every role its goal value if exactly one holds, else None."""

    def after(self, position: Position, joint: Sequence[Term]) -> Position: ...

    def percepts(self, position: Position, joint: Sequence[Term]) -> tuple[frozenset[Term], ...]:
        """For every role what it is told after this joint move (GDL-II)."""
