"""Thirty kinds of requests that no referee should send: malformed, slow, huge, and those of a stranger to a live match.

Every kind is a function that sends one request and says in a word what came of it. Those of a stranger come from
another address of the loopback device than the referee's.
"""

from __future__ import annotations

import random
import socket
import string
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from urllib.parse import urlsplit

#: The referee's messages come from 127.0.0.1.
STRANGER = "127.0.0.2"
_TIMEOUT_S = 30.0
# Strangers ask for one of so many matches that began last.
_RECENT = 5
_RULES = "(role a) (role b) (init (p 1)) (<= (legal ?r x) (role ?r)) (<= terminal (true (p 2))) (goal a 50) (goal b 50)"


def match_name(number: int) -> str:
    return f"survival.{number}"


@dataclass
class Target:
    """Where requests go, with chance, and the names of matches that are on."""

    address: str
    chance: random.Random
    matches: Sequence[str]
    source: str = "127.0.0.1"

    def connected(self) -> socket.socket:
        place = urlsplit(self.address)
        return socket.create_connection((str(place.hostname), place.port), timeout=_TIMEOUT_S,
                                        source_address=(self.source, 0))

    def post(self, body: bytes, headers: str = "") -> str:
        head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n{headers}Connection: close\r\n\r\n"
        return self.raw(head.encode() + body)

    def raw(self, data: bytes) -> str:
        with self.connected() as connection:
            # It may be answered before all is sent.
            with suppress(OSError):
                connection.sendall(data)
            return _status(connection)

    def match(self) -> str:
        return self.chance.choice(self.matches)

    def text(self, letters: str, most: int) -> str:
        return "".join(self.chance.choices(letters, k=self.chance.randrange(1, most)))


def _status(connection: socket.socket) -> str:
    """The status of an answer; `closed` if there is none."""
    try:
        parts = connection.recv(4096).split(b" ", 2)
    except OSError:
        return "closed"
    return parts[1].decode(errors="replace") if len(parts) > 2 and parts[0].startswith(b"HTTP") else "closed"


def _slowly(target: Target, parts: Sequence[bytes], pause_s: float) -> str:
    with target.connected() as connection:
        for part in parts:
            try:
                connection.sendall(part)
            except OSError:
                break
            time.sleep(pause_s)
        connection.settimeout(1.0)
        return _status(connection)


def _stranger(body: str) -> Callable[[Target], str]:
    def send(target: Target) -> str:
        target.source = STRANGER
        return target.post(body.format(match=target.match(), rules=_RULES).encode())

    return send


def _leaves(target: Target, data: bytes, *, by_reset: bool = False) -> str:
    connection = target.connected()
    if by_reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(data)
    connection.close()
    return "left"


def _huge(target: Target) -> str:
    """Chunk after chunk, until it is told to stop or forty megabytes are sent."""
    with target.connected() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"40000\r\n" + b"x" * 0x40000 + b"\r\n"
        with suppress(OSError):
            for _ in range(160):
                connection.sendall(chunk)
        return _status(connection)


_HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n"

