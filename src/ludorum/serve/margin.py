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
_DELAYS_KEPT = 64
_ASSUMED_DELAY_S = 0.05
# Of a long clock this part is kept free, up to so many seconds: it costs little, and a lost move costs much.
_MARGIN_SHARE, _MARGIN_MAX_S = 0.06, 1.0
# However bad the delays, this part of a clock is for thinking.
_MIN_THINKING_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Moments:
    """Until when to think, and until when to wait for anything at all."""

    soft: float
    hard: float


class Margin:
    """Keeps `least` seconds free, or a small part of a long clock, and as much more as answers were late before.

    There are three delays. That of the network comes with the message: opening a connection, the message and the reply
    take two round trips. A player is heard to answer later than its deadline, and the server itself wakes up later than
    it wanted to: of both the worst of the last few dozen times counts, and half as much again.
    """

    def __init__(self, least: float) -> None:
        self._least = least
        self._late: deque[float] = deque([_ASSUMED_DELAY_S], maxlen=_DELAYS_KEPT)
        self._slept: deque[float] = deque([0.0], maxlen=_DELAYS_KEPT)

    def heard(self, seconds_late: float) -> None:
        """A player answered so long after the moment it was wanted at, or before if negative."""
        self._late.append(max(0.0, seconds_late))

    def woke(self, seconds_late: float) -> None:
        """The server looked at the clock so long after it wanted to."""
        self._slept.append(max(0.0, seconds_late))

    def moments(self, received: float, clock: float, delay: float = 0.0) -> Moments:
        """For a message that came at a moment with a clock, over a connection with a delay."""
        least = max(self._least, min(_MARGIN_SHARE * clock, _MARGIN_MAX_S))
        hard = received + clock - min(least + delay + 1.5 * max(self._slept), clock * _MIN_THINKING_SHARE)
        return Moments(hard - min(1.5 * max(self._late), clock * _MIN_THINKING_SHARE), hard)


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
