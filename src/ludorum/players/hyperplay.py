"""A player that tries its moves out in games that may be the one that is played.

In the literature: HyperPlay (Schofield, Cerexhe, Thielscher 2012), whose values are those of perfect information: it
sees no worth in a move that only tells it something.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline, now
from ludorum.engines.playouts import UNDEFINED
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.player import MovesOnce
from ludorum.players.replies import payoff
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief


class HyperPlay(MovesOnce):
    """Plays the move with the highest mean of `n` playouts in each of up to `n` possible states, by their weights."""

    def __init__(self, n: int = 32, *, seed: int | None = None) -> None:
        if n < 1:
            raise ValueError(f"it needs at least one possible state, not {n}")
        self.n = n
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> HyperPlaying:
        return HyperPlaying(self, game.role(role))

    def __repr__(self) -> str:
        return f"HyperPlay(n={self.n}, seed={self.seed})"


class HyperPlaying:
    """A match of `HyperPlay`."""

    def __init__(self, player: HyperPlay, role: Role) -> None:
        self._player = player
        self._role = role
        self._random = random.Random(player.seed)
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """Nothing to do."""

    def finish(self) -> None:
        """Nothing goes on."""

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        return self._best([(state, 1.0)], tuple(state.legal(self._role)), deadline)

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        return self._best(belief.samples(self._player.n), belief.legal, deadline)

    def _best(self, samples: list[tuple[State, float]], legal: tuple[Move, ...], deadline: Deadline) -> Move:
        """The move that is worth the most; of those alike any, and of states as many as there is time for."""
        if not legal:
            raise LudorumError(f"{self._role} has no legal move")
        begin = now()
        sums, whole = dict.fromkeys(legal, 0.0), 0.0
        for state, weight in samples:
            if whole and deadline.passed:
                break
            if state.is_terminal or any(move not in state.legal(self._role) for move in legal):
                continue
            whole += weight
            for move in legal:
                sums[move] += weight * self._mean(state, move)
        values = {move: total / whole for move, total in sums.items()} if whole else {}
        self._info = SearchInfo(values=values, method=f"hyperplay, {len(samples)} possible states",
                                seconds=now() - begin)
        best = max(sums.values())
        return self._random.choice([move for move in legal if sums[move] == best])

    def _mean(self, state: State, move: Move) -> float:
        """What playouts after a move bring; the others choose theirs at random, anew for each."""
        others = [other for other in state.choosers if other != self._role]
        times, each = (self._player.n, 1) if others else (1, self._player.n)
        total = 0.0
        for _ in range(times):
            joint = {other: self._random.choice(state.legal(other)) for other in others} | {self._role: move}
            total += self._after(state.after(joint), each)
        return total / times

    def _after(self, state: State, playouts: int) -> float:
        if state.is_terminal:
            return payoff(state, self._role)
        played = state.game.playouts(playouts, state, seed=self._random.getrandbits(32))
        goals = played.goals[:, state.game.roles.index(self._role)]
        return float(goals[goals != UNDEFINED].sum()) / playouts
