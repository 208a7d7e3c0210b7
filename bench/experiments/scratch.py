"""A player that forgets, as programs did whose papers tell of a number of playouts a move."""

from __future__ import annotations

from ludorum import Game, Move, State
from ludorum.clock import NEVER, Deadline
from ludorum.players import MCTS, Clocks
from ludorum.players.mcts_playing import MCTSPlaying


class FromScratch(MCTS):
    """Monte-Carlo tree search that begins every move with an empty tree."""

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> MCTSPlaying:
        return _Forgetting(self, game, game.role(role))


class _Forgetting(MCTSPlaying):
    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        self.finish()
        return super().move(state, deadline)
