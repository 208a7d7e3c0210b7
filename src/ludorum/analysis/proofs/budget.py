"""How much time and memory proofs may take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludorum.clock import NEVER, Deadline
from ludorum.errors import BudgetExceeded


@dataclass(frozen=True, slots=True)
class Budget:
    """A deadline, and the most memory that this process may have, in MB."""

    deadline: Deadline = NEVER
    memory_mb: int = 4096

    def check(self) -> None:
        """Raises BudgetExceeded when either is used up."""
        if self.deadline.passed:
            raise BudgetExceeded("passed its budget of time")
        if _memory_mb() > self.memory_mb:
            raise BudgetExceeded(f"passed its budget of {self.memory_mb} MB")

    def or_within(self, seconds: float) -> Budget:
        """This budget, or so many seconds from now if that is less."""
        return Budget(self.deadline.or_within(seconds), self.memory_mb)

    def share(self, part: float) -> Budget:
        """A part of the time that is left."""
        return self if self.deadline.at is None else self.or_within(max(0.0, part * self.deadline.remaining))


class Budgeted:
    """Something that takes time and memory."""

    budget: Budget

    @contextmanager
    def within(self, part: float) -> Iterator[None]:
        """What is done inside takes no more than a part of the time that is left."""
        whole, self.budget = self.budget, self.budget.share(part)
        try:
            yield
        finally:
            self.budget = whole


def _memory_mb() -> int:
    """What this process has now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except OSError:
        return 0
