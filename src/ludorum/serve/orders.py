"""What the server says to the process of a match, and what that process reports.

Each is small, so that sending one never waits: what is large goes with the process when it starts (`Assignment`). News
are numbered by the server; a report says up to which number it knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludorum.players import AnyPlayer
from ludorum.players.search_info import Origin
from ludorum.protocol.messages import News

#: A named player with options, or whatever makes one; a maker must be one that another process can import.
PlayerMaker = str | Callable[[], AnyPlayer]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A match to work on, and everything that was told so far."""

    match: str
    #: None if the rules are only to be loaded, so that they are in the cache.
    role: str | None
    rules: str
    #: None where there is nothing to play.
    player: PlayerMaker | None
    #: None for the fastest that can load the rules.
    engine: str | None
    threads: int
    #: Whether the player may think on the others' time.
    ponders: bool
    load_seconds: float
    memory_mb: int
    start_clock: float = 0.0
    play_clock: float = 0.0
    #: Whether it is only there while a better one is not.
    is_guard: bool = False
    history: tuple[tuple[int, News], ...] = ()


# ---- orders ----


@dataclass(frozen=True, slots=True)
class Learn:
    number: int
    news: News
    #: By when the legal moves must be known; what could be found out later is left.
    until: float


@dataclass(frozen=True, slots=True)
class Prepare:
    until: float


@dataclass(frozen=True, slots=True)
class Think:
    number: int
    until: float


Order = Learn | Prepare | Think


# ---- reports ----


@dataclass(frozen=True, slots=True)
class Loaded:
    engine: str
    why: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The match cannot be played: the rules are none, or have no such role."""

    reason: str


@dataclass(frozen=True, slots=True)
class Knows:
    """The news with this number are understood: how many legal moves there are, and one of them."""

    number: int
    legal: int
    move: str | None
    is_terminal: bool
    #: Whatever was odd about the news.
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The news with this number cannot be true, and were not taken over."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Prepared:
    remark: str = ""


@dataclass(frozen=True, slots=True)
class BestSoFar:
    """What the player would choose now; it thinks on."""

    number: int
    move: str


@dataclass(frozen=True, slots=True)
class Chose:
    """The player's move; None if it failed to choose a legal one, and why."""

    number: int
    move: str | None
    remark: str = ""
    origin: Origin = "search"


Report = Loaded | Refused | Knows | Rejected | Prepared | BestSoFar | Chose
