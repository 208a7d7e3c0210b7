"""The clocks of a match."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludorum.clock import ALL_DAY, Kind


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds to prepare, seconds a move, and what an answer may take beyond them, for the way.

    None means no hurry; only players in this process can be asked so. Raises ValueError for what is no time, or too
    long for the system to wait for.
    """

    start: float | None = None
    play: float | None = None
    grace: float = 0.5
    #: How long a player may take to hear that a match is over.
    stop: float = 2.0
    #: What the seconds are of: the clock on the wall, or the processor, by which matches on a busy machine are fair.
    #: Then players in this process alone can be asked. Not shown, so that matches by the wall keep their names.
    of: Kind = field(default="wall", repr=False)

    def __post_init__(self) -> None:
        for name, seconds in (("start", self.start), ("play", self.play), ("grace", self.grace), ("stop", self.stop)):
            if seconds is not None and not 0 <= seconds <= ALL_DAY:
                raise ValueError(f"{name} cannot be {seconds:g} s: a clock has from 0 to {ALL_DAY:g}")
