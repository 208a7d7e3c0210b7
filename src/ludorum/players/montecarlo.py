"""Flat Monte Carlo: try every move, play on at random, and look closer where it goes well."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf, log, sqrt

from ludorum.clock import NEVER, Deadline
from ludorum.joint import choosers
from ludorum.move import Move, Role
from ludorum.players.replies import payoff, worst_reply
from ludorum.reason.abilities import PlaysOut
from ludorum.reason.playouts import UNDEFINED
from ludorum.state import State

# A batch fills the widest machine word once; an engine that plays one game after the other gains nothing from
# more.
_BATCH = 512
# A batch that takes less than this part of the time that is left may be followed by a larger one.
_SHORT = 0.05
# The spread of goals, as a part of their range: the factor of the confidence bound.
_SPREAD = 0.5
# Where there are more replies than this, looking at each would cost more than it helps.
_REPLIES = 256


class MonteCarlo:
    """Plays the move whose random continuations bring its role the highest goals on average.

    It thinks for `seconds`, or for a number of `playouts` instead; then the same seed makes the same choices.
    It sees no further than chance shows, except that it does not overlook moves and replies that end the
    game.
    """

    def __init__(self, seconds: float = 1.0, *, playouts: int | None = None, seed: int | None = None,
                 threads: int = 1) -> None:
        if seconds < 0 or threads < 1 or (playouts is not None and playouts < 1):
            raise ValueError("seconds cannot be less than 0, playouts and threads not less than 1")
        self._seconds = None if playouts is not None else seconds
        self._playouts = playouts
        self._threads = threads
        self._seed = seed
        self._random = random.Random(seed)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        deadline = deadline.or_within(self._seconds)
        role = state.game.role(role)
        arms = [_Arm(move) for move in state.legal(role)]
        # Shuffled, so that no move is preferred where time or differences are too small to tell.
        self._random.shuffle(arms)
        budget = inf if self._playouts is None else self._playouts
        # By the clock the first batch is small: how long a playout takes is not known yet.
        batch = min(_BATCH, max(1, int(budget / (4 * len(arms))))) if budget < inf else 1
        most = _BATCH if isinstance(state.game.reasoner, PlaysOut) else 1
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
                batch = 2 * batch if took < _SHORT * left else max(1, batch // 2)
        return max(arms, key=lambda arm: arm.merit).move

    def _try(self, arm: _Arm, state: State, role: Role, batch: int, deadline: Deadline) -> None:
        """Add a batch of playouts to what is known of a move; the others choose theirs at random."""
        others = [other for other in choosers(state) if other != role]
        joint = {other: self._random.choice(state.legal(other)) for other in others} | {role: arm.move}
        successor = state.after(joint)
        if successor.is_terminal:
            arm.add(batch, batch * payoff(successor, role) / 100)
            arm.is_settled = not others
            return
        if not arm.playouts and not others:
            arm.ceiling = worst_reply(successor, role, limit=_REPLIES, deadline=deadline) / 100
        seed = self._random.getrandbits(32)
        playouts = state.game.playouts(batch, successor, seed=seed, threads=self._threads)
        goals = playouts.goals[:, state.game.roles.index(role)]
        arm.add(batch, float(goals[goals != UNDEFINED].sum()) / 100)

    def __repr__(self) -> str:
        budget = f"seconds={self._seconds}" if self._playouts is None else f"playouts={self._playouts}"
        return f"MonteCarlo({budget}, seed={self._seed})"


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
        doubt = 0 if self.is_settled else _SPREAD * sqrt(log(played) / self.playouts)
        return min(mean + doubt, self.ceiling)

    @property
    def merit(self) -> tuple[float, float]:
        """By what the best is chosen; of moves that lose by force, the one that chance likes best."""
        mean = self.total / self.playouts if self.playouts else -1.0
        return min(mean, self.ceiling), mean
