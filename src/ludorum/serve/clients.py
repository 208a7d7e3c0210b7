"""What one address may take of the server, so that nobody delays the matches of others.

Whoever opens too many connections loses the oldest of those over which nothing has come to its end, not the newest: a
referee's short message gets through, however many slow ones came from the same address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from ludorum.errors import Refusal
from ludorum.serve.options import Options


class Client:
    """What an address has open here."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._bytes = 0
        #: How connections are closed that are still being read from, the oldest first.
        self._reading: dict[object, Callable[[], None]] = {}
        #: Long messages are read one at a time, and so many matches are started at once.
        self.parsing = asyncio.Lock()
        self.starting = asyncio.Semaphore(options.starts_per_client)

    def opens(self, connection: object, close: Callable[[], None]) -> None:
        """A connection is there that nothing has come over yet."""
        self._reading[connection] = close
        if len(self._reading) > self._options.connections_per_client:
            oldest = next(iter(self._reading))
            self._reading.pop(oldest)()

    def has_sent(self, connection: object) -> None:
        """A whole message has come over it, or it is closed."""
        self._reading.pop(connection, None)

    @contextmanager
    def receiving(self) -> Iterator[Callable[[int], None]]:
        """For a message that is being received: what to call with the length of every part of it."""
        taken = 0

        def take(length: int) -> None:
            nonlocal taken
            taken += length
            self._bytes += length
            if self._bytes > self._options.bytes_per_client:
                raise Refusal(429, "too-much", f"{self._options.bytes_per_client:,} bytes are being received already")

        try:
            yield take
        finally:
            self._bytes -= taken


class Clients:
    """By address; what nobody uses is forgotten."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._known: WeakValueDictionary[str, Client] = WeakValueDictionary()

    def at(self, address: str | None) -> Client:
        client = self._known.get(address or "")
        if client is None:
            client = self._known[address or ""] = Client(self._options)
        return client
