"""The player that others are measured against."""

from __future__ import annotations

import random

from ludorum.clock import NEVER, Deadline
from ludorum.move import Move
from ludorum.state import State


class Random:
    """Plays any of its legal moves, each as likely as the others; the same seed makes the same choices."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._random = random.Random(seed)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        return self._random.choice(state.legal(role))

    def __repr__(self) -> str:
        return "Random()" if self._seed is None else f"Random(seed={self._seed})"
