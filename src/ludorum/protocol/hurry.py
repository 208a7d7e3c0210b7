"""Connections that keep a deadline as a whole.

A timeout of an HTTP library starts anew with every read, so that a player who sends a byte a second would never be
late. Here each step gets only the time that is left.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from ludorum.clock import Deadline


class Hurrying(httpcore.NetworkBackend):
    """Opens connections on which everything ends by the deadline."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._backend = httpcore.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
                    socket_options: Iterable[Any] | None = None) -> httpcore.NetworkStream:
        left = _left(self._deadline, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_tcp(host, port, left, local_address, socket_options), self._deadline)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # In pieces: each may take the time that is left.
        for start in range(0, len(buffer), 1 << 16):
            self._stream.write(buffer[start:start + (1 << 16)], _left(self._deadline, httpcore.WriteTimeout))

    def start_tls(self, ssl_context: ssl.SSLContext, server_hostname: str | None = None,
                  timeout: float | None = None) -> httpcore.NetworkStream:
        left = _left(self._deadline, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


def _left(deadline: Deadline, late: type[httpcore.TimeoutException]) -> float | None:
    if deadline.passed:
        raise late("the deadline has passed")
    return None if deadline.at is None else deadline.remaining
