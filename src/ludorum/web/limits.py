"""How often one address may ask, so that nobody takes the page from others.

In the literature: a token bucket (Turner 1986).
"""

from __future__ import annotations

import time

from ludorum.errors import Refusal

# Addresses that have not asked for so long are forgotten, in seconds.
_FORGET_S = 120.0


class Rate:
    """At most so many a minute for each address, and as many at once."""

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._most = float(per_minute)
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, address: str) -> None:
        """Raises Refusal if an address asks too often."""
        now = time.monotonic()
        left, since = self._left.get(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._per_second)
        if left < 1:
            raise Refusal(429, "too-often", "that is too often; wait a little")
        self._left[address] = left - 1, now
        if len(self._left) > 10_000:
            self._left = {known: told for known, told in self._left.items() if now - told[1] < _FORGET_S}
