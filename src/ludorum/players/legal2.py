"""The simplest player of games with secrets: it makes a move that it knows to be legal.

In the literature: the legal player for GDL-II (Thielscher 2013).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal, get_args

from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.move import Move, Role
from ludorum.players.background import by_deadline
from ludorum.players.clocks import Clocks
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief
    from ludorum.belief.filtering import Filter
    from ludorum.game import Game

Knowing = Literal["paper", "backbone", "exact"]

# The part of the time in which it thinks about what it knows.
_SHARE = 0.8


class Legal2(MovesOnce):
    """Draws a move that it knows to be legal.

    `filter` is how it knows: by the paper's sets of fluents, by the best such sets (`backbone`), or by all states that
    are possible (`exact`). Where it knows of no move, or not in time, it takes one that is legal in all states.
    """

    def __init__(self, filter: Knowing = "paper", *, seed: int | None = None) -> None:
        if filter not in get_args(Knowing):
            raise ValueError(f"filter can be paper, backbone or exact, not {filter!r}")
        self.filter: Knowing = filter
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> Legal2Playing:
        return Legal2Playing(self, game, game.role(role))

    def __repr__(self) -> str:
        return f"Legal2(filter={self.filter!r}, seed={self.seed})"


class Legal2Playing:
    """A match of `Legal2`."""

    def __init__(self, player: Legal2, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._random = random.Random(player.seed)
        self._filter: Filter | None = None
        self._is_lost = player.filter == "exact"
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """Grounds the rules."""
        self._known((), deadline)

    def finish(self) -> None:
        """Nothing goes on."""

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        return self._random.choice(list(state.legal(self._role)))

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """One of the moves that are known to be legal."""
        history = belief.history
        known = () if history is None else self._known(history, deadline)
        self._info = SearchInfo(method=f"{len(known)} moves known to be legal by its filter" if known
                                else "legal in all possible states")
        return self._random.choice(list(known or belief.legal))

    def _known(self, history: tuple[tuple[Move, frozenset[Term]], ...], deadline: Deadline) -> tuple[Move, ...]:
        if self._is_lost:
            return ()
        try:
            found = by_deadline(lambda: self._follow(history), deadline.part(_SHARE))
        except LudorumError:
            found = None
        # Whoever is late stays so: what goes on in the background must not be asked again.
        self._is_lost = found is None
        return found or ()

    def _follow(self, history: tuple[tuple[Move, frozenset[Term]], ...]) -> tuple[Move, ...]:
        from ludorum.belief.filtering import Filter

        assert self._player.filter != "exact"
        if self._filter is None or self._filter.turns > len(history):
            self._filter = Filter(self._game, self._role, self._player.filter)
        for move, percepts in history[self._filter.turns:]:
            self._filter.perceived(move, percepts)
        return self._filter.legal
