"""What a role knows of a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludorum.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Turn:
    """The moves of the roles, None where unknown, and the percepts of one of them, None if moves were told instead."""

    seat: int
    moves: tuple[Term | None, ...]
    percepts: frozenset[Term] | None

    @property
    def without_percepts(self) -> Turn:
        return replace(self, percepts=None)
