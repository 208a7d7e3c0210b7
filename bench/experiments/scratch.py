"""A player that forgets, as programs did whose papers tell of a number of playouts a move."""

from __future__ import annotations

from ludorum import Move, State
from ludorum.clock import NEVER, Deadline
from ludorum.players import MCTS


class FromScratch(MCTS):
    """Monte-Carlo tree search that begins every move with an empty tree."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        self.finish()
        return super().move(state, role, deadline)
