"""A player that searches by what every role knows, in games with secrets.

In the literature: information-set Monte-Carlo tree search with many observers (Cowling, Powley, Whitehouse 2012), here
from beliefs that say what the others have seen as well.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline, now
from ludorum.engines.abilities import Simulates
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.determinization import determinized_move
from ludorum.players.mcts import MCTS
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import InformationSetSearch
    from ludorum.belief import Belief
    from ludorum.belief.stepping import Rows
    from ludorum.game import Game

# So many states a belief with views holds before it is a sample, and so many a search draws from.
_MOST_STATES, _MOST_ROOTS = 200_000, 20_000
# The part of the time for a move that may go into what the others know, and that is kept for answering.
_BELIEF_SHARE, _ANSWER_SHARE = 0.4, 0.95
# Where another role may have seen more different things than this, it is taken not to know which.
_MOST_VIEWS = 64
# A simulation takes no more steps, a tree no more nodes, and no more simulations are under way at once.
_MAX_STEPS, _MOST_NODES, _AT_ONCE = 2_000, 1_000_000, 256
# What is explored: the constant of upper confidence bounds, and the part of moves that are drawn at random.
_EXPLORATION, _REGRET_EXPLORATION = 0.7, 0.2
# Moves that are less likely than this in a strategy come of exploring, and are not played.
_LEAST_LIKELY = 0.05
_UNLIMITED = 1 << 62


class ISMCTS(MovesOnce):
    """Searches a tree for every role by what that role knows, from all states that are possible.

    So it sees what asking is worth, and what others make of what they are told. It plays the move that was tried most;
    with `mixing` moves are tried so that regret stays small, and drawn as often as they were meant to be. It thinks for
    `seconds`, or so many `playouts`, but never past the deadline. Where the game has no secrets, or the engine no part
    in the core, it plays as `MCTS`.
    """

    def __init__(self, seconds: float | None = 1.0, *, playouts: int | None = None, mixing: bool = False,
                 exploration: float | None = None, seed: int | None = None) -> None:
        if playouts is not None and playouts < 1:
            raise ValueError(f"playouts cannot be {playouts}")
        if exploration is not None and (exploration < 0 or (mixing and exploration > 1)):
            raise ValueError(f"exploration cannot be {exploration}")
        self.seconds = seconds
        self.playouts = playouts
        self.mixing = mixing
        self.exploration = exploration
        self.seed = seed
        # What it cannot think with should be told now, not in the middle of a match.
        self.fallback()

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> ISMCTSPlaying:
        return ISMCTSPlaying(self, game, game.role(role))

    def fallback(self) -> MCTS:
        return MCTS(self.seconds, playouts=self.playouts, seed=self.seed)

    def __repr__(self) -> str:
        return f"ISMCTS(seconds={self.seconds}, playouts={self.playouts}, mixing={self.mixing}, seed={self.seed})"


class ISMCTSPlaying:
    """A match of `ISMCTS`: its trees, which are kept from move to move, and what the others may have seen."""

    def __init__(self, player: ISMCTS, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._seat = game.roles.index(role)
        self._random = random.Random(player.seed)
        self._fallback = player.fallback().join(game, role)
        self._belief: Belief | None = None
        self._search: InformationSetSearch | None = None
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info or self._fallback.info

    def prepare(self, deadline: Deadline) -> None:
        """Nothing to do: what is possible is not known before the match."""

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        """A move in a state that everybody sees."""
        self._info = None
        return self._fallback.move(state, deadline)

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """The move that does best by what everybody knows; of a strategy, one that is drawn."""
        self._info = None
        start = now()
        legal = belief.legal
        limit = deadline.part(_ANSWER_SHARE).or_within(self._player.seconds)
        found = self._search_from(belief, limit)
        found = {move: report for move, report in found.items() if move in legal}
        if not found:
            return determinized_move(self._fallback, belief, self._role, deadline)
        visits = {move: report[0] for move, report in found.items()}
        self._info = SearchInfo(visits=visits, values={move: report[1] for move, report in found.items()},
                                method=f"information-set search, {len(belief)} possible states",
                                playouts=sum(visits.values()), seconds=now() - start)
        if not self._player.mixing:
            return max(visits, key=visits.__getitem__)
        likely = {move: report[2] for move, report in found.items()}
        most = max(likely.values())
        drawn = [move for move, part in likely.items() if part >= _LEAST_LIKELY * most]
        return self._random.choices(drawn, [likely[move] for move in drawn])[0]

    def finish(self) -> None:
        self._fallback.finish()

    def _search_from(self, belief: Belief, deadline: Deadline) -> dict[Move, tuple[int, float, float]]:
        """For every move how often it was tried, its mean result and its part of the strategy; nothing if it cannot."""
        history = belief.history
        if history is None or not isinstance(self._game.reasoner, Simulates):
            return {}
        try:
            views = self._views(history, deadline)
        except LudorumError:
            # Percepts that make no sense, or a core that has no room: others play on without views.
            self._belief = None
            return {}
        if not views.is_in_core or not views.is_consistent:
            return {}
        search = self._search = self._search or self._new_search(views)
        rows, weights = views.thinned(_MOST_ROOTS)
        rows = self._pooled(rows, views.view_simulator.plain_words)
        playouts = self._player.playouts or _UNLIMITED
        if self._player.playouts is None and deadline.at is None:
            deadline = Deadline.within(1.0)
        search.run(rows, weights, playouts, max(0.0, min(deadline.remaining, 1e6)))
        moves = self._game.reasoner.moves[self._seat]
        view = int(rows[0, views.view_simulator.plain_words + self._seat])
        return {Move(moves[number]): (visits, value, probability)
                for number, visits, value, probability in search.report(self._seat, view)}

    def _views(self, history: tuple[tuple[Move, frozenset[Term]], ...], deadline: Deadline) -> Belief:
        from ludorum.belief import Belief

        if self._belief is None or self._belief.turns > len(history):
            self._belief = Belief(self._game, self._role, most=_MOST_STATES, seed=self._player.seed, views=True)
            self._search = None
        for move, percepts in history[self._belief.turns:]:
            self._belief.perceived(move, percepts, deadline.part(_BELIEF_SHARE))
        return self._belief

    def _pooled(self, rows: Rows, first: int) -> Rows:
        """The same rows, but others who may have seen too many different things to learn from are all as one."""
        for other in range(len(self._game.roles)):
            if other != self._seat and len(set(rows[:, first + other].tolist())) > _MOST_VIEWS:
                rows = rows.copy()
                rows[:, first + other] = self._belief.turns if self._belief else 0
        return rows

    def _new_search(self, views: Belief) -> InformationSetSearch:
        from ludorum._core import InformationSetSearch

        player = self._player
        usual = _REGRET_EXPLORATION if player.mixing else _EXPLORATION
        return InformationSetSearch(views.view_simulator, "regret" if player.mixing else "ucb",
                                    usual if player.exploration is None else player.exploration, _AT_ONCE, _MOST_NODES,
                                    _MAX_STEPS, self._random.getrandbits(62))
