"""Seats: where the players of a match sit, here or on another machine, as the referee sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from ludorum.clock import Deadline
from ludorum.errors import Fault, InvalidTerm, LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players import AnyPlayer, Clocks, Playing, Ponders, SearchInfo, join_match
from ludorum.players.determinization import determinized_move
from ludorum.players.search_info import as_search_info, move_origin
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief import Belief


@dataclass(frozen=True, slots=True)
class Terms:
    """What a player is told before a match."""

    match: str
    game: Game
    role: Role
    start_clock: float | None
    play_clock: float | None
    #: Whether players are told percepts instead of each other's moves.
    has_secrets: bool
    #: For what is left to chance in a seat.
    seed: int
    #: The name under which the match began, if it was interrupted; players may still think about it.
    resumes: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What has happened up to a step; nothing but the initial state before the first.

    The referee tells everything, and a seat passes on to its player what the role may know.
    """

    #: How many joint moves were made. The lists may be longer by the time that they are read.
    step: int
    states: Sequence[State]
    joints: Sequence[dict[str, Move]]

    @property
    def state(self) -> State:
        return self.states[self.step]

    @property
    def joint(self) -> dict[str, Move] | None:
        """The joint move that was made last."""
        return self.joints[self.step - 1] if self.step else None


@dataclass(frozen=True, slots=True)
class Answer:
    """A move as a player sent it, before anybody has looked whether it is legal."""

    move: Move
    sent: str
    info: SearchInfo | None = None


class Seat(Protocol):
    """A player at a match. Every method returns by the deadline or raises Fault; the referee does not rely on it.

    A seat is asked one thing at a time, but not always from the same thread.
    """

    @property
    def name(self) -> str:
        """What people call the player."""

    @property
    def spec(self) -> str:
        """How to seat it again: a name with options, or an address."""

    @property
    def is_local(self) -> bool:
        """Whether it thinks on this machine."""

    def start(self, terms: Terms, deadline: Deadline) -> None: ...

    def catch_up(self, news: History, deadline: Deadline) -> None:
        """Learn of a step that was made before an interruption; no move is wanted."""

    def play(self, news: History, deadline: Deadline) -> Answer: ...

    def stop(self, news: History, deadline: Deadline) -> None:
        """The match is over."""

    def abort(self, deadline: Deadline) -> None:
        """The match is given up."""


class LocalSeat:
    """One of our players, or one of yours, in this process.

    In a game with secrets it is not shown the state, but states that are possible for all that its role can know, and
    plays what is worth the most in them on average.
    """

    is_local = True

    def __init__(self, player: AnyPlayer, name: str | None = None, spec: str | None = None) -> None:
        self._player = player
        self._role = Role("")
        self._playing: Playing | None = None
        self._belief: Belief | None = None
        self.name = name or spec or repr(player)
        self.spec = spec or self.name

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._role = terms.role
        self._belief = None
        if terms.has_secrets:
            # Not before it is needed: importing this must not take as long as importing NumPy.
            from ludorum.belief import Belief

            self._belief = Belief(terms.game, terms.role, seed=terms.seed)
        with _blaming("join"):
            clocks = Clocks(terms.start_clock, terms.play_clock)
            self._playing = join_match(self._player, terms.game, terms.role, clocks)
        with _blaming("prepare"):
            self._playing.prepare(deadline)

    def catch_up(self, news: History, deadline: Deadline) -> None:
        """Nothing to do: the news that come with a question tell everything."""

    def play(self, news: History, deadline: Deadline) -> Answer:
        if self._playing is None:
            raise Fault("failed", "it has not joined the match")
        with _blaming("move"):
            move = self._move(self._playing, news, deadline)
        if not isinstance(move, Move):
            raise Fault("unreadable", f"{type(move).__name__} is no move: {move!r}", repr(move))
        info = _info(self._playing)
        if info is not None and info.origin is None:
            info = replace(info, origin=move_origin(move, len(news.state.legal(self._role)), info))
        return Answer(move, str(move), info)

    def ponder(self) -> None:
        if isinstance(self._playing, Ponders):
            self._playing.ponder()

    def _move(self, playing: Playing, news: History, deadline: Deadline) -> Move:
        if self._belief is None:
            return playing.move(news.state, deadline)
        # Of steps in which it was late it has not heard.
        for step in range(self._belief.turns, news.step):
            percepts = news.states[step + 1].percepts[self._role]
            self._belief.perceived(news.joints[step][self._role], percepts, deadline)
        return determinized_move(playing, self._belief, self._role, deadline)

    def stop(self, news: History, deadline: Deadline) -> None:
        self.abort(deadline)

    def abort(self, deadline: Deadline) -> None:
        if self._playing is not None:
            with _blaming("finish"):
                self._playing.finish()


def _info(playing: Playing) -> SearchInfo | None:
    """What a player says of its thinking, which is its own affair: whatever is wrong with it, the match goes on."""
    try:
        return as_search_info(playing.info)
    except Exception:
        return None


class _blaming:
    """Whatever a player raises is its own fault and ends nobody else's match."""

    def __init__(self, method: str) -> None:
        self._method = method

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, Fault):
            if isinstance(error, InvalidTerm):
                raise Fault("unreadable", str(error)) from error
            what = str(error) if isinstance(error, LudorumError) else f"{type(error).__name__}: {error}"
            raise Fault("failed", f"{self._method} raised {what}") from error
