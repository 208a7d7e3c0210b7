"""Any rulesheet as a game of OpenSpiel: importing this registers `ludorum(game=NAME)` and `ludorum(path=FILE)`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("this needs OpenSpiel: pip install 'ludorum[openspiel]'") from missing

from ludorum.analysis.proofs import prove
from ludorum.clock import Budget
from ludorum.draw import draw
from ludorum.envs.encoding import Encoding
from ludorum.envs.episode import Episode, scaled
from ludorum.gdl.words import RANDOM

#: What `max_steps` is where nobody names it; OpenSpiel wants to know how long a match can be.
_MAX_STEPS = 1000
# States of random play that are looked at for roles that choose at the same time.
_MATCHES, _SAMPLED_STEPS = 64, 200
# For the proof that goals have a constant sum; without it the game is called general-sum.
_PROOF_WORK = 20.0

_TERMINAL, _CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)
_SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)
_PARAMETERS = {"game": "", "path": "", "max_steps": _MAX_STEPS}


def _type(dynamics: Any, chance: Any, information: Any, utility: Any, players: int) -> Any:
    return pyspiel.GameType(
        short_name="ludorum",
        long_name="A game from its rules (Ludorum)",
        dynamics=dynamics,
        chance_mode=chance,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players if players < 100 else 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


class Tables:
    """What all states of a game share. Copies of a state share it too."""

    def __init__(self, what: str, stamp: float, max_steps: int) -> None:
        self._key = (what, stamp, max_steps)
        self.encoding = encoding = Encoding.of(what)
        self.max_steps = max_steps
        self.numbers = [encoding.roles.index(agent) for agent in encoding.agents]
        self.chance = encoding.roles.index(RANDOM) if RANDOM in encoding.roles else None
        self.episode = Episode(encoding, max_steps=2**31 - 1)
        self.initial = self.episode.row_bytes
        self.is_simultaneous = self._chooses_together()
        #: The state that the episode is in; states take turns in it.
        self.holder: object = None

    def _chooses_together(self) -> bool:
        batch = self.encoding.game.batch(_MATCHES)
        batch.seed(0)
        for _ in range(_SAMPLED_STEPS):
            if (batch.choosers[:, self.numbers].sum(axis=1) > 1).any():
                return True
            batch.reset(batch.is_over)
            batch.step(batch.sample(~batch.is_over), ~batch.is_over)
        return False

    def __deepcopy__(self, memo: Any) -> Tables:
        return self

    def __reduce__(self) -> Any:
        return _tables_alone, self._key


@lru_cache(maxsize=32)
def _tables(what: str, stamp: float, max_steps: int) -> tuple[Tables, Any]:
    """The tables of a game and its type, made once for each version of a file."""
    tables = Tables(what, stamp, max_steps)
    agents = tables.encoding.agents
    kinds = pyspiel.GameType
    utility = kinds.Utility.GENERAL_SUM
    if len(agents) > 1 and tables.chance is None:
        verdict = prove(tables.encoding.game, "constant_sum", budget=Budget(_PROOF_WORK))[0]
        if verdict.verdict == "proved":
            # Which sum it is an end has to show; where random play finds none, nothing is claimed.
            episode_sum = _sum_of_goals(tables)
            if episode_sum is not None:
                utility = kinds.Utility.ZERO_SUM if episode_sum == 50 * len(agents) else kinds.Utility.CONSTANT_SUM
    return tables, _type(
        kinds.Dynamics.SIMULTANEOUS if tables.is_simultaneous else kinds.Dynamics.SEQUENTIAL,
        kinds.ChanceMode.DETERMINISTIC if tables.chance is None else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        (kinds.Information.IMPERFECT_INFORMATION if tables.encoding.has_secrets
         else kinds.Information.PERFECT_INFORMATION),
        utility, len(agents))


def _tables_alone(what: str, stamp: float, max_steps: int) -> Tables:
    return _tables(what, stamp, max_steps)[0]


def _sum_of_goals(tables: Tables) -> int | None:
    """The sum at the end of one match; None where it has no end."""
    batch = tables.encoding.game.batch(_MATCHES)
    batch.seed(0)
    for _ in range(tables.max_steps):
        if batch.is_terminal.any():
            return int(batch.goals[batch.is_terminal][0].sum())
        batch.step(batch.sample())
    return None


class LudorumGame(pyspiel.Game):  # type: ignore[misc]
    """A game from its rules; parameters are `game` (a name of the library) or `path` (a file), and `max_steps`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        what = chosen["path"] or chosen["game"]
        if not what or (chosen["path"] and chosen["game"]):
            raise ValueError("name a game of the library or a path: ludorum(game=tictactoe) or ludorum(path=FILE)")
        stamp = Path(what).stat().st_mtime if chosen["path"] else 0.0
        self.tables, kind = _tables(what, stamp, int(chosen["max_steps"]))
        encoding = self.tables.encoding
        agents = encoding.agents
        alone = len(agents) == 1
        chance = 0 if self.tables.chance is None else len(encoding.moves[RANDOM])
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(encoding.moves[agent]) for agent in agents),
            max_chance_outcomes=chance,
            num_players=len(agents),
            min_utility=0.0 if alone else -1.0,
            max_utility=1.0,
            utility_sum=_utility_sum(self.tables, kind),
            # Each role may choose in every step.
            max_game_length=int(chosen["max_steps"]) * max(1, len(agents)),
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self) -> LudorumState:
        return LudorumState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LudorumObserver:
        return LudorumObserver(self.tables)


