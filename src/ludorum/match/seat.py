"""Seats: where the players of a match sit, here or on another machine, as the referee sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players import Explains, Finishes, Player, Prepares, Thoughts
from ludorum.state import State

#: What can be wrong with an answer: it came too late; it is no legal move; it is no move at all; nobody answered; the
#: player said that it is busy; or it broke.
Kind = Literal["late", "illegal", "unreadable", "gone", "busy", "failed"]


class Fault(Exception):
    """A player did not do what was asked of it. Never ends a match: the referee plays on."""

    def __init__(self, kind: Kind, message: str, sent: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.sent = sent


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
    #: The name under which the match began, if it was interrupted; players may still think about it.
    resumes: str | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What happened in the last step: nothing before the first."""

    #: How many steps were made.
    step: int
    #: The whole state; a player of a game with secrets gets to see of it what its role may know.
    state: State
    joint: dict[Role, Move] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A move as a player sent it, before anybody has looked whether it is legal."""

    move: Move
    sent: str
    thoughts: Thoughts | None = None


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

    def catch_up(self, news: News, deadline: Deadline) -> None:
        """Learn of a step that was made before an interruption; no move is wanted."""

    def play(self, news: News, deadline: Deadline) -> Answer: ...

    def stop(self, news: News, deadline: Deadline) -> None:
        """The match is over."""

    def abort(self, deadline: Deadline) -> None:
        """The match is given up."""


class LocalSeat:
    """One of our players, or one of yours, in this process."""

    is_local = True

    def __init__(self, player: Player, name: str | None = None, spec: str | None = None) -> None:
        self._player = player
        self._role = Role("")
        self.name = name or spec or repr(player)
        self.spec = spec or self.name

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._role = terms.role
        if isinstance(self._player, Prepares):
            with _blaming("prepare"):
                self._player.prepare(terms.game, terms.role, deadline)

    def catch_up(self, news: News, deadline: Deadline) -> None:
        """Nothing to learn: the state says it all."""

    def play(self, news: News, deadline: Deadline) -> Answer:
        with _blaming("move"):
            move = self._player.move(news.state, self._role, deadline)
        if not isinstance(move, Move):
            raise Fault("unreadable", f"{type(move).__name__} is no Move", repr(move))
        thoughts = self._player.thoughts if isinstance(self._player, Explains) else None
        return Answer(move, str(move), thoughts)

    def stop(self, news: News, deadline: Deadline) -> None:
        self.abort(deadline)

    def abort(self, deadline: Deadline) -> None:
        if isinstance(self._player, Finishes):
            with _blaming("finish"):
                self._player.finish()


class _blaming:
    """Whatever a player raises is its own fault and ends nobody else's match."""

    def __init__(self, method: str) -> None:
        self._method = method

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, Fault):
            what = str(error) if isinstance(error, LudorumError) else f"{type(error).__name__}: {error}"
            raise Fault("failed", f"{self._method} raised {what}") from error
