"""Ports and signals of a server: where it listens, and how it is told to stop."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator

from ludorum.errors import LudorumError


@contextlib.contextmanager
def ending_well() -> Iterator[None]:
    """Being told to stop is no failure: uvicorn raises the signal again when it has stopped, which ends here."""
    told_to_stop = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda *_: None) for number in told_to_stop}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """A socket that has the port but does not listen yet."""
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
    except BaseException:
        listener.close()
        raise
    return listener


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    """A socket that has the port, and its address for people; raises LudorumError if the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = _bound(family, host, port)
    except OSError as error:
        raise LudorumError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from error
    with listener:
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        yield listener, f"http://{shown}:{listener.getsockname()[1]}"
