"""A server of ours as such: it listens on a socket that was bound before, on the command line or in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import uvicorn
from starlette.applications import Starlette

from ludorum.errors import LudorumError
from ludorum.serve.listening import ending_well

# Connections beyond these are turned away before they cost anything.
_MAX_CONNECTIONS = 1_000
# How often is looked whether a server that is starting is still there, in seconds.
_POLL_S = 0.1


class HttpServer(uvicorn.Server):
    """Tells when it listens; told to stop, whoever waits gets an answer within some seconds."""

    def __init__(self, app: Starlette, *, http: str | type[asyncio.Protocol], shutdown_s: int,
                 ready: Callable[[], None] | None) -> None:
        self.app = app
        self.is_listening = threading.Event()
        self._ready = ready
        super().__init__(uvicorn.Config(
            app, http=http, ws="none", lifespan="on", log_config=None, access_log=False,
            limit_concurrency=_MAX_CONNECTIONS, timeout_graceful_shutdown=shutdown_s))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except OSError as error:
            raise LudorumError(f"cannot listen: {error.strerror or error}") from error
        self.is_listening.set()
        if self._ready is not None:
            self._ready()

    def run_until_told(self, listener: socket.socket) -> None:
        """Serve until a signal asks to stop."""
        with ending_well():
            self.run(sockets=[listener])

    @contextlib.contextmanager
    def in_thread(self, listener: socket.socket, address: str, name: str) -> Iterator[str]:
        """Serve in a thread of this program; raises LudorumError if it does not start."""
        thread = threading.Thread(target=self.run, args=([listener],), name=name, daemon=True)
        thread.start()
        while not self.is_listening.wait(_POLL_S):
            if not thread.is_alive():
                raise LudorumError(f"the server at {address} did not start")
        try:
            yield address
        finally:
            self.should_exit = True
            thread.join()