KINDS: dict[str, Callable[[Target], str]] = {
    "random bytes as a message": lambda t: t.post(t.chance.randbytes(t.chance.randrange(400))),
    "random bytes instead of HTTP": lambda t: t.raw(t.chance.randbytes(200) + b"\r\n\r\n"),
    "random printable text": lambda t: t.post(t.text(string.printable, 400).encode()),
    "an empty message": lambda t: t.post(b""),
    "parentheses that never close": lambda t: t.post(b"(" * t.chance.randrange(1, 50_000)),
    "parentheses that never opened": lambda t: t.post(b")" * t.chance.randrange(1, 50_000)),
    "nesting as deep as can be": lambda t: t.post(b"(" * 100_000 + b")" * 100_000),
    "a message of no known kind": lambda t: t.post(f"({t.text(string.ascii_letters, 20)} m NIL)".encode()),
    "a message with too few words": lambda t: t.post(
        f"({t.chance.choice(['PLAY', 'START', 'STOP', 'ABORT', 'PREVIEW'])})".encode()),
    "moves of a match that is not on": lambda t: t.post(f"(PLAY {t.text('mn', 200)} NIL)".encode()),
    "a match with a very long name": lambda t: t.post(f"(PLAY {'m' * t.chance.randrange(1, 99_000)} NIL)".encode()),
    "moves made of odd letters": lambda t: t.post(f"(PLAY nobody {t.text('() ;|?anil01', 80)})".encode()),
    "rules made of random words": lambda t: t.post(
        f"(START s{t.chance.randrange(10**9)} a ({t.text('()<= role ?x init legal', 300)}) 1 1)".encode()),
    "rules that lack a role": lambda t: t.post(
        f"(START s{t.chance.randrange(10**9)} nobody ({_RULES}) 1 1)".encode()),
    "clocks that are no numbers": lambda t: t.post(f"(START s a ({_RULES}) soon later)".encode()),
    "clocks of a thousand years": lambda t: t.post(f"(START s a ({_RULES}) 31556952000 31556952000)".encode()),
    "clocks below nothing": lambda t: t.post(f"(START s a ({_RULES}) -5 -5)".encode()),
    "a length that is a lie": lambda t: _slowly(t, [_HEAD + b"(INFO)"], 0.2),
    "a length that is no number": lambda t: t.raw(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n(INFO)"),
    "a length of a terabyte": lambda t: t.raw(
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\nConnection: close\r\n\r\n(INFO)"),
    "forty megabytes in chunks": _huge,
    "headers without an end": lambda t: t.raw(b"POST / HTTP/1.1\r\n" + b"X: y\r\n" * 30_000 + b"\r\n"),
    "a message letter by letter": lambda t: _slowly(t, [_HEAD, *(bytes([letter]) for letter in b"(INFO)")], 0.2),
    "headers letter by letter": lambda t: _slowly(t, [bytes([letter]) for letter in _HEAD[:12]], 0.2),
    "a connection that says nothing": lambda t: _slowly(t, [b""], 2.0),
    "who leaves in the middle": lambda t: _leaves(t, _HEAD + b"(PL", by_reset=t.chance.random() < 0.5),
    "a stranger's STOP": _stranger("(STOP {match} NIL)"),
    "a stranger's ABORT": _stranger("(ABORT {match})"),
    "a stranger's PLAY": _stranger("(PLAY {match} NIL)"),
    "a stranger's START": _stranger("(START {match} a ({rules}) 3 3)"),
}


@dataclass
class Sent:
    """What was sent, by kind, and what came of it."""

    answers: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})

    @property
    def count(self) -> int:
        return sum(sum(found.values()) for found in self.answers.values())

    def lines(self) -> list[str]:
        return ["| kind of request | sent | what came of them |", "| --- | ---: | --- |",
                *(f"| {kind} | {sum(found.values()):,} | "
                  f"{', '.join(f'{count:,} × {status}' for status, count in found.most_common())} |"
                  for kind, found in self.answers.items())]


def send_all(address: str, newest: Synchronized[int], count: int, at_once: int, stop: Event) -> Sent:
    """Requests of all kinds in turn, so many at once, until they are all sent or it is to stop.

    Some come from the referee's own address, some from a stranger's; `newest` is the number of the newest match.
    """
    sent, lock = Sent(), threading.Lock()
    kinds = list(KINDS.items())

    def one(number: int) -> None:
        if stop.is_set():
            return
        kind, send = kinds[number % len(kinds)]
        chance = random.Random(number)
        matches = [match_name(max(0, newest.value - back)) for back in range(_RECENT)]
        target = Target(address, chance, matches, chance.choice(["127.0.0.1", STRANGER]))
        try:
            status = send(target)
        except OSError:
            status = "closed"
        with lock:
            sent.answers[kind][status] += 1

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(count)))
    return sent


class Nuisance:
    """Somebody who sends all kinds of requests from a process of its own, so that the referee has its own time."""

    def __init__(self, address: str, count: int, at_once: int) -> None:
        context = get_context("spawn")
        self.newest = context.Value("i", 0)
        self._stop = context.Event()
        self._told: Connection[Sent, Sent]
        self._told, tells = context.Pipe(duplex=False)
        self._process = context.Process(target=_send_and_tell,
                                        args=(tells, address, self.newest, count, at_once, self._stop))
        self._process.start()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive() and not self._told.poll()

    def stop(self) -> Sent:
        self._stop.set()
        sent = self._told.recv()
        self._process.join()
        return sent


def _send_and_tell(tells: Connection[Sent, Sent], address: str, newest: Synchronized[int], count: int, at_once: int,
                   stop: Event) -> None:
    tells.send(send_all(address, newest, count, at_once, stop))
