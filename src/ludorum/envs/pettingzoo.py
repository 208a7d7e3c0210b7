"""Games as PettingZoo environments, one agent at a time (AEC) and all at once (parallel)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as missing:
    raise ImportError("this needs PettingZoo: pip install 'ludorum[pettingzoo]'") from missing

from ludorum.draw import draw
from ludorum.envs.encoding import Encoding, Layout
from ludorum.envs.episode import MAX_STEPS, Episode, Illegal, Reward, fresh_seed
from ludorum.envs.spaces import observation_space
from ludorum.game import Game

#: Whether agents without a choice are asked all the same.
Turns = Literal["choice", "all"]
Observation = dict[str, NDArray[Any]]


def env(game: Game | str, **options: Any) -> GameAECEnv:
    """The environment of a game, or of what `ludorum.load` takes, for one agent after the other."""
    return GameAECEnv(game, **options)


def parallel_env(game: Game | str, **options: Any) -> GameParallelEnv:
    """The environment where all agents act in every step; the action of one without a choice does not count."""
    return GameParallelEnv(game, **options)


class _Common:
    """What both environments share: spaces, options, pictures."""

    def __init__(self, game: Game | str, layout: Layout, illegal: Illegal, reward: Reward, max_steps: int,
                 render_mode: str | None, kind: str) -> None:
        self.encoding = Encoding.of(game, layout)
        self.possible_agents = list(self.encoding.agents)
        self.metadata = {"name": f"ludorum_{self.encoding.game.name}_v0", "render_modes": ["ansi"], "render_fps": 4,
                         "is_parallelizable": kind == "aec", "encoding": self.encoding.digest}
        self.render_mode = render_mode
        self._illegal: Illegal = illegal
        self._reward: Reward = reward
        self._numbers = {agent: self.encoding.roles.index(agent) for agent in self.possible_agents}
        self._observation_spaces = {agent: observation_space(self.encoding, agent) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(len(self.encoding.moves[agent]))
                               for agent in self.possible_agents}
        self._episode = Episode(self.encoding, max_steps=max_steps)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def render(self) -> str | None:
        return str(draw(self._episode.state)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def state(self) -> NDArray[np.uint8]:
        """Everything that is true, for critics that may know it."""
        return self._episode.fluents


def _is_forced(episode: Episode, agents: Iterable[int]) -> bool:
    """Whether a match goes from here to its end without a choice of these roles: then it begins again.

    Else it has come to their first choice.
    """
    roles = set(agents)
    while not episode.is_over:
        if roles & set(episode.choosers):
            return False
        episode.step({})
    episode.restart()
    return True


class GameAECEnv(_Common, AECEnv):  # type: ignore[misc]
    """Agents with a choice act one after the other; those who choose at the same time do not see each other's actions.

    Forced moves are made at once, unless `turns="all"`, or nobody has a choice in the whole match: then all are asked,
    so that there is something to do before the end. An illegal action loses the match (`illegal="lose"`), is
    replaced by a legal one from the seed (`"random"`) or raises (`"raise"`).
    """

    def __init__(self, game: Game | str, *, layout: Layout = "flat", illegal: Illegal = "lose", turns: Turns = "choice",
                 reward: Reward = "scaled", max_steps: int = MAX_STEPS, render_mode: str | None = None) -> None:
        AECEnv.__init__(self)
        _Common.__init__(self, game, layout, illegal, reward, max_steps, render_mode, "aec")
        self._turns: Turns = turns
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._episode.seed(fresh_seed() if seed is None else seed)
        self._episode.restart()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._chosen: dict[int, int] = {}
        self._waiting: list[str] = []
        self.agent_selection = self.agents[0]
        self._asks_all = self._turns == "all" or _is_forced(self._episode, self._numbers.values())
        self._go_on()

    def observe(self, agent: str) -> Observation:
        number = self._numbers[agent]
        mask = self._episode.mask(number)
        if agent != self.agent_selection:
            mask = np.zeros_like(mask)
        return {"observation": self._episode.observation(number), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        number = self._numbers[agent]
        assert action is not None
        if self._illegal == "lose" and not self._episode.is_legal(number, int(action)):
            self._episode.lost_by = number
            self._waiting.clear()
        else:
            self._chosen[number] = int(action)
            self._waiting.pop(0)
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Ask who is next, making joint moves whenever everybody has chosen, until somebody is asked or it is over."""
        episode = self._episode
        while not episode.is_over:
            if self._waiting:
                self.agent_selection = self._waiting[0]
                return
            if self._chosen:
                episode.step(self._chosen, self._illegal)
                self._chosen = {}
                if episode.is_over:
                    break
            choosers = set(episode.choosers)
            self._waiting = [agent for agent in self.possible_agents
                             if self._asks_all or self._numbers[agent] in choosers]
            if not self._waiting:
                episode.step({}, self._illegal)
        self._end()

    def _end(self) -> None:
        goals = self._episode.goals
        self.rewards = self._episode.rewards(self._reward)
        for agent in self.agents:
            self.terminations[agent] = self._episode.is_terminated
            self.truncations[agent] = self._episode.is_truncated
            self.infos[agent] = {"goal": goals[agent]}


class GameParallelEnv(_Common, ParallelEnv):  # type: ignore[misc]
    """All agents act in every step; steps where nobody has a choice are made at once, unless nobody ever has one."""

    def __init__(self, game: Game | str, *, layout: Layout = "flat", illegal: Illegal = "random",
                 reward: Reward = "scaled", max_steps: int = MAX_STEPS, render_mode: str | None = None) -> None:
        _Common.__init__(self, game, layout, illegal, reward, max_steps, render_mode, "parallel")
        self.agents: list[str] = []
        self._is_seeded = False

    def reset(self, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None or not self._is_seeded:
            self._episode.seed(fresh_seed() if seed is None else seed)
            self._is_seeded = True
        self._episode.restart()
        self.agents = list(self.possible_agents)
        self._is_forced = _is_forced(self._episode, self._numbers.values())
        self._pass_time()
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[
            dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        choosers = set(self._episode.choosers)
        self._episode.step({self._numbers[agent]: int(action) for agent, action in actions.items()
                            if self._numbers[agent] in choosers}, self._illegal)
        self._pass_time()
        episode = self._episode
        rewards = episode.rewards(self._reward) if episode.is_over else dict.fromkeys(self.agents, 0.0)
        goals = episode.goals if episode.is_over else {}
        infos: dict[str, dict[str, Any]] = {agent: {"goal": goals[agent]} if goals else {} for agent in self.agents}
        observed = self._observe()
        ends = dict.fromkeys(self.agents, episode.is_terminated), dict.fromkeys(self.agents, episode.is_truncated)
        if episode.is_over:
            self.agents = []
        return observed, rewards, *ends, infos

    def _pass_time(self) -> None:
        """Chance moves, and forced moves are made."""
        agents = set(self._numbers.values())
        while not self._is_forced and not self._episode.is_over and not agents & set(self._episode.choosers):
            self._episode.step({}, self._illegal)

    def _observe(self) -> dict[str, Observation]:
        return {agent: {"observation": self._episode.observation(self._numbers[agent]),
                        "action_mask": self._episode.mask(self._numbers[agent])} for agent in self.agents}
