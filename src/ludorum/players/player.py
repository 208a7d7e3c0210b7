"""What it takes to be a player: to join a match, or simply to choose a move.

What is found out before the first move, and kept from move to move, belongs to the match: `join` begins one and gives
a `Playing`. A player that keeps nothing needs only a method `move`, and `join_match` makes the rest of it. An absent
ability is an absent method: ask with `isinstance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ludorum.clock import NEVER, Deadline
from ludorum.errors import InvalidTerm
from ludorum.gdl.terms import Term
from ludorum.move import Move, MoveLike, Role
from ludorum.players.clocks import Clocks
from ludorum.players.search_info import SearchInfo, as_search_info
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief
    from ludorum.game import Game


class Playing(Protocol):
    """A player at one match, in one role."""

    def prepare(self, deadline: Deadline) -> None:
        """Use the time before the first move."""

    def move(self, state: State, deadline: Deadline) -> Move:
        """A legal move before the deadline; the state is not terminal and the role has a legal move."""

    def finish(self) -> None:
        """The match is over: end what goes on."""

    @property
    def info(self) -> SearchInfo | None:
        """Why it chose its last move; None before the first, or if it does not say."""


@runtime_checkable
class ThinksAloud(Protocol):
    """Can tell the best move so far while it thinks, to another thread."""

    def best_so_far(self, state: State) -> Move | None:
        """The move it would make now in this state; None if it has not thought about it yet."""


@runtime_checkable
class CountsWork(Protocol):
    """Can be told how much work to do for a move, in playouts or states, instead of how long it may take."""

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        """A legal move after so much work, or by the deadline; None leaves it to the other limits."""

    @property
    def info(self) -> SearchInfo | None: ...


@runtime_checkable
class PlaysInDoubt(Protocol):
    """Chooses by all that its role can know, be it one state or many."""

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """A move that is legal in all states that are possible, before the deadline; the role has such a move."""


@runtime_checkable
class Mixes(Protocol):
    """Draws its moves, with probabilities that it can tell."""

    def policy(self, belief: Belief) -> dict[Move, float] | None:
        """How likely it plays each move by all that its role can know; None if it would not draw."""


@runtime_checkable
class Ponders(Protocol):
    """Can think on while the others do."""

    def ponder(self) -> None:
        """Go on from the last move, in the background. It is called when the move has been answered."""


@runtime_checkable
class Player(Protocol):
    """Somebody who joins matches."""

    def join(self, game: Game, role: Role, clocks: Clocks) -> Playing: ...


class SimplePlayer(Protocol):
    """Somebody who chooses a move; with `prepare(game, role, deadline)`, `finish()` and `info` if they are there."""

    def move(self, state: State, role: Role, deadline: Deadline) -> MoveLike:
        """A legal move for the role, before the deadline; a text of it will do."""


#: Wherever a player is wanted, either will do.
AnyPlayer = Player | SimplePlayer


def join_match(player: AnyPlayer, game: Game, role: str, clocks: Clocks | None = None) -> Playing:
    """A player at a match, whether it keeps something from move to move or not."""
    clocks = clocks or Clocks()
    if isinstance(player, Player):
        return player.join(game, game.role(role), clocks)
    return SimplePlaying(player, game, game.role(role))


class SimplePlaying:
    """A match of a player that has little more than a method `move`."""

    def __init__(self, player: SimplePlayer, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role

    def prepare(self, deadline: Deadline) -> None:
        prepare = getattr(self._player, "prepare", None)
        if prepare is not None:
            prepare(self._game, self._role, deadline)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        made = self._player.move(state, self._role, deadline)
        if not isinstance(made, Move | Term | str):
            raise InvalidTerm(f"{type(made).__name__} is no move: {made!r}")
        return made if isinstance(made, Move) else Move(made)

    def finish(self) -> None:
        finish = getattr(self._player, "finish", None)
        if finish is not None:
            finish()

    @property
    def info(self) -> SearchInfo | None:
        return as_search_info(getattr(self._player, "info", None))


class MovesOnce:
    """What those who join matches have beside it: a move in a single state, of which nothing is kept."""

    def move(self: Player, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        playing = self.join(state.game, state.game.role(role), Clocks())
        try:
            return playing.move(state, deadline)
        finally:
            playing.finish()
