"""When a message really came, and how far away its sender is."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from ludorum.serve.clients import Client, Clients
from ludorum.serve.margin import network_delay

_MAX_OPENING_S = 0.5


@dataclass(eq=False)
class ConnectionInfo:
    """What is known of the connection that a request came over."""

    transport: asyncio.BaseTransport | None = None
    opened: float | None = None
    #: Who is on the other side, as far as that matters.
    client: Client | None = None

    @staticmethod
    def of(request: Request) -> ConnectionInfo:
        """That of the request, or nothing known where another server than ours runs the application."""
        info = request.scope.get("state", {}).get("connection")
        return info if isinstance(info, ConnectionInfo) else ConnectionInfo()

    def received(self) -> float:
        """When the sender's clock began, as near as can be known: when it opened the connection for this message."""
        opened, self.opened = self.opened, None
        now = time.monotonic()
        # A connection that was opened long before was kept in store.
        return now if opened is None else max(opened, now - _MAX_OPENING_S)

    def has_sent(self) -> None:
        """A whole message has come over it, or none will: nobody need be kept waiting for it."""
        if self.client is not None:
            self.client.has_sent(self)

    def delay(self) -> float:
        """What the network takes of the sender's clock, in seconds."""
        return network_delay(self.transport.get_extra_info("socket") if self.transport is not None else None)


class PlayerProtocol(H11Protocol):
    """uvicorn's protocol in pure Python, which also reads the bare line feeds of old game servers; it remembers when
    and from where a connection came."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        # Without this, the body of a reply waits for the other side to have acknowledged its head: 40 ms on Linux.
        if (connection := transport.get_extra_info("socket")) is not None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = transport.get_extra_info("peername")
        clients: Clients | None = self.app_state.get("clients")
        client = None if clients is None else clients.at(peer[0] if isinstance(peer, tuple) else None)
        self._info = ConnectionInfo(transport, time.monotonic(), client)
        self.app_state: dict[str, Any] = {**self.app_state, "connection": self._info}
        if client is not None:
            client.opens(self._info, transport.abort)
        super().connection_made(transport)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # A connection that is kept may bring another message, or none.
        if self._info.client is not None and not self.transport.is_closing():
            self._info.client.opens(self._info, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._info.has_sent()
        super().connection_lost(exc)
