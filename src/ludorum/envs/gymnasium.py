"""Games as Gymnasium environments: one role, alone or against players."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise ImportError("this needs Gymnasium: pip install 'ludorum[gymnasium]'") from missing

from ludorum.draw import draw
from ludorum.engines.batch import CUT, GOING
from ludorum.envs.encoding import Encoding, Layout
from ludorum.envs.episode import MAX_STEPS, Episode, Illegal, Reward, fresh_seed, scaled
from ludorum.envs.opponents import Opponents
from ludorum.envs.registration import register
from ludorum.envs.spaces import observation_space
from ludorum.errors import IllegalMove, LudorumError
from ludorum.game import Game

Observation = dict[str, NDArray[Any]]


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One role of a game; the others are played by `opponents`, a player as the command takes it.

    An observation is a dictionary with `observation` and `action_mask`, which is in `info` too. An illegal action is
    replaced by a legal one from the seed (`illegal="random"`), loses the match (`"lose"`) or raises (`"raise"`). The
    reward comes at the end: −1 to 1, alone 0 to 1, or with `reward="goal"` the goal; `info["goal"]` has the goal, None
    where the rules give none.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(self, game: Game | str, *, role: str | None = None, opponents: str = "random", layout: Layout = "flat",
                 illegal: Illegal = "random", reward: Reward = "scaled", max_steps: int = MAX_STEPS,
                 render_mode: str | None = None) -> None:
        self.encoding = Encoding.of(game, layout)
        self.role = _played(self.encoding, role)
        self._number = self.encoding.roles.index(self.role)
        self._illegal: Illegal = illegal
        self._reward: Reward = reward
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "encoding": self.encoding.digest}
        self.observation_space: spaces.Space[Any] = observation_space(self.encoding, self.role)
        self.action_space = spaces.Discrete(len(self.encoding.moves[self.role]))
        self._episode = Episode(self.encoding, max_steps=max_steps)
        self._opponents = Opponents(self.encoding, opponents, but_for=self.role)

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._episode.seed(seed)
        self._episode.restart()
        self._opponents.start()
        self._go_on({})
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._go_on({self._number: int(action)})
        episode = self._episode
        reward = episode.rewards(self._reward)[self.role] if episode.is_over else 0.0
        return self._observe(), reward, episode.is_terminated, episode.is_truncated, self._info()

    def render(self) -> str | None:
        return str(draw(self._episode.state)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._opponents.close()

    def _go_on(self, actions: dict[int, int]) -> None:
        """Play until the role has a choice again, or it is over."""
        episode = self._episode
        while not episode.is_over:
            if not actions and self._number in episode.choosers:
                return
            # The others choose without knowing what this role does.
            chosen = self._opponents.choose(episode)
            episode.step({**chosen, **actions}, self._illegal)
            actions = {}

    def _observe(self) -> Observation:
        return {"observation": self._episode.observation(self._number), "action_mask": self._episode.mask(self._number)}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._episode.mask(self._number)}
        if self._episode.is_over:
            info["goal"] = self._episode.goals[self.role]
        return info


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once in the core, one role of each; the others move at random, as chance does.

    All three autoreset modes of Gymnasium: the step after an end begins a new match, or the step that ends one does, or
    `reset(options={"reset_mask": …})` has to. Games with secrets are left to `GameEnv`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, game: Game | str, num_envs: int = 1, *, role: str | None = None, layout: Layout = "flat",
                 illegal: Illegal = "random", reward: Reward = "scaled", max_steps: int = MAX_STEPS, threads: int = 1,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP) -> None:
        if illegal == "lose":
            raise ValueError("a vector environment takes illegal='random' or 'raise'")
        self.encoding = Encoding.of(game, layout)
        if self.encoding.has_secrets:
            raise LudorumError(f"{self.encoding.game.name} has secrets or chance; play it one environment at a time")
        self.num_envs = num_envs
        self.role = _played(self.encoding, role)
        self._number = self.encoding.roles.index(self.role)
        self._illegal: Illegal = illegal
        self._reward: Reward = reward
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode, "encoding": self.encoding.digest}
        self.single_observation_space = observation_space(self.encoding, self.role)
        self.single_action_space = spaces.Discrete(len(self.encoding.moves[self.role]))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = self.encoding.game.batch(num_envs, max_steps=max_steps, threads=threads)
        self._batch.seed(fresh_seed())

    def reset(self, *, seed: int | list[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        games = (options or {}).get("reset_mask")
        chosen = np.ones(self.num_envs, dtype=bool) if games is None else np.asarray(games, dtype=bool)
        if isinstance(seed, list):
            named = np.array([one is not None for one in seed])
            self._batch.seed(np.array([one or 0 for one in seed], dtype=np.uint64), named & chosen)
        elif seed is not None:
            self._batch.seed(seed, chosen)
        self._begin(chosen)
        return self._observe(), self._info(np.zeros(self.num_envs, dtype=bool), None)

    def step(self, actions: NDArray[np.integer]) -> tuple[
            Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        was_over = self._batch.is_over
        if self._mode is AutoresetMode.DISABLED and was_over.any():
            raise LudorumError("a match is over: reset(options={'reset_mask': …}) begins another")
        going = ~was_over
        joint = self._batch.sample(going)
        wanted = np.asarray(actions).astype(np.int64)
        mask = self._legal()
        fine = (wanted >= 0) & (wanted < mask.shape[1])
        fine &= mask[np.arange(self.num_envs), np.where(fine, wanted, 0)].astype(bool)
        if self._illegal == "raise" and (going & ~fine).any():
            game = int(np.flatnonzero(going & ~fine)[0])
            raise IllegalMove(f"action {wanted[game]} of {self.role} is not legal in environment {game}")
        joint[:, self._number] = np.where(fine & going, wanted, joint[:, self._number])
        self._batch.step(joint, going)
        self._pass_time(going)
        ended = self._batch.is_over & going
        standings = self._batch.standings.copy()
        goals = self._batch.goals[:, self._number] if ended.any() else None
        final = self._observe() if self._mode is AutoresetMode.SAME_STEP and ended.any() else None
        rewards = np.zeros(self.num_envs)
        if goals is not None:
            alone = len(self.encoding.agents) == 1
            rewards[ended] = [scaled(max(0, int(goal)), self._reward, is_alone=alone) for goal in goals[ended]]
        if self._mode is AutoresetMode.NEXT_STEP:
            self._begin(was_over)
        elif self._mode is AutoresetMode.SAME_STEP:
            self._begin(ended)
        terminated = ended & (standings != CUT)
        info = self._info(ended, goals)
        if final is not None:
            info["final_obs"] = final
            info["_final_obs"] = ended
        return self._observe(), rewards, terminated, ended & ~terminated, info

    def _begin(self, games: NDArray[np.bool_]) -> None:
        if games.any():
            self._batch.reset(games)
            self._pass_time(games)

    def _pass_time(self, games: NDArray[np.bool_]) -> None:
        """Let the others move in these games until the role has a choice, or they are over."""
        while True:
            waiting = games & (self._batch.standings == GOING) & ~self._batch.choosers[:, self._number]
            if not waiting.any():
                return
            self._batch.step(self._batch.sample(waiting), waiting)

    def _legal(self) -> NDArray[np.uint8]:
        return self._batch.write_legal(np.empty((self.num_envs, len(self.encoding.moves[self.role])), dtype=np.uint8),
                                       self._number)

    def _observe(self) -> Observation:
        mask = self._legal().view(np.int8)
        mask[self._batch.is_over] = 0
        return {"observation": self.encoding.observe(self._batch.fluent_bytes), "action_mask": mask}

    def _info(self, ended: NDArray[np.bool_], goals: NDArray[np.int16] | None) -> dict[str, Any]:
        return {} if goals is None else {"goal": goals, "_goal": ended}


def _played(encoding: Encoding, role: str | None) -> str:
    """The role that the environment plays: the first one if none is named."""
    return encoding.agents[0] if role is None else str(encoding.game.role(role))


register()
