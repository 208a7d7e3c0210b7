"""A seat for a player on another machine, spoken to over HTTP."""

from __future__ import annotations

from contextlib import suppress

from ludorum.clock import NEVER, Deadline
from ludorum.errors import Fault, FaultKind, InvalidMessage, PlayerBusy, PlayerFailed, PlayerGone, PlayerLate
from ludorum.gdl import to_kif
from ludorum.match.seat import Answer, History, Terms
from ludorum.players.search_info import SearchInfo
from ludorum.protocol.client import RemotePlayer
from ludorum.protocol.messages import Moves, Percepts, Play, Stop
from ludorum.protocol.replies import parse_move

# To be polite to a match that is forgotten anyway.
_ABORT_S = 1.0
# A longer name would not fit into a table.
_MAX_NAME_CHARS = 40


class RemoteSeat:
    """Tells an HTTP player what its role may know: everyone's moves, or percepts where the game has secrets."""

    is_local = False

    def __init__(self, address: str, name: str | None = None) -> None:
        self._player = RemotePlayer(address, name=name)
        self._terms: Terms | None = None
        self.name = name or address
        self.spec = address

    def introduce(self, deadline: Deadline) -> None:
        """Ask what the player is called, if nobody has said so; who does not answer is called by its address."""
        if self.name == self.spec:
            with suppress(PlayerFailed):
                self.name = " ".join(self._player.info(deadline).name.split())[:_MAX_NAME_CHARS] or self.spec

    def start(self, terms: Terms, deadline: Deadline) -> None:
        self._terms = terms
        if terms.resumes is not None:
            with suppress(PlayerFailed):
                self._player.abort(terms.resumes, deadline.or_within(_ABORT_S))
        with _translating():
            self._player.start(terms.match, terms.role, to_kif(terms.game.rules), terms.start_clock or 0,
                               terms.play_clock or 0, deadline)

    def catch_up(self, news: History, deadline: Deadline) -> None:
        """The protocol has no other way to tell of a step than to ask for a move."""
        self.play(news, deadline)

    def play(self, news: History, deadline: Deadline) -> Answer:
        match, told = self._told(news)
        with _translating():
            reply = self._player.exchange(Play(match, told), deadline)
        info = None if reply.origin is None else SearchInfo(origin=reply.origin)
        try:
            return Answer(parse_move(reply.text), reply.text, info)
        except InvalidMessage as error:
            raise Fault("unreadable", str(error), reply.text) from error

    def stop(self, news: History, deadline: Deadline) -> None:
        match, told = self._told(news)
        with _translating():
            self._player.send(Stop(match, told), deadline)

    def abort(self, deadline: Deadline = NEVER) -> None:
        if self._terms is not None:
            with _translating():
                self._player.abort(self._terms.match, deadline)

    def _told(self, news: History) -> tuple[str, Moves | Percepts]:
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
            kinds: dict[type[PlayerFailed], FaultKind] = {PlayerLate: "late", PlayerGone: "gone", PlayerBusy: "busy"}
            raise Fault(kinds.get(type(error), "unreadable"), str(error)) from error
