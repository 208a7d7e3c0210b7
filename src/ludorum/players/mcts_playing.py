"""A match of a player that searches a tree by playouts: its tree, and what was found out about the game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.belief import hides
from ludorum.clock import ALL_DAY, NEVER, Deadline, now
from ludorum.engines.abilities import Simulates
from ludorum.game import Game
from ludorum.joint import goes_on
from ludorum.move import Move, Role
from ludorum.players.factored import FactoredPlanner, FactoredPlayer
from ludorum.players.montecarlo import MonteCarlo, MonteCarloPlaying
from ludorum.players.pregame import named_evaluation_in_time, parts_in_time, symmetries_in_time
from ludorum.players.search_info import SearchInfo
from ludorum.search.tree import TreeResult, TreeSearch
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.analysis.symmetry import Symmetries
    from ludorum.players.mcts import MCTS

# A goal that nothing is better than.
_MAX_GOAL = 100.0
# How long it looks for the hardest of moves that are proved to be equal: in playouts, and as a part of the time left.
_HARDEST_PLAYOUTS, _HARDEST_SHARE = 10_000, 0.5
# How long it thinks about a move where nobody says how long it may, in seconds.
_NO_CLOCK_S = 1.0


class MCTSPlaying:
    """What a player of `MCTS` has at a match."""

    def __init__(self, player: MCTS, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._symmetries: Symmetries | None = None
        self._evaluation: Evaluation | None = player.given
        self._has_evaluation = (player.given is not None or player.evaluation == "plain"
                                or not player.settings.needs_evaluation)
        #: Who plays the parts of the game; None if it is played as a whole.
        self._factored: FactoredPlayer | FactoredPlanner | None = None
        self._is_whole = not self._may_be_factored()
        self._search: TreeSearch | None = None
        #: Who plays where the engine has no part in the core.
        self._flat: MonteCarloPlaying | None = None
        #: What to think about while the others do.
        self._next: State | None = None
        #: The playouts of this search that were told of already.
        self._counted = 0
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """Finds out about the game, and thinks about the first state until the deadline, if there is one."""
        game, player = self._game, self._player
        if not isinstance(game.reasoner, Simulates) or game.initial.is_terminal:
            return
        thinks = deadline.at is not None and player.playouts is None
        factored = self._taking_apart(deadline)
        if factored is not None:
            if thinks:
                factored.prepare(deadline.or_within(player.seconds).with_margin())
            return
        if player.symmetries and not player.settings.has_statistics and self._search is None:
            self._symmetries = symmetries_in_time(game, deadline)
        search = self._searching(deadline)
        if thinks and goes_on(game.initial):
            search.think(game.initial, deadline=deadline.or_within(player.seconds).with_margin())

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        return self.move_within(state, deadline, self._player.playouts)

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        """A move after so many playouts; with None after so many seconds."""
        player, role, legal = self._player, self._role, state.legal(self._role)
        self._next = None
        if not isinstance(self._game.reasoner, Simulates):
            self._flat = MonteCarlo(ALL_DAY, playouts=work, seed=player.settings.seed).join(self._game, role)
            return self._flat.move(state, self._limit(deadline, work))
        begin = now()
        # Who counts playouts has all the time to find out about the game.
        patience = deadline if work is not None else deadline.or_within(player.seconds)
        factored = self._taking_apart(patience)
        if factored is not None and len(legal) > 1:
            found = factored.move(state, self._limit(deadline, work), work)
            if found is not None:
                self._info = replace(found.info, seconds=now() - begin)
                return found.move
            # It has had its part of the playouts; of the time it is known how much is left.
            work = None if work is None else max(1, work // 2)
        search = self._searching(patience)
        if len(legal) == 1:
            self._next = state
            self._info = SearchInfo(method="the only move")
            return legal[0]
        deadline = self._limit(deadline, work)
        result = search.think(state, playouts=work, deadline=deadline)
        move = result.best(role)
        equals = result.proved_best(role)
        if len(equals) > 1 and len(self._game.roles) > 1 and result.lower[role] < _MAX_GOAL:
            move = self._hardest(result, equals, deadline, work)
        self._info = _search_info(result, role, result.playouts - self._counted, now() - begin)
        self._counted = result.playouts
        self._next = state.after({role: move}) if state.choosers == (role,) else state
        return move

    def best_so_far(self, state: State) -> Move | None:
        """The move that the tree says is best now; None while it knows nothing of the state."""
        chosen = None if self._factored is None else self._factored.best_so_far(state)
        if chosen is not None:
            return chosen
        if self._flat is not None:
            return self._flat.best_so_far(state)
        result = None if self._search is None else self._search.result_at(state)
        known = () if result is None else result.moves.get(self._role, {}).values()
        if result is None or not any(found.visits or found.is_proved for found in known):
            return None
        return result.best(self._role)

    def ponder(self) -> None:
        """Thinks on from where its move leads, if that is certain, else from where it was made."""
        state = self._next
        if self._player.ponder and self._search is not None and state is not None and goes_on(state):
            self._search.look_at(state)
            self._search.begin()

    def finish(self) -> None:
        """Ends thinking on the others' time and forgets the tree."""
        if self._search is not None:
            self._search.halt()
        self._search = self._next = None
        if self._factored is not None:
            self._factored.finish()

    def _limit(self, deadline: Deadline, playouts: int | None) -> Deadline:
        """When to be done with a move."""
        seconds = None if playouts is not None else self._player.seconds
        if seconds is None and playouts is None and deadline.at is None:
            seconds = _NO_CLOCK_S
        return deadline.with_margin().or_within(seconds)

    def _hardest(self, result: TreeResult, moves: list[Move], deadline: Deadline, work: int | None) -> Move:
        """Of moves that are proved to be equal and not to win, the one that looks best to those who do not see it.

        The others may not see it either.
        """
        part = None if deadline.at is None else _HARDEST_SHARE * deadline.remaining
        playouts = min(_HARDEST_PLAYOUTS, work or _HARDEST_PLAYOUTS)
        settings = replace(self._player.settings, proofs=False)
        search = TreeSearch(self._game, settings, evaluation=self._evaluating(deadline))
        looks = search.think(result.state, playouts=playouts, deadline=deadline.or_within(part)).moves[self._role]
        return max(moves, key=lambda move: (looks[move].visits, result.moves[self._role][move].visits))

    # ---- what is found out once ----

    def _searching(self, deadline: Deadline) -> TreeSearch:
        if self._search is None:
            self._search = TreeSearch(self._game, self._player.settings, evaluation=self._evaluating(deadline),
                                      symmetries=self._symmetries)
            self._counted = 0
        return self._search

    def _evaluating(self, deadline: Deadline) -> Evaluation | None:
        """What the search is to ask; None is the plain evaluation."""
        if not self._has_evaluation:
            made = named_evaluation_in_time(self._player.evaluation, self._game, deadline)
            self._evaluation = None if isinstance(made, Absent) else made.core
            self._has_evaluation = True
        return self._evaluation

    def _may_be_factored(self) -> bool:
        player = self._player
        is_of_whole = player.settings.needs_evaluation and (player.given or player.evaluation != "plain")
        return player.factors and not hides(self._game) and not is_of_whole

    def _taking_apart(self, deadline: Deadline) -> FactoredPlayer | FactoredPlanner | None:
        """Who plays the parts of the game; None if it is played as a whole."""
        if self._factored is None and not self._is_whole:
            self._factored = self._factoring(deadline)
            self._is_whole = self._factored is None
        return self._factored

    def _factoring(self, deadline: Deadline) -> FactoredPlayer | FactoredPlanner | None:
        if len(self._game.roles) == 1:
            return FactoredPlanner.of(self._game, self._role, deadline)
        parts = parts_in_time(self._game, deadline)
        if isinstance(parts, Absent):
            return None
        alone = self._player.but(seconds=None, playouts=None, factors=False, symmetries=False)
        return FactoredPlayer(parts, self._role, [alone.join(part, self._role) for part in parts.games],
                              lambda info: info.playouts)


def _search_info(result: TreeResult, role: Role, playouts: int, seconds: float) -> SearchInfo:
    moves = result.moves[role]
    return SearchInfo(
        visits={move: found.visits for move, found in moves.items()},
        values={move: found.lower if found.is_proved else found.value for move, found in moves.items()},
        proved=frozenset(move for move, found in moves.items() if found.is_proved),
        principal_variation=result.principal_variation, method="solved" if result.is_solved else "tree search",
        playouts=playouts, states=result.nodes, depth=result.deepest, seconds=seconds)
