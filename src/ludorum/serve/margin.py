"""How long before the end of a clock an answer must be on its way."""

from __future__ import annotations

import socket
import struct
from collections import deque
from dataclasses import dataclass

# Where Linux keeps the smoothed round trip and its variation in what it tells of a connection, in microseconds.
_TCP_INFO_SIZE = 104
_ROUND_TRIP = struct.Struct("=II")
_ROUND_TRIP_AT = 68

# Measured delays are remembered for so many answers; before any, this is assumed.
_REMEMBERED = 64
_FIRST_GUESS = 0.05
# However bad the delays, this part of a clock is for thinking.
_LEAST_PART = 1 / 3


@dataclass(frozen=True, slots=True)
class Moments:
    """Until when to think, and until when to wait for anything at all."""

    soft: float
    hard: float


class Margin:
    """Keeps `least` seconds free, and as much more as answers were measured to be delayed.

    There are two delays. That of the network comes with the message: opening a connection, the message and the reply
    take two round trips. That of this machine is how much later than its deadline a player was heard to answer; the
    worst of the last few dozen answers counts.
    """

    def __init__(self, least: float) -> None:
        self._least = least
        self._late: deque[float] = deque([_FIRST_GUESS], maxlen=_REMEMBERED)

    @property
    def lateness(self) -> float:
        """What a player is expected to be late by at worst."""
        return 1.5 * max(self._late)

    def heard(self, seconds_late: float) -> None:
        """An answer came so long after the moment it was wanted at, or before if negative."""
        self._late.append(max(0.0, seconds_late))

    def moments(self, received: float, clock: float, delay: float = 0.0) -> Moments:
        """For a message that came at a moment with a clock, over a connection with a delay."""
        hard = received + clock - min(self._least + delay, clock * _LEAST_PART)
        return Moments(hard - min(self.lateness, clock * _LEAST_PART), hard)


def network_delay(connection: socket.socket | None) -> float:
    """How much of a referee's clock the network takes; 0 where the system does not tell."""
    option = getattr(socket, "TCP_INFO", None)
    if connection is None or option is None:
        return 0.0
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, option, _TCP_INFO_SIZE)
        round_trip, variation = _ROUND_TRIP.unpack_from(info, _ROUND_TRIP_AT)
    except (OSError, struct.error):
        return 0.0
    return float(2 * (round_trip + 2 * variation) / 1e6)
