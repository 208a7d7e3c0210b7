"""What can be chosen about the HTTP player."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field

from ludorum.players import NAMED
from ludorum.serve.orders import PlayerMaker

# The best first.
_PREFERRED = ("ludorum", "cadia", "mcts", "montecarlo")


def best_player() -> str:
    """The strongest player that there is."""
    return next(name for name in (*_PREFERRED, *NAMED) if name in NAMED)


@dataclass(frozen=True)
class Options:
    #: A named player with options, or what makes a player; other processes must be able to import it.
    player: PlayerMaker = field(default_factory=best_player)
    #: What the player says it is called.
    name: str = "Ludorum"
    #: So many matches may be on at once.
    matches: int = 64
    #: Seconds of every clock that are left unused, besides the measured delays.
    margin: float = 0.1
    #: A match that heard nothing for so many seconds and both of its clocks is over.
    idle: float = 900.0
    #: Whether anybody may send moves to a match, not only the address that started it.
    any_referee: bool = False
    #: The longest message, in bytes.
    most_body: int = 16 << 20
    #: What one address may have open: connections over which no whole message has come, bytes of messages that are
    #: being received, and starts of matches that are under way.
    connections_per_client: int = 256
    bytes_per_client: int = 64 << 20
    starts_per_client: int = 16
    #: What loading a game may take; past it a slower engine plays.
    load_seconds: float = 60.0
    memory_mb: int = 4096
    cores: int = field(default_factory=lambda: len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity")
                       else os.cpu_count() or 1)
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("ludorum.serve"))
