"""The page as a server: on the command line, or in a thread of a program."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from ludorum.errors import LudorumError
from ludorum.serve.http_server import HttpServer
from ludorum.serve.listening import listening
from ludorum.serve.process import warm_up
from ludorum.web.app import make_app
from ludorum.web.options import DEFAULT_PORT, WebOptions

_SHUTDOWN_S = 2


class WebServer(HttpServer):
    """Told to stop, it ends the streams that would go on for ever."""

    def __init__(self, options: WebOptions, ready: Callable[[], None] | None = None) -> None:
        super().__init__(make_app(options), http="h11", shutdown_s=_SHUTDOWN_S, ready=ready)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # The page can be looked at while the processes of matches get ready to be started.
        warming = asyncio.create_task(asyncio.to_thread(warm_up, "ludorum.web.preload"))
        await super().startup(sockets)
        await warming

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        services = getattr(self.app.state, "services", None)
        if services is not None:
            services.close()
        await super().shutdown(sockets)


def run(options: WebOptions, host: str = "127.0.0.1", port: int = DEFAULT_PORT,
        ready: Callable[[str], None] | None = None) -> None:
    """Serve until a signal asks to stop; `ready` is told the address, with its token if it needs one.

    Raises LudorumError if it cannot listen there or keep matches.
    """
    can_keep(options.data)
    with listening(host, port) as (listener, address):
        told = None if ready is None else lambda: ready(_with_token(address, options))
        WebServer(options, told).run_until_told(listener)


@contextlib.contextmanager
def serving(options: WebOptions, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A page that is served in a thread of this program; its address, with a free port unless one is given."""
    can_keep(options.data)
    with listening(host, port) as (listener, address), WebServer(options).in_thread(listener, address, "ludorum-web"):
        yield address


def can_keep(folder: Path) -> None:
    """Raises LudorumError if matches cannot be kept in a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudorumError(f"matches cannot be kept in {folder}: {error.strerror or error}") from error


def _with_token(address: str, options: WebOptions) -> str:
    return f"{address}/" if options.token is None else f"{address}/?token={options.token}"
