"""Deadlines, passed down as values."""

from __future__ import annotations

import time
from dataclasses import dataclass

#: A clock of so many seconds is as good as none; nobody needs a longer one.
ALL_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment after which an answer is no longer wanted; None is never."""

    at: float | None = None

    @classmethod
    def within(cls, seconds: float | None) -> Deadline:
        """So many seconds from now; None means that there is no hurry."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    def or_within(self, seconds: float | None) -> Deadline:
        """This moment, or so many seconds from now if that comes first."""
        other = Deadline.within(seconds)
        return min(self, other, key=lambda deadline: float("inf") if deadline.at is None else deadline.at)

    def with_margin(self) -> Deadline:
        """A little earlier, to be on the way back by then: a twentieth of the time left, at most 50 ms."""
        return self if self.at is None else Deadline(self.at - min(0.05, 0.05 * max(0.0, self.remaining)))

    def part(self, share: float) -> Deadline:
        """The moment when this share of the time that is left is over."""
        return self if self.at is None else Deadline.within(share * max(0.0, self.remaining))

    @property
    def remaining(self) -> float:
        """Seconds left, negative when it has passed."""
        return float("inf") if self.at is None else self.at - time.monotonic()

    @property
    def passed(self) -> bool:
        return self.remaining <= 0


NEVER = Deadline()
