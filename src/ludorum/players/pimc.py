"""A player that searches states that may be the true one, each as if all saw it, and goes by the mean.

In the literature: perfect-information Monte Carlo (Ginsberg 2001; Long et al. 2010), by values instead of votes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.players.clocks import Clocks
from ludorum.players.mcts import MCTS
from ludorum.players.mcts_playing import MCTSPlaying
from ludorum.players.player import MovesOnce

if TYPE_CHECKING:
    from ludorum.game import Game


class PIMC(MovesOnce):
    """Shows `MCTS` some of the states that are possible, and plays the move whose mean is the highest.

    States count by their weights and share the time: `seconds`, but never past the deadline.
    """

    def __init__(self, seconds: float | None = 1.0, *, seed: int | None = None) -> None:
        self._mcts = MCTS(seconds, seed=seed)
        self.seconds = seconds
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> MCTSPlaying:
        return self._mcts.join(game, role, clocks)

    def __repr__(self) -> str:
        return f"PIMC(seconds={self.seconds}, seed={self.seed})"
