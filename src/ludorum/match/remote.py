"""A seat for a player on another machine, spoken to over HTTP."""

from __future__ import annotations

from contextlib import suppress

from ludorum.clock import NEVER, Deadline
from ludorum.errors import InvalidMessage, PlayerBusy, PlayerFailed, PlayerGone, PlayerLate
from ludorum.gdl import to_kif
from ludorum.match.seat import Answer, Fault, Kind, News, Terms
from ludorum.protocol.client import RemotePlayer
from ludorum.protocol.messages import Moves, Percepts, Play, Stop
from ludorum.protocol.replies import parse_move

# To be polite to a match that is forgotten anyway.
_ABORTING = 1.0


class RemoteSeat:
    """Tells an HTTP player what its role may know: everyone's moves, or percepts where the game has secrets."""

    is_local = False

    def __init__(self, address: str, name: str | None = None) -> None:
        self._player = RemotePlayer(address, name=name)
        self._terms: Terms | None = None
        self.name = name or address
        self.spec = address

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._terms = terms
        if terms.resumes is not None:
            with suppress(PlayerFailed):
                self._player.abort(terms.resumes, deadline.or_within(_ABORTING))
        with _translating():
            self._player.start(terms.match, terms.role, to_kif(terms.game.rules), terms.start_clock or 0,
                               terms.play_clock or 0, deadline)

    def catch_up(self, news: News, deadline: Deadline) -> None:
        """The protocol has no other way to tell of a step than to ask for a move."""
        self.play(news, deadline)

    def play(self, news: News, deadline: Deadline) -> Answer:
        match, told = self._told(news)
        with _translating():
            reply = self._player.send(Play(match, told), deadline)
        try:
            return Answer(parse_move(reply), reply)
        except InvalidMessage as error:
            raise Fault("unreadable", str(error), reply) from error

    def stop(self, news: News, deadline: Deadline) -> None:
        match, told = self._told(news)
        with _translating():
            self._player.send(Stop(match, told), deadline)

    def abort(self, deadline: Deadline = NEVER) -> None:
        if self._terms is not None:
            with _translating():
                self._player.abort(self._terms.match, deadline)

    def _told(self, news: News) -> tuple[str, Moves | Percepts]:
        assert self._terms is not None, "a seat is asked to start first"
        terms = self._terms
        if terms.has_secrets:
            if news.joint is None:
                return terms.match, Percepts(news.step)
            return terms.match, Percepts(news.step, news.joint[terms.role].term, news.state.percepts[terms.role])
        return terms.match, Moves(tuple(news.joint[role].term for role in terms.game.roles) if news.joint else ())


class _translating:
    """From what the client raises to what the referee writes down."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PlayerFailed):
            kinds: dict[type[PlayerFailed], Kind] = {PlayerLate: "late", PlayerGone: "gone", PlayerBusy: "busy"}
            raise Fault(kinds.get(type(error), "unreadable"), str(error)) from error
