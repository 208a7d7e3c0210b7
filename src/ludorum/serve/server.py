"""The HTTP player as a server: on the command line, or in a thread of a program."""

from __future__ import annotations

import asyncio
import contextlib
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
from ludorum.serve.listening import ending_well, listening
from ludorum.serve.options import Options
from ludorum.serve.process import warm_up

# Connections beyond these are turned away before they cost anything.
_MAX_CONNECTIONS = 1_000
# When the server is told to stop, whoever waits gets an answer within so many seconds.
_SHUTDOWN_S = 5
# How often is looked whether a server that is starting is still there, in seconds.
_POLL_S = 0.1


class PlayerServer(uvicorn.Server):
    """Told to stop, it first answers what it was asked."""

    def __init__(self, options: Options, ready: Callable[[], None] | None = None) -> None:
        self._app = make_app(options)
        self._ready = ready
        super().__init__(uvicorn.Config(
            self._app, http=PlayerProtocol, ws="none", lifespan="on", log_config=None, access_log=False,
            limit_concurrency=_MAX_CONNECTIONS, timeout_graceful_shutdown=_SHUTDOWN_S))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Only now the port is opened: who could connect before would have to wait until the server is warm.
        await asyncio.to_thread(warm_up)
        try:
            await super().startup(sockets)
        except OSError as error:
            raise LudorumError(f"cannot listen: {error.strerror or error}") from error
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
    with _player_listening(options, host, port) as (listener, address):
        server = PlayerServer(options, None if ready is None else lambda: ready(address))
        with ending_well():
            server.run(sockets=[listener])


@contextlib.contextmanager
def serving(options: Options | None = None, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A player that listens in a thread of this program; its address, with a free port unless one is given."""
    options = options or Options()
    with _player_listening(options, host, port) as (listener, address):
        is_ready = threading.Event()
        server = PlayerServer(options, is_ready.set)
        thread = threading.Thread(target=server.run, args=([listener],), name="ludorum-serve", daemon=True)
        thread.start()
        while not is_ready.wait(_POLL_S):
            if not thread.is_alive():
                raise LudorumError(f"the server at {address} did not start")
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def _player_listening(options: Options, host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    if isinstance(options.player, str):
        # A name that means nothing should be told now, not in the middle of a match.
        named(options.player)
    with listening(host, port) as found:
        yield found
