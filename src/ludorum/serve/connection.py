"""When a message really came, and how far away its sender is."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from ludorum.serve.margin import network_delay

_LONGEST_OPENING = 0.5


@dataclass
class ConnectionInfo:
    """What is known of the connection that a request came over."""

    transport: asyncio.BaseTransport | None = None
    opened: float | None = None

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
        return now if opened is None else max(opened, now - _LONGEST_OPENING)

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
        info = ConnectionInfo(transport, time.monotonic())
        self.app_state: dict[str, Any] = {**self.app_state, "connection": info}
        super().connection_made(transport)
