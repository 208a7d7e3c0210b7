"""What people are told while a match goes on."""

from __future__ import annotations

from collections.abc import Callable

from ludorum.game import Move, Role, State
from ludorum.joint import choosers


class Commentary:
    """Has every state shown, with the moves that led there in words; those of roles that had no choice are left out."""

    def __init__(self, show: Callable[[State, str], None]) -> None:
        self._show = show
        self._deciding: list[Role] = []

    def __call__(self, state: State, joint: dict[Role, Move]) -> None:
        self._show(state, ", ".join(f"{role} plays {joint[role]}" for role in self._deciding or joint))
        self._deciding = choosers(state)
