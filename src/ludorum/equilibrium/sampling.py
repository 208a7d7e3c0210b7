"""Strategies for games that are too large to list: matches are sampled, and regrets kept where they come by.

Nobody can tell exactly how good such a strategy is in a large game; in a small one `GameTree` can.

In the literature: Monte Carlo CFR with outcome sampling (Lanctot et al. 2009), baselines (Schmid et al. 2019) and later
rounds counting more (Tammelin 2014).
"""

from __future__ import annotations

from collections.abc import Sequence

from ludorum._core import InformationSetSearch
from ludorum.belief import Belief
from ludorum.clock import NEVER, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.equilibrium.tree import InformationSet
from ludorum.errors import NoSimulator
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.move import Move

# The part of moves that are drawn at random; simulations under way at once; nodes kept; steps of a match.
_EXPLORATION, _AT_ONCE, _MOST_NODES, _MAX_STEPS = 0.4, 64, 4_000_000, 2_000
_FOR_A_DAY = 86_400.0


class SampledStrategy:
    """How to play, for every role, wherever sampled matches came by; `sample` goes on with it."""

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        if not isinstance(game.reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine has no part in the core to sample {game.name} with")
        self._game = game
        self._reasoner = game.reasoner
        player = next(role for role in game.roles if role != RANDOM)
        start = Belief(game, player, views=True)
        self._rows, self._weights = start.thinned(1)
        self._search = InformationSetSearch(start.view_simulator, "solve", _EXPLORATION, _AT_ONCE, _MOST_NODES,
                                            _MAX_STEPS, seed)
        #: How many matches were sampled.
        self.matches = 0

    def sample(self, matches: int, deadline: Deadline = NEVER) -> None:
        """Play so many more matches, or as many as there is time for."""
        seconds = _FOR_A_DAY if deadline.at is None else max(0.0, deadline.remaining)
        self.matches += self._search.run(self._rows, self._weights, matches, seconds)

    @property
    def information_sets(self) -> int:
        """How many information sets matches came by."""
        return self._search.nodes

    def policy(self, role: str, history: Sequence[tuple[Move, frozenset[Term]]]) -> dict[Move, float] | None:
        """How likely each move is after what a role did and was told; None where no match came by."""
        seat = self._game.roles.index(self._game.role(role))
        belief = Belief(self._game, role, most=1, seed=0, views=True)
        for move, percepts in history:
            belief.perceived(move, percepts)
        rows, _ = belief.thinned(1)
        view = int(rows[0, belief.view_simulator.plain_words + seat])
        moves = self._reasoner.moves[seat]
        return {Move(moves[number]): part for number, _, _, part in self._search.report(seat, view)} or None

    def __call__(self, info: InformationSet) -> dict[Move, float]:
        """The same at an information set, for `GameTree.plan`; uniform where no match came by."""
        return self.policy(info.role, info.history) or dict.fromkeys(info.moves, 1 / len(info.moves))

    def __repr__(self) -> str:
        return (f"<SampledStrategy of {self._game.name}: {self.information_sets} information sets, "
                f"{self.matches} matches>")
