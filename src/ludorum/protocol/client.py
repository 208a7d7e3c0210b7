"""The half of the protocol that a referee speaks: messages to a player elsewhere, and its answers in time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import httpcore
from httpx import URL, InvalidURL

from ludorum.clock import Deadline
from ludorum.errors import InvalidMessage, PlayerBusy, PlayerGarbled, PlayerGone, PlayerLate, UnknownPlayer
from ludorum.move import Move, MoveLike, as_term, as_terms
from ludorum.players.search_info import Origin, as_origin
from ludorum.protocol.hurry import Hurrying
from ludorum.protocol.messages import Abort, Info, Message, Moves, News, Percepts, Play, Preview, Start, Stop
from ludorum.protocol.replies import BUSY, READY, Status, parse_move, parse_status

#: Where a player listens unless it says otherwise.
DEFAULT_PORT = 9147
# The longest moves of the known games have a few hundred characters.
MAX_REPLY_BYTES = 64 << 10

#: In this header of a reply our player says how a move came about.
ORIGIN_HEADER = "Ludorum-Origin"

_HAS_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    origin: Origin | None = None


class RemotePlayer:
    """A player that listens at an address: `host`, `host:port` or `http://host:port/`.

    Every method sends one message and returns what is in the reply. It returns or raises by its deadline, however
    slowly the player sends, and reads at most `most_reply` bytes of what it sends:

    - PlayerLate: there was no whole reply by the deadline;
    - PlayerGone: nobody listens there, or the connection broke;
    - PlayerGarbled: the reply is too long, has an error status, or is not what the message asks for;
    - PlayerBusy: the player said so, which only `start` and `preview` ask.

    All of these are PlayerFailed and name the player and the message. Looking up the name of a host is the one thing
    that may pass a deadline; an address in numbers cannot.

    Threads: methods may be called from several threads at once; every message has its own connection, and nothing is
    remembered between messages. Does not: know games. Moves that come back are terms that need not be legal.
    """

    def __init__(self, address: str, *, name: str | None = None, most_reply: int = MAX_REPLY_BYTES) -> None:
        self.address = address
        self.name = name or address
        self._url = _url(address)
        self._most_reply = most_reply

    def info(self, deadline: Deadline) -> Status:
        reply = self.send(Info(), deadline)
        try:
            return parse_status(reply)
        except InvalidMessage as error:
            raise PlayerGarbled(f"{self.name}: {error}") from error

    def preview(self, rules: str, clock: float, deadline: Deadline) -> None:
        """Show rules that may be played soon."""
        self._expect_ready(Preview(rules, clock), deadline)

    def start(self, match: str, role: str, rules: str, start_clock: float, play_clock: float,
              deadline: Deadline) -> None:
        """Begin a match; it returns when the player is ready. `rules` is the text of rules in KIF."""
        self._expect_ready(Start(match, role, rules, start_clock, play_clock), deadline)

    def play(self, match: str, moves: str | Sequence[MoveLike] | None, deadline: Deadline) -> Move:
        """Tell the joint move made last, one move a role in their order (None before the first), and ask for the next
        (GDL-I)."""
        return self._ask(Play(match, _moves(moves)), deadline)

    def play_percepts(self, match: str, turn: int, move: MoveLike | None, percepts: Iterable[MoveLike],
                      deadline: Deadline) -> Move:
        """Tell what the player's role did last and what it sees, and ask for its next move (GDL-II).

        Turns count from 0; before the first move there is neither a move nor percepts.
        """
        return self._ask(Play(match, _percepts(turn, move, percepts)), deadline)

    def stop(self, match: str, moves: str | Sequence[MoveLike] | None, deadline: Deadline) -> None:
        """Tell the last joint move: the match is over (GDL-I). Whatever the player replies will do."""
        self.send(Stop(match, _moves(moves)), deadline)

    def stop_percepts(self, match: str, turn: int, move: MoveLike | None, percepts: Iterable[MoveLike],
                      deadline: Deadline) -> None:
        """Tell the last own move and percepts: the match is over (GDL-II). Whatever the player replies will do."""
        self.send(Stop(match, _percepts(turn, move, percepts)), deadline)

    def abort(self, match: str, deadline: Deadline) -> None:
        """The match ends here, unfinished. Whatever the player replies will do."""
        self.send(Abort(match), deadline)

    def send(self, message: Message | str, deadline: Deadline) -> str:
        """The text of the reply to a message; raises PlayerLate, PlayerGone or PlayerGarbled."""
        return self.exchange(message, deadline).text

    def exchange(self, message: Message | str, deadline: Deadline) -> Reply:
        """The reply to a message with what the player says of its origin; raises as `send` does."""
        text = str(message)
        what = _kind(text)
        headers = [("Host", self._url.netloc.decode()), ("Accept", "text/delim"), ("Sender", "GAMESERVER"),
                   ("Receiver", _header(self.name)), ("Content-Type", "text/acl"), ("Connection", "close")]
        body = text.encode()
        headers.append(("Content-Length", str(len(body))))
        try:
            with (httpcore.ConnectionPool(network_backend=Hurrying(deadline)) as pool,
                  pool.stream("POST", str(self._url), headers=headers, content=body) as response):
                content = b""
                for part in response.iter_stream():
                    content += part
                    if len(content) > self._most_reply:
                        raise PlayerGarbled(f"{self.name} answered {what} with more than {self._most_reply:,} bytes")
        except httpcore.TimeoutException as error:
            raise PlayerLate(f"{self.name} did not answer {what} in time") from error
        except (httpcore.NetworkError, httpcore.RemoteProtocolError) as error:
            # What is no HTTP at all is garbage; a connection that ends early is a player that went away.
            failure = PlayerGarbled if _is_noise(error) else PlayerGone
            raise failure(f"{self.name} did not answer {what}: {error}") from error
        reply = content.decode(errors="replace").strip()
        if not 200 <= response.status < 300:
            # Web servers like to answer with a whole page.
            shown = " ".join(reply.split())[:200]
            raise PlayerGarbled(f"{self.name} answered {what} with status {response.status}: {shown}")
        told = {name.lower(): value for name, value in response.headers}.get(ORIGIN_HEADER.lower().encode(), b"")
        return Reply(reply, as_origin(told.decode(errors="replace")))

    def _ask(self, message: Play, deadline: Deadline) -> Move:
        reply = self.send(message, deadline)
        try:
            return parse_move(reply)
        except InvalidMessage as error:
            raise PlayerGarbled(f"{self.name}: {error}") from error

    def _expect_ready(self, message: Message, deadline: Deadline) -> None:
        reply = self.send(message, deadline)
        if reply.upper() == BUSY:
            raise PlayerBusy(f"{self.name} is busy")
        if reply.upper() != READY:
            raise PlayerGarbled(f"{self.name} answered {_kind(str(message))} with {reply[:60]!r}, not READY")

    def __repr__(self) -> str:
        return f"RemotePlayer({self.address!r})"


def is_address(text: str) -> bool:
    """Whether a text can be meant as the address of a player: it names a port or starts like one of the web."""
    return bool(re.fullmatch(r"https?://\S+|(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}/?", text))


def _url(address: str) -> URL:
    try:
        url = URL(address if _HAS_SCHEME.match(address) else f"http://{address}")
    except InvalidURL as error:
        raise UnknownPlayer(f"{address!r} is no address of a player: {error}") from error
    is_odd = re.search(r"\s", address) or (url.port or 0) > 65535
    if url.scheme not in ("http", "https") or not url.host or is_odd:
        raise UnknownPlayer(f"{address!r} is no address of a player: write host:port or http://host:port")
    if url.port is None and not _HAS_SCHEME.match(address):
        url = url.copy_with(port=DEFAULT_PORT)
    return url


def _moves(moves: str | Sequence[MoveLike] | None) -> News:
    return Moves(as_terms(moves or ()))


def _percepts(turn: int, move: MoveLike | None, percepts: Iterable[MoveLike]) -> News:
    return Percepts(turn, None if move is None else as_term(move), frozenset(as_terms(percepts)))


def _kind(text: str) -> str:
    word = re.search(r"\w+", text)
    return word.group() if word else "a message"


def _header(name: str) -> str:
    # Blanks at its ends are no part of a header.
    return re.sub(r"[^ -~]", "?", name).strip()


def _is_noise(error: Exception) -> bool:
    return isinstance(error, httpcore.RemoteProtocolError) and "without sending" not in str(error)
