"""The simplest player."""

from __future__ import annotations

from ludorum.clock import NEVER, Deadline
from ludorum.move import Move
from ludorum.state import State


class Legal:
    """Always plays the first of its legal moves."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        return state.legal(role)[0]

    def __repr__(self) -> str:
        return "Legal()"
