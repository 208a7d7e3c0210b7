"""The player of small games with secrets that nobody can gain much against."""

from __future__ import annotations

import random
from math import inf
from typing import TYPE_CHECKING

from ludorum.belief import hides
from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.background import by_deadline
from ludorum.players.clocks import Clocks
from ludorum.players.determinization import determinized_move
from ludorum.players.mcts import MCTS
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.players.strategy import Strategy
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief

# The part of the start clock in which the game is to be solved, and after which it is no longer waited for.
_SOLVING_SHARE, _WAITING_SHARE = 0.6, 0.8
# How long that may take where there is no clock, in seconds.
_NO_CLOCK_S = 60.0


class Equilibrium(MovesOnce):
    """Solves the game before the first move and draws its moves with the probabilities of an equilibrium.

    For one player that is the best plan, for two with a constant sum nobody gains against it. For others it is one
    without dice where there is one, and else there is no such promise. Where the game has more than `nodes` nodes, or
    no secrets, or the start clock is too short, it plays as `MCTS` that is shown possible states. `why`, at a match,
    tells what came of it.
    """

    def __init__(self, seconds: float | None = 1.0, *, nodes: int = 500_000, seed: int | None = None) -> None:
        if nodes < 1:
            raise ValueError(f"a game has at least one node, not {nodes}")
        self.seconds = seconds
        self.nodes = nodes
        self.seed = seed
        # What it cannot think with should be told now, not in the middle of a match.
        self.fallback()

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> EquilibriumPlaying:
        return EquilibriumPlaying(self, game, game.role(role))

    def fallback(self) -> MCTS:
        return MCTS(self.seconds, seed=self.seed)

    def __repr__(self) -> str:
        return f"Equilibrium(seconds={self.seconds}, nodes={self.nodes}, seed={self.seed})"


class EquilibriumPlaying:
    """A match of `Equilibrium`."""

    def __init__(self, player: Equilibrium, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._random = random.Random(player.seed)
        self._fallback = player.fallback().join(game, role)
        self._policy: Strategy | None = None
        self._info: SearchInfo | None = None
        #: What the others could gain on average; infinite while the game is not solved.
        self.exploitability = inf
        #: How the game is played, and why, in one sentence; empty before that is known.
        self.why = ""

    @property
    def info(self) -> SearchInfo | None:
        return self._info or self._fallback.info

    def prepare(self, deadline: Deadline) -> None:
        self.solve(deadline)
        if self._policy is None:
            self._fallback.prepare(deadline)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        """A move in a state that is seen, of which no equilibrium is known."""
        self._info = None
        return self._fallback.move(state, deadline)

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """Drawn with the probabilities of the equilibrium; as `MCTS` would play where there is none."""
        self._info = None
        policy = self.policy(belief)
        if policy is None:
            return determinized_move(self._fallback, belief, self._role, deadline)
        self._info = SearchInfo(method=self.why)
        return self._random.choices(list(policy), list(policy.values()))[0]

    def policy(self, belief: Belief) -> dict[Move, float] | None:
        """How likely each move is after what the role has done and been told; None if that is not known."""
        return None if self._policy is None else self._policy.policy(belief)

    def finish(self) -> None:
        self._fallback.finish()

    def solve(self, deadline: Deadline) -> None:
        """Solve the game by the deadline, if that can be done; `why` tells."""
        if not hides(self._game):
            self.why = "mcts, since the game has no secrets"
            return
        start = deadline.or_within(_NO_CLOCK_S)
        within, waiting = start.part(_SOLVING_SHARE), start.part(_WAITING_SHARE)
        try:
            found = by_deadline(lambda: self._solution(within), waiting)
        except LudorumError as error:
            self.why = f"mcts, since {error}"
            return
        if found is None:
            self.why = "mcts, since the game was not solved in time"
        else:
            self._policy, self.exploitability, self.why = found

    def _solution(self, deadline: Deadline) -> tuple[Strategy, float, str]:
        # Not before it is needed: NumPy takes a while to load.
        from ludorum.equilibrium import solve_small

        found = solve_small(self._game, deadline, nodes=self._player.nodes)
        policy = Strategy(self._game, self._role, found.follower(self._role))
        gain = found.exploitability
        return policy, gain, f"equilibrium by {found.method}; others could gain {gain:.3g} on average"
