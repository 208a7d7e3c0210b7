"""Games by the thousand with the names of PGX: `state = env.init(n)`, `state = env.step(state, action)`.

States here are views of one batch in the core, which a step changes: keep copies of what should stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.engines.batch import CUT
from ludorum.envs.encoding import Encoding, Layout
from ludorum.envs.episode import MAX_STEPS, fresh_seed
from ludorum.errors import LudorumError
from ludorum.game import Game


@dataclass(frozen=True)
class State:
    """What all games of a batch show: arrays with a row a game."""

    #: The agent that has a choice, −1 where nobody has.
    current_player: NDArray[np.int64]
    observation: NDArray[np.uint8]
    #: [games, agents], from −1 to 1, at the end of a match.
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    #: [games, most moves of an agent]: what the current player may do.
    legal_action_mask: NDArray[np.bool_]


class Env:
    """Turn-taking games side by side: the agent with a choice acts, forced moves and chance are made at once.

    A match that is over begins anew with the next step if `auto_reset` says so, else it stays as it is.
    """

    def __init__(self, game: Game | str, *, layout: Layout = "flat", max_steps: int = MAX_STEPS, threads: int = 1,
                 auto_reset: bool = False) -> None:
        self.encoding = Encoding.of(game, layout)
        if self.encoding.has_secrets:
            raise LudorumError(f"{self.encoding.game.name} has secrets or chance, which this environment would tell")
        self._max_steps, self._threads, self._auto_reset = max_steps, threads, auto_reset
        self.num_players = len(self.encoding.agents)
        self.num_actions = max(len(self.encoding.moves[agent]) for agent in self.encoding.agents)

    def init(self, n: int, seed: int | None = None) -> State:
        """n matches at their beginning."""
        self._batch = self.encoding.game.batch(n, max_steps=self._max_steps, threads=self._threads)
        self._batch.seed(fresh_seed() if seed is None else seed)
        return self._state(self._pass_time(np.ones(n, dtype=bool)))

    def step(self, state: State, action: NDArray[np.integer]) -> State:
        """The matches after an action of each current player; raises IllegalMove and changes nothing then."""
        batch = self._batch
        over = batch.is_over
        joint = batch.sample(~over)
        games = np.flatnonzero(~over)
        joint[games, state.current_player[games]] = np.asarray(action)[games]
        batch.step(joint, ~over)
        if self._auto_reset:
            batch.reset(over)
        return self._state(self._pass_time(~batch.is_over))

    def _pass_time(self, games: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Make the steps where nobody has a choice; then who has one, bool [games, agents]."""
        batch = self._batch
        while True:
            choosers = batch.choosers
            waiting = games & ~batch.is_over & ~choosers.any(axis=1)
            if not waiting.any():
                break
            batch.step(batch.sample(waiting), waiting)
        if (choosers.sum(axis=1) > 1).any():
            raise LudorumError(f"roles of {self.encoding.game.name} choose at the same time, but here they take turns")
        return choosers

    def _state(self, choosers: NDArray[np.bool_]) -> State:
        batch = self._batch
        over = batch.is_over
        player = np.where(over | ~choosers.any(axis=1), -1, choosers.argmax(axis=1))
        mask = np.zeros((len(batch), self.num_actions), dtype=np.uint8)
        for agent in range(self.num_players):
            mine = player == agent
            if mine.any():
                moves = len(self.encoding.moves[self.encoding.agents[agent]])
                legal = batch.write_legal(np.empty((len(batch), moves), dtype=np.uint8), agent)
                mask[mine, :moves] = legal[mine]
        rewards = np.zeros((len(batch), self.num_players), dtype=np.float32)
        if over.any():
            goals = np.maximum(batch.goals[over], 0)
            rewards[over] = goals / 100 if self.num_players == 1 else (goals - 50) / 50
        truncated = batch.standings == CUT
        return State(player, self.encoding.observe(batch.fluent_bytes), rewards, over & ~truncated, truncated,
                     mask.view(np.bool_))
