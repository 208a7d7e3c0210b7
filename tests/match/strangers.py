"""Players that other people might have written: real HTTP servers, good ones and bad ones."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import ludorum
from ludorum import Game, State
from ludorum.protocol import Abort, Message, Percepts, Play, Start, Stop, parse_message

#: What a bad player does instead of answering; it may answer after all by returning a text.
Behaviour = Callable[["Handler"], str | None]


class Handler(BaseHTTPRequestHandler):
    server: Stranger
    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        message = parse_message(text)
        self.server.heard.append(message)
        if self.server.behaviour is not None and isinstance(message, self.server.when):
            answer = self.server.behaviour(self)
        else:
            answer = self.server.answer(message)
        if answer is not None:
            self.reply(answer)

    def reply(self, text: str, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


class Stranger(ThreadingHTTPServer):
    """Always plays the first of its legal moves, except where a behaviour says otherwise."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, behaviour: Behaviour | None = None, when: tuple[type, ...] = (Play,),
                 knows: Game | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviour = behaviour
        self.when = when
        self._knows = knows
        self.heard: list[Message] = []
        self.ending = threading.Event()
        self._state: State | None = None
        self._role = ""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """The referee hangs up on those that are late; nobody needs to read about it."""

    def answer(self, message: Message) -> str:
        if isinstance(message, Start):
            # Who never answers PLAY as it should need not know the rules.
            if self.behaviour is None:
                self._state = (self._knows or ludorum.load(message.rules)).initial
            self._role = message.role
            return "READY"
        if isinstance(message, Play) and self._state is not None:
            if isinstance(message.news, Percepts):
                return "noop"
            if message.news.moves:
                self._state = self._state.after(message.news.moves)
            return str(self._state.legal(self._role)[0])
        return {Stop: "DONE", Abort: "ABORTED"}.get(type(message), "((name stranger) (status available))")


@contextlib.contextmanager
def present(*strangers: Stranger) -> Iterator[None]:
    """Let them listen."""
    threads = [threading.Thread(target=stranger.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
               for stranger in strangers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for stranger, thread in zip(strangers, threads, strict=True):
            stranger.ending.set()
            stranger.shutdown()
            stranger.server_close()
            thread.join()


@contextlib.contextmanager
def nobody() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    yield address


@contextlib.contextmanager
def never_accepting() -> Iterator[str]:
    """An address where connections wait for ever."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


# ---- behaviours ----


def hangs(handler: Handler) -> None:
    handler.server.ending.wait()


def answers_late(handler: Handler) -> str:
    handler.server.ending.wait(1.5)
    return "left"


def closes_the_connection(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def stops_in_the_middle(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n(mark")


def speaks_no_http(handler: Handler) -> None:
    handler.wfile.write(b"\x00\xff\x17 what is this? \r\n\r\n" * 100)


def sends_garbage(handler: Handler) -> str:
    return ")) ( \x01 \\ not a move (("


def nests_deeply(handler: Handler) -> str:
    return "(" * 30_000


def sends_ten_megabytes(handler: Handler) -> str:
    return "(mark " + "1" * 10_000_000 + ")"


def sends_for_ever(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
    while not handler.server.ending.wait(0.01):
        handler.wfile.write(b" ")


def plays_an_illegal_move(handler: Handler) -> str:
    return "(jump over the moon)"


def says_nothing(handler: Handler) -> str:
    return ""


def redirects(handler: Handler) -> None:
    handler.reply("", 302, Location=f"http://{handler.server.address}/elsewhere")


def breaks(handler: Handler) -> None:
    handler.reply("internal error", 500)
