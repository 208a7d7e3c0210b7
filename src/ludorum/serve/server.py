"""The HTTP player as a server: on the command line, or in a thread of a program."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from types import FrameType

from ludorum.players import named
from ludorum.protocol import DEFAULT_PORT
from ludorum.serve.app import make_app
from ludorum.serve.connection import PlayerProtocol
from ludorum.serve.http_server import HttpServer
from ludorum.serve.listening import listening
from ludorum.serve.options import Options
from ludorum.serve.process import warm_up

# When the server is told to stop, whoever waits gets an answer within so many seconds.
_SHUTDOWN_S = 5


class PlayerServer(HttpServer):
    """Told to stop, it first answers what it was asked."""

    def __init__(self, options: Options, ready: Callable[[], None] | None = None) -> None:
        super().__init__(make_app(options), http=PlayerProtocol, shutdown_s=_SHUTDOWN_S, ready=ready)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Only now the port is opened: who could connect before would have to wait until the server is warm.
        await asyncio.to_thread(warm_up)
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        # While it is still starting, nobody has asked anything.
        if self.is_listening.is_set():
            self.app.state.matches.hurry()


def run(options: Options, host: str = "127.0.0.1", port: int = DEFAULT_PORT,
        ready: Callable[[str], None] | None = None) -> None:
    """Serve until a signal asks to stop; `ready` is told the address.

    Raises UnknownPlayer, or LudorumError if it cannot listen there.
    """
    with _player_listening(options, host, port) as (listener, address):
        PlayerServer(options, None if ready is None else lambda: ready(address)).run_until_told(listener)


@contextlib.contextmanager
def serving(options: Options | None = None, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A player that listens in a thread of this program; its address, with a free port unless one is given."""
    options = options or Options()
    with (_player_listening(options, host, port) as (listener, address),
          PlayerServer(options).in_thread(listener, address, "ludorum-serve")):
        yield address


@contextlib.contextmanager
def _player_listening(options: Options, host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    if isinstance(options.player, str):
        # A name that means nothing should be told now, not in the middle of a match.
        named(options.player)
    with listening(host, port) as found:
        yield found
