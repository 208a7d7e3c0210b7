"""What people are told while a match goes on."""

from __future__ import annotations

from collections.abc import Callable

from ludorum.game import Move, Role, State


class Commentary:
    """Has every state shown, with the moves that led there in words; those of roles that had no choice are left out."""

    def __init__(self, show: Callable[[State, str], None]) -> None:
        self._show = show
        self._deciding: tuple[Role, ...] = ()

    def __call__(self, state: State, joint: dict[str, Move]) -> None:
        # Nothing led to the first state, nor to one that was gone back to.
        who = (self._deciding or joint) if joint else ()
        self._show(state, ", ".join(f"{role} plays {joint[role]}" for role in who))
        self._deciding = state.choosers
