"""The page as a server: on the command line, or in a thread of a program."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from ludorum.errors import LudorumError
from ludorum.serve.listening import ending_well, listening
from ludorum.serve.process import warm_up
from ludorum.web.app import make_app
from ludorum.web.options import DEFAULT_PORT, WebOptions

# Connections beyond these are turned away before they cost anything.
_MAX_CONNECTIONS = 1_000
_SHUTDOWN_S = 2
# How often is looked whether a server that is starting is still there, in seconds.
_POLL_S = 0.1


class WebServer(uvicorn.Server):
    """Told to stop, it ends the streams that would go on for ever."""

    def __init__(self, options: WebOptions, ready: Callable[[], None] | None = None) -> None:
        self._app = make_app(options)
        self._ready = ready
        super().__init__(uvicorn.Config(
            self._app, http="h11", ws="none", lifespan="on", log_config=None, access_log=False,
            limit_concurrency=_MAX_CONNECTIONS, timeout_graceful_shutdown=_SHUTDOWN_S))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        warming = asyncio.create_task(asyncio.to_thread(warm_up, "ludorum.web.preload"))
        try:
            await super().startup(sockets)
        except OSError as error:
            raise LudorumError(f"cannot listen: {error.strerror or error}") from error
        # The page can be looked at while the processes of matches get ready to be started.
        if self._ready is not None:
            self._ready()
        await warming

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        services = getattr(self._app.state, "services", None)
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
        server = WebServer(options, None if ready is None else lambda: ready(_with_token(address, options)))
        with ending_well():
            server.run(sockets=[listener])


@contextlib.contextmanager
def serving(options: WebOptions, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A page that is served in a thread of this program; its address, with a free port unless one is given."""
    can_keep(options.data)
    with listening(host, port) as (listener, address):
        is_ready = threading.Event()
        server = WebServer(options, is_ready.set)
        thread = threading.Thread(target=server.run, args=([listener],), name="ludorum-web", daemon=True)
        thread.start()
        while not is_ready.wait(_POLL_S):
            if not thread.is_alive():
                raise LudorumError(f"the server at {address} did not start")
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


def can_keep(folder: Path) -> None:
    """Raises LudorumError if matches cannot be kept in a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudorumError(f"matches cannot be kept in {folder}: {error.strerror or error}") from error


def _with_token(address: str, options: WebOptions) -> str:
    return f"{address}/" if options.token is None else f"{address}/?token={options.token}"