def _utility_sum(tables: Tables, kind: Any) -> float | None:
    if kind.utility == pyspiel.GameType.Utility.ZERO_SUM:
        return 0.0
    if kind.utility == pyspiel.GameType.Utility.CONSTANT_SUM:
        total = _sum_of_goals(tables)
        return None if total is None else (total - 50 * len(tables.encoding.agents)) / 50
    return None


class LudorumState(pyspiel.State):  # type: ignore[misc]
    """A state; roles that choose at the same time are asked together, or one after the other where that is seldom."""

    def __init__(self, game: LudorumGame) -> None:
        super().__init__(game)
        self._tables = game.tables
        self._row = game.tables.initial
        self._length = 0
        #: What roles have chosen for the step that is being made, by role number.
        self._chosen: tuple[tuple[int, int], ...] = ()
        #: By agent what it did and was told, step by step.
        self._known: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...] = ((),) * len(game.tables.numbers)
        self._token = _Token()
        self._look()

    @property
    def _episode(self) -> Episode:
        """The match that all states of the game share, in this state."""
        tables = self._tables
        if tables.holder is not self._token:
            tables.episode.restart(np.frombuffer(self._row, dtype=np.uint64))
            tables.holder = self._token
        return tables.episode

    def _look(self) -> None:
        """Find out who has a choice; where nobody has, the only joint move is made."""
        episode = self._episode
        self._is_over = episode.is_over or self._length >= self._tables.max_steps
        choosers = [] if self._is_over else episode.choosers
        self._open = tuple(role for role in choosers if role != self._tables.chance)
        self._is_chance_open = self._tables.chance in choosers
        if not self._is_over and not choosers:
            self._advance()

    def _advance(self) -> None:
        """Make the joint move that was chosen; forced moves are added."""
        tables = self._tables
        episode = self._episode
        episode.step(dict(self._chosen))
        assert episode.joint is not None
        self._row = episode.row_bytes
        self._length += 1
        self._chosen = ()
        if tables.encoding.has_secrets:
            self._known = tuple((*known, (episode.joint[role], tuple(episode.told(role))))
                                for known, role in zip(self._known, tables.numbers, strict=True))
        self._token = tables.holder = _Token()
        self._look()

    # ---- OpenSpiel's questions ----

    def current_player(self) -> int:
        if self._is_over:
            return _TERMINAL
        if not self._open:
            return _CHANCE
        if self._tables.is_simultaneous:
            return _SIMULTANEOUS
        return self._tables.numbers.index(self._open[0])

    def legal_actions(self, *player: int) -> list[int]:
        # OpenSpiel asks six questions before it asks `_legal_actions`, which takes longer than a step of ours.
        asked = self.current_player()
        if asked >= 0 and (not player or player[0] == asked):
            return self._legal_actions(asked)
        actions: list[int] = super().legal_actions(*player)
        return actions

    def _legal_actions(self, player: int) -> list[int]:
        if self._is_over:
            return []
        return self._episode.legal(self._tables.numbers[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self._tables.chance is not None
        moves = self._episode.legal(self._tables.chance)
        return [(move, 1 / len(moves)) for move in moves]

    def _apply_action(self, action: int) -> None:
        if self._open:
            role, *rest = self._open
            self._open = tuple(rest)
        else:
            assert self._tables.chance is not None
            role, self._is_chance_open = self._tables.chance, False
        self._chosen = (*self._chosen, (role, int(action)))
        self._go_on()

    def _apply_actions(self, actions: list[int]) -> None:
        self._chosen = tuple((role, int(actions[self._tables.numbers.index(role)])) for role in self._open)
        self._open = ()
        self._go_on()

    def _go_on(self) -> None:
        if not self._open and not self._is_chance_open:
            self._advance()

    def _action_to_string(self, player: int, action: int) -> str:
        encoding = self._tables.encoding
        role = RANDOM if player == pyspiel.PlayerId.CHANCE else encoding.agents[player]
        return str(encoding.move(role, action))

    def is_terminal(self) -> bool:
        return bool(self._is_over)

    def returns(self) -> list[float]:
        agents = self._tables.encoding.agents
        if not self._is_over:
            return [0.0] * len(agents)
        if not self._episode.is_terminal:
            # Cut or stuck: nobody has won, and what was proved of sums is true of ends alone.
            return [(self.get_game().utility_sum() or 0.0) / len(agents)] * len(agents)
        goals = self._episode.goals
        return [scaled(goals[agent], "scaled", is_alone=len(agents) == 1) for agent in agents]

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player can know: what it did and was told, or without secrets the state and the steps made."""
        encoding = self._tables.encoding
        player = self.current_player() if player is None else player
        if not encoding.has_secrets:
            return f"{self._length}: {self._text()}"
        role = encoding.agents[player]
        lines = [f"{encoding.move(role, move)} [{' '.join(str(encoding.percepts[role][number]) for number in told)}]"
                 for move, told in self._known[player]]
        return "; ".join([role, *lines])

    def observation_string(self, player: int | None = None) -> str:
        encoding = self._tables.encoding
        player = self.current_player() if player is None else player
        if not encoding.has_secrets:
            return self._text()
        role = encoding.agents[player]
        if not self._known[player]:
            return role
        move, told = self._known[player][-1]
        return f"{role}: {encoding.move(role, move)} [{' '.join(str(encoding.percepts[role][n]) for n in told)}]"

    def _text(self) -> str:
        return str(self._episode.state)

    def __str__(self) -> str:
        chosen = " ".join(f"{self._tables.encoding.roles[role]}:{action}" for role, action in self._chosen)
        return f"{draw(self._episode.state)}\n{chosen}".rstrip()


class _Token:
    """Tells one state from another; a copy of a state has one of its own."""


class LudorumObserver:
    """What a player sees, as numbers and as text."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        size = max(int(np.prod(tables.encoding.shape(agent))) for agent in tables.encoding.agents)
        self.tensor: NDArray[np.float32] = np.zeros(size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: LudorumState, player: int) -> None:
        encoding = self._tables.encoding
        role = encoding.agents[player]
        self.tensor.fill(0)
        if not encoding.has_secrets:
            seen = state._episode.observation(self._tables.numbers[player]).ravel()
            self.tensor[:len(seen)] = seen
        elif state._known[player]:
            move, told = state._known[player][-1]
            self.tensor[list(told)] = 1
            self.tensor[len(encoding.percepts[role]) + move] = 1

    def string_from(self, state: LudorumState, player: int) -> str:
        return state.observation_string(player)


pyspiel.register_game(
    _type(pyspiel.GameType.Dynamics.SIMULTANEOUS, pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
          pyspiel.GameType.Information.IMPERFECT_INFORMATION, pyspiel.GameType.Utility.GENERAL_SUM, 100), LudorumGame)
