"""Traders that others are measured against: one tells the truth, and one bids at random, but never at a loss."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.joint import goes_on
from ludorum.move import Move, Role
from ludorum.players.background import by_deadline
from ludorum.players.clocks import Clocks
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.players.strategy import Strategy
from ludorum.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludorum.belief import Belief

# The part of the start clock in which all of a game is to be looked at, and how long that may take without a clock.
_LOOKING_SHARE, _NO_CLOCK_S = 0.6, 30.0
# Where a game is too large for that: so many matches show whether a move may lose, each of at most so many turns.
_TRIALS, _MOST_TURNS = 24, 200


class Truthful(MovesOnce):
    """Sends the message that carries the numbers of its own type where there is exactly one, and nothing elsewhere."""

    def __init__(self) -> None: ...

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> TruthfulPlaying:
        return TruthfulPlaying(game, game.role(role))

    def __repr__(self) -> str:
        return "Truthful()"


class TruthfulPlaying:
    """A match of `Truthful`."""

    info: SearchInfo | None = None

    def __init__(self, game: Game, role: Role) -> None:
        self._role = role
        self._quiet = quiet_move(game, role)

    def prepare(self, deadline: Deadline) -> None: ...

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        """In a state that is seen: its type is the fluent that names it and has numbers."""
        own = [fluent for fluent in state.fluents if any(str(part) == self._role for part in fluent.args)]
        return self._honest(own, state.legal(self._role))

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        return next(iter(self.policy(belief)))

    def policy(self, belief: Belief) -> dict[Move, float]:
        told = [term for _, percepts in belief.history or () for term in percepts]
        # The type is told first; what the market says later has numbers too.
        return {self._honest(told[:1], belief.legal): 1.0}

    def finish(self) -> None: ...

    def _honest(self, told: Sequence[Term], legal: Sequence[Move]) -> Move:
        # Not before it is needed: NumPy takes a while to load.
        from ludorum.mechanism import truth

        quiet = self._quiet if self._quiet is not None and self._quiet in legal else _plainest(legal)
        return truth(told, legal) or quiet


def quiet_move(game: Game, role: Role) -> Move | None:
    """The one move that is legal at any time, which says nothing where others do; None if there is no such move."""
    if game.engine == "circuit":
        # Not before it is needed: NumPy takes a while to load.
        from ludorum.circuit.circuit import TRUE

        seat = game.roles.index(role)
        moves, legal_when = game.circuit.moves[seat], game.circuit.legal[seat]
        always = [move for move, may in zip(moves, legal_when, strict=True) if may == TRUE]
        return Move(always[0]) if len(always) == 1 else None
    legal = game.initial.legal(role)
    return legal[0] if len(legal) == 1 else None


def _plainest(legal: Sequence[Move]) -> Move:
    return min(legal, key=lambda move: (len(move.term.args), str(move)))


class ZI(MovesOnce):
    """Makes any move after which it can see to it that it does not lose, each as likely as the others.

    In a game of more than `nodes` nodes a move is taken to be such if it did not lose in a few matches where nothing
    more was sent.

    In the literature: constrained zero intelligence (Gode, Sunder 1993).
    """

    def __init__(self, *, nodes: int = 500_000, seed: int | None = None) -> None:
        if nodes < 1:
            raise ValueError(f"a game has at least one node, not {nodes}")
        self.nodes = nodes
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> ZIPlaying:
        return ZIPlaying(self, game, game.role(role))

    def __repr__(self) -> str:
        return f"ZI(nodes={self.nodes}, seed={self.seed})"


class ZIPlaying:
    """A match of `ZI`."""

    info: SearchInfo | None = None

    def __init__(self, player: ZI, game: Game, role: Role) -> None:
        self._nodes = player.nodes
        self._game = game
        self._role = role
        self._random = random.Random(player.seed)
        self._strategy: Strategy | None = None
        self._quiet = quiet_move(game, role)

    def prepare(self, deadline: Deadline) -> None:
        start = deadline.or_within(_NO_CLOCK_S)
        within = start.part(_LOOKING_SHARE)
        try:
            self._strategy = by_deadline(lambda: self._looked(within), within)
        except LudorumError:
            # Too large, or not for the core: matches have to show what is safe.
            self._strategy = None

    def _looked(self, deadline: Deadline) -> Strategy:
        from ludorum.analysis.idle import without_idle_moves
        from ludorum.equilibrium import GameTree
        from ludorum.mechanism.caution import safe_moves

        tree = GameTree.grow(without_idle_moves(self._game), nodes=self._nodes, seconds=max(0.01, deadline.remaining))
        choices = {history: dict.fromkeys(moves, 1 / len(moves))
                   for history, moves in safe_moves(tree, self._role).items()}
        return Strategy(self._game, self._role, choices.get)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        return self._drawn(dict.fromkeys(self._untroubled([state], state.legal(self._role)), 1.0))

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        policy = self.policy(belief)
        if policy is None:
            states = [state for state, _ in belief.samples(_TRIALS)]
            policy = dict.fromkeys(self._untroubled(states, belief.legal), 1.0)
        return self._drawn(policy)

    def policy(self, belief: Belief) -> dict[Move, float] | None:
        """How likely each move is; None where only matches can show what is safe."""
        return None if self._strategy is None else self._strategy.policy(belief)

    def finish(self) -> None: ...

    def _drawn(self, policy: dict[Move, float]) -> Move:
        return self._random.choices(list(policy), list(policy.values()))[0]

    def _untroubled(self, states: Sequence[State], legal: Sequence[Move]) -> list[Move]:
        """Moves that did not lose in a few matches; the one that says nothing if all did."""
        return [move for move in legal if all(self._is_fine(self._random.choice(states), move)
                                              for _ in range(_TRIALS))] or [self._silence(legal)]

    def _silence(self, legal: Sequence[Move]) -> Move:
        return self._quiet if self._quiet is not None and self._quiet in legal else _plainest(legal)

    def _is_fine(self, state: State, move: Move) -> bool:
        for turn in range(_MOST_TURNS):
            if not goes_on(state):
                break
            joint = {role: self._random.choice(state.legal(role)) for role in self._game.roles}
            joint[self._role] = move if turn == 0 else self._silence(state.legal(self._role))
            state = state.after(joint)
        goal = state.goals[self._role]
        return goal is None or goal >= 50
