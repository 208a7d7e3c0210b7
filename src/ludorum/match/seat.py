"""Seats: where the players of a match sit, here or on another machine, as the referee sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players import Explains, Finishes, Player, Prepares, Thoughts
from ludorum.players.uncertain import move_in_doubt
from ludorum.search.belief import Belief
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
    #: For what is left to chance in a seat.
    seed: int
    #: The name under which the match began, if it was interrupted; players may still think about it.
    resumes: str | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What has happened up to a step; nothing but the initial state before the first.

    The referee tells everything, and a seat passes on to its player what the role may know.
    """

    #: How many joint moves were made. The lists may be longer by the time that they are read.
    step: int
    states: Sequence[State]
    joints: Sequence[dict[Role, Move]]

    @property
    def state(self) -> State:
        return self.states[self.step]

    @property
    def joint(self) -> dict[Role, Move] | None:
        """The joint move that was made last."""
        return self.joints[self.step - 1] if self.step else None


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
    """One of our players, or one of yours, in this process.

    In a game with secrets it is not shown the state, but states that are possible for all that its role can know, and
    plays what it would play in most of them.
    """

    is_local = True

    def __init__(self, player: Player, name: str | None = None, spec: str | None = None) -> None:
        self._player = player
        self._role = Role("")
        self._belief: Belief | None = None
        self.name = name or spec or repr(player)
        self.spec = spec or self.name

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._role = terms.role
        self._belief = Belief(terms.game, terms.role, seed=terms.seed) if terms.has_secrets else None
        if isinstance(self._player, Prepares):
            with _blaming("prepare"):
                self._player.prepare(terms.game, terms.role, deadline)

    def catch_up(self, news: News, deadline: Deadline) -> None:
        """Nothing to do: the news that come with a question tell everything."""

    def play(self, news: News, deadline: Deadline) -> Answer:
        with _blaming("move"):
            move = self._move(news, deadline)
        if not isinstance(move, Move):
            raise Fault("unreadable", f"{type(move).__name__} is no Move", repr(move))
        thoughts = self._player.thoughts if isinstance(self._player, Explains) else None
        return Answer(move, str(move), thoughts)

    def _move(self, news: News, deadline: Deadline) -> Move:
        if self._belief is None:
            return self._player.move(news.state, self._role, deadline)
        # Of steps in which it was late it has not heard.
        for step in range(self._belief.turns, news.step):
            percepts = news.states[step + 1].percepts[self._role]
            self._belief.perceived(news.joints[step][self._role], percepts, deadline)
        return move_in_doubt(self._player, self._belief, self._role, deadline)

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
