"""Deadlines and budgets of work, passed down as values."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ludorum.errors import BudgetExceeded

#: What a clock counts: time on the wall, or the time that processors spend on this process.
Kind = Literal["wall", "processor"]

#: A clock of so many seconds is as good as none; nobody needs a longer one.
ALL_DAY = 24 * 3600.0
# A clock of the processor stands still for whoever waits for something else; so many times its seconds are enough.
_MAX_IDLE = 100.0
# What the clock of this process counts; see `counting`.
_kind: Kind = "wall"


def now() -> float:
    """Seconds by the clock of this process; what they count from is nothing to go by."""
    return time.process_time() if _kind == "processor" else time.monotonic()


@contextmanager
def counting(kind: Kind) -> Iterator[None]:
    """What the clock of this whole process counts meanwhile, all its threads and the searches of the core included.

    By the processor a match is the same on a busy machine as on a quiet one. It is meant for a process that plays one
    match and nothing else; what players leave to other processes costs them nothing.
    """
    global _kind
    from ludorum._core import count_processor_time

    before, _kind = _kind, kind
    count_processor_time(kind == "processor")
    try:
        yield
    finally:
        _kind = before
        count_processor_time(before == "processor")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment after which an answer is no longer wanted; None is never."""

    at: float | None = None

    @classmethod
    def within(cls, seconds: float | None) -> Deadline:
        """So many seconds from now; None means that there is no hurry."""
        return cls(None if seconds is None else now() + seconds)

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
        return float("inf") if self.at is None else self.at - now()

    @property
    def passed(self) -> bool:
        return self.remaining <= 0

    def waits(self) -> Iterator[float | None]:
        """How many seconds to sleep, one after the other until it has passed; the first may be none.

        On the wall that is all that remain. By the processor nobody knows how long those take.
        """
        if self.at is None:
            yield None
            return
        remaining = max(0.0, self.remaining)
        yield remaining
        end = time.monotonic() + _MAX_IDLE * remaining
        while not self.passed and time.monotonic() < end:
            yield max(1e-3, self.remaining)


NEVER = Deadline()


# What a budget of work is given where none is told: as good as none.
_ENDLESS = float("inf")
# So many seconds for a unit of work are allowed where it cannot be counted: on a busy machine it takes long.
_SLACK = 10.0


@dataclass(slots=True)
class _Meter:
    """How much work was done so far, for all budgets that are parts of one."""

    done: float = 0.0


class Budget:
    """How much an analysis may do: so much work, until a deadline at the latest, with so much memory.

    Work is counted and never measured, so that an analysis is a function of the game and an amount of work: on a busy
    machine it takes longer and says the same. A unit is what takes about a second on an ordinary processor. What runs
    in a process of its own counts by the time that the processor spent on it. The deadline only ends work early.

    In the literature: deterministic time, as solvers such as CPLEX count it in "ticks".
    """

    __slots__ = ("_end", "_meter", "deadline", "memory_mb")

    def __init__(self, work: float = _ENDLESS, deadline: Deadline = NEVER, memory_mb: int = 4096) -> None:
        self.deadline = deadline
        #: The most memory that this process may have.
        self.memory_mb = memory_mb
        self._meter = _Meter()
        self._end = work

    @classmethod
    def within(cls, seconds: float | None, memory_mb: int = 4096) -> Budget:
        """As much work as so many seconds from now suffice for: for whoever plays by a clock."""
        return cls(deadline=Deadline.within(seconds), memory_mb=memory_mb)

    @classmethod
    def about(cls, seconds: float, memory_mb: int = 4096) -> Budget:
        """The work of so many seconds on an ordinary processor; if it takes ten times as long, the clock ends it."""
        return cls(seconds, Deadline.within(_SLACK * seconds), memory_mb)

    def _with(self, end: float, deadline: Deadline) -> Budget:
        budget = Budget(end, deadline, self.memory_mb)
        budget._meter = self._meter
        return budget

    def share(self, part: float) -> Budget:
        """A part of all that is left: of the work, and of the time."""
        return self._with(self._meter.done + part * max(0.0, self.work), self.deadline.part(part))

    def at_most(self, amount: float) -> Budget:
        """This budget, but no more work than this; where only the clock counts, no more seconds."""
        seconds = amount if self._end == _ENDLESS else _SLACK * amount
        return self._with(min(self._end, self._meter.done + amount),
                          self.deadline if self.deadline.at is None else self.deadline.or_within(seconds))

    def fixed(self, work: float) -> Budget:
        """Exactly so much work, whether it is left or not, until the same deadline.

        For analyses that must come to the same for everybody who asks. It counts as work of this budget all the same.
        """
        return self._with(self._meter.done + work, self.deadline)

    def spend(self, work: float) -> None:
        """So much work was done."""
        self._meter.done += work

    def check(self, work: float = 0.0) -> None:
        """So much work was done; raises BudgetExceeded when the work, the time or the memory is used up."""
        self._meter.done += work
        if self._meter.done >= self._end:
            raise BudgetExceeded("passed its budget of work")
        if self.deadline.passed:
            raise BudgetExceeded("passed its budget of time")
        if _memory_mb() > self.memory_mb:
            raise BudgetExceeded(f"passed its budget of {self.memory_mb} MB")

    @property
    def done(self) -> float:
        """The work that was done so far, by this budget and all that it is a part of."""
        return self._meter.done

    @property
    def work(self) -> float:
        """The work that is left."""
        return self._end - self._meter.done

    @property
    def remaining(self) -> float:
        """What is left of the work or of the time, whichever is less: seconds on an ordinary processor."""
        return min(self.work, self.deadline.remaining)

    @property
    def seconds(self) -> float:
        """How long something may take that cannot count its work: long after it should be done, or to the deadline."""
        return max(0.0, min(_SLACK * self.work, self.deadline.remaining))

    @property
    def passed(self) -> bool:
        """Whether the work or the time is used up."""
        return self.work <= 0 or self.deadline.passed

    @property
    def is_late(self) -> bool:
        """Whether the clock has ended it, and not the work."""
        return self.deadline.passed


def _memory_mb() -> int:
    """What this process has now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except OSError:
        return 0
