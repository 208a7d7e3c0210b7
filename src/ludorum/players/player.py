"""What it takes to be a player."""

from __future__ import annotations

from typing import Protocol

from ludorum.move import Move
from ludorum.state import State


class Player(Protocol):
    def move(self, state: State, role: str) -> Move:
        """A legal move for the role; the state is not terminal and the role has at least one."""
