"""The HTTP player as a server: on the command line, or in a thread of a program."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from ludorum.errors import LudorumError
from ludorum.players import named
from ludorum.protocol import DEFAULT_PORT
from ludorum.serve.app import make_app
from ludorum.serve.connection import PlayerProtocol
from ludorum.serve.options import Options
from ludorum.serve.process import warm_up

# Connections beyond these are turned away before they cost anything.
_MOST_CONNECTIONS = 1_000
# When the server is told to stop, whoever waits gets an answer within so many seconds.
_FAREWELL = 5


class PlayerServer(uvicorn.Server):
    """Told to stop, it first answers what it was asked."""

    def __init__(self, options: Options, ready: Callable[[], None] | None = None) -> None:
        self._app = make_app(options)
        self._ready = ready
        super().__init__(uvicorn.Config(
            self._app, http=PlayerProtocol, ws="none", lifespan="on", log_config=None, access_log=False,
            limit_concurrency=_MOST_CONNECTIONS, timeout_graceful_shutdown=_FAREWELL))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready is not None:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._app.state.matches.hurry()


def run(options: Options, host: str = "127.0.0.1", port: int = DEFAULT_PORT,
        ready: Callable[[str], None] | None = None) -> None:
    """Serve until a signal asks to stop; `ready` is told the address.

    Raises UnknownPlayer, or LudorumError if it cannot listen there.
    """
    with _listening(options, host, port) as (listener, address):
        server = PlayerServer(options, None if ready is None else lambda: ready(address))
        with _ending_well():
            server.run(sockets=[listener])


@contextlib.contextmanager
def serving(options: Options | None = None, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A player that listens in a thread of this program; its address, with a free port unless one is given."""
    options = options or Options()
    with _listening(options, host, port) as (listener, address):
        server = PlayerServer(options)
        thread = threading.Thread(target=server.run, args=([listener],), name="ludorum-serve", daemon=True)
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def _ending_well() -> Iterator[None]:
    """Being told to stop is no failure: uvicorn raises the signal again when it has stopped, which ends here."""
    told_to_stop = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda *_: None) for number in told_to_stop}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _listening(options: Options, host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    if isinstance(options.player, str):
        # A name that means nothing should be told now, not in the middle of a match.
        named(options.player)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise LudorumError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from error
    with listener:
        # Whoever connects meanwhile waits in line.
        warm_up()
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        yield listener, f"http://{shown}:{listener.getsockname()[1]}"
