"""Flat Monte Carlo: try every move, play on at random, and look closer where it goes well.

In the literature: a multi-armed bandit with upper confidence bounds, UCB1 (Auer, Cesa-Bianchi, Fischer 2002).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf, log, sqrt

from ludorum.clock import NEVER, Deadline, now
from ludorum.engines.abilities import PlaysOut
from ludorum.engines.playouts import UNDEFINED
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.player import MovesOnce
from ludorum.players.replies import payoff, worst_reply
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

# A batch fills the widest machine word once; an engine that plays one game after the other gains nothing from
# more.
_BATCH_PLAYOUTS = 512
# A batch that takes less than this part of the time that is left may be followed by a larger one.
_SHORT_BATCH_SHARE = 0.05
# The spread of goals, as a part of their range: the factor of the confidence bound.
_GOAL_DEVIATION = 0.5
# Where there are more replies than this, looking at each would cost more than it helps.
_MAX_REPLIES = 256


class MonteCarlo(MovesOnce):
    """Plays the move whose random continuations bring its role the highest goals on average.

    It thinks for `seconds`, or for a number of `playouts` instead; then the same seed makes the same choices.
    It sees no further than chance shows, except that it does not overlook moves and replies that end the
    game.
    """

    def __init__(self, seconds: float = 1.0, *, playouts: int | None = None, seed: int | None = None,
                 threads: int = 1) -> None:
        if seconds < 0 or threads < 1 or (playouts is not None and playouts < 1):
            raise ValueError("seconds cannot be less than 0, playouts and threads not less than 1")
        self.seconds = None if playouts is not None else seconds
        self.playouts = playouts
        self.threads = threads
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> MonteCarloPlaying:
        return MonteCarloPlaying(self, game.role(role))

    def __repr__(self) -> str:
        budget = f"seconds={self.seconds}" if self.playouts is None else f"playouts={self.playouts}"
        return f"MonteCarlo({budget}, seed={self.seed})"


class MonteCarloPlaying:
    """What a player of `MonteCarlo` has at a match: its luck, and the moves that it is trying out."""

    def __init__(self, player: MonteCarlo, role: Role) -> None:
        self._player = player
        self._role = role
        self._random = random.Random(player.seed)
        self._trying: tuple[State, list[_Arm]] | None = None
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """It learns nothing that would be kept."""

    def finish(self) -> None:
        self._trying = None

    def best_so_far(self, state: State) -> Move | None:
        trying = self._trying
        if trying is None or trying[0] != state or not any(arm.playouts for arm in trying[1]):
            return None
        return max(trying[1], key=lambda arm: arm.merit).move

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        begin = now()
        deadline = deadline.or_within(self._player.seconds)
        role = self._role
        arms = [_Arm(move) for move in state.legal(role)]
        # Shuffled, so that no move is preferred where time or differences are too small to tell.
        self._random.shuffle(arms)
        self._trying = state, arms
        budget = inf if self._player.playouts is None else self._player.playouts
        # By the clock the first batch is small: how long a playout takes is not known yet.
        batch = min(_BATCH_PLAYOUTS, max(1, int(budget / (4 * len(arms))))) if budget < inf else 1
        most = _BATCH_PLAYOUTS if isinstance(state.game.reasoner, PlaysOut) else 1
        played = 0
        while len(arms) > 1 and played < budget and not deadline.passed:
            arm = max(arms, key=lambda arm: arm.upper_bound(played))
            if arm.is_settled:
                break
            batch = min(batch, most)
            left = deadline.remaining
            self._try(arm, state, role, batch, deadline)
            played += batch
            if budget == inf:
                took = left - deadline.remaining
                batch = 2 * batch if took < _SHORT_BATCH_SHARE * left else max(1, batch // 2)
        tried = [arm for arm in arms if arm.playouts]
        self._info = SearchInfo(
            visits={arm.move: arm.playouts for arm in tried},
            values={arm.move: 100 * arm.total / arm.playouts for arm in tried}, method="montecarlo", playouts=played,
            depth=1, seconds=now() - begin)
        return max(arms, key=lambda arm: arm.merit).move

    def _try(self, arm: _Arm, state: State, role: Role, batch: int, deadline: Deadline) -> None:
        """Add a batch of playouts to what is known of a move; the others choose theirs at random."""
        others = [other for other in state.choosers if other != role]
        joint = {other: self._random.choice(state.legal(other)) for other in others} | {role: arm.move}
        successor = state.after(joint)
        if successor.is_terminal:
            arm.add(batch, batch * payoff(successor, role) / 100)
            arm.is_settled = not others
            return
        if not arm.playouts and not others:
            arm.ceiling = worst_reply(successor, role, limit=_MAX_REPLIES, deadline=deadline) / 100
        seed = self._random.getrandbits(32)
        playouts = state.game.playouts(batch, successor, seed=seed, threads=self._player.threads)
        goals = playouts.goals[:, state.game.roles.index(role)]
        arm.add(batch, float(goals[goals != UNDEFINED].sum()) / 100)


@dataclass(slots=True)
class _Arm:
    """A legal move with what its playouts brought, in goals from 0 to 1."""

    move: Move
    playouts: int = 0
    total: float = 0.0
    #: What an opponent can hold us to by ending the game at once.
    ceiling: float = inf
    #: Whether the move ends the game, so that playouts tell nothing new.
    is_settled: bool = False

    def add(self, playouts: int, total: float) -> None:
        self.playouts += playouts
        self.total += total

    def upper_bound(self, played: int) -> float:
        if not self.playouts:
            return inf
        mean = self.total / self.playouts
        doubt = 0 if self.is_settled else _GOAL_DEVIATION * sqrt(log(played) / self.playouts)
        return min(mean + doubt, self.ceiling)

    @property
    def merit(self) -> tuple[float, float]:
        """By what the best is chosen; of moves that lose by force, the one that chance likes best."""
        mean = self.total / self.playouts if self.playouts else -1.0
        return min(mean, self.ceiling), mean
