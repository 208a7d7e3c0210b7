"""What was found out about a game, so that nobody has to find it out again: a slot an analysis.

A slot holds a value, the work that it took, and whether it is complete. What the clock ended early is looked for once
more by whoever has more time; it is never taken for all that there is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ludorum.clock import Budget

_T = TypeVar("_T")

# Where the clock ended it, a second look is worth it for whoever has so many times as long.
_LONGER = 1.25
# Amounts of work that differ by less are the same: they are sums of many small ones.
_NEARLY = 1.001


@dataclass(frozen=True, slots=True)
class Slot(Generic[_T]):
    """The place of what one analysis finds: its name, and what else it was asked with, such as a seed."""

    name: str
    asked: tuple[Hashable, ...] = ()

    def of(self, *asked: Hashable) -> Slot[_T]:
        return Slot(self.name, asked)


@dataclass(frozen=True, slots=True)
class Finding(Generic[_T]):
    """A value with the work that it took."""

    value: _T
    #: Whether more work or time would find no more.
    is_complete: bool = True
    work: float = 0.0
    #: The work and the seconds that there were for it.
    had_work: float = float("inf")
    had_seconds: float = float("inf")

    def suffices(self, budget: Budget) -> bool:
        """Whether no more would be found with this budget."""
        return self.is_complete or (budget.work <= _NEARLY * self.had_work
                                    and budget.deadline.remaining <= _LONGER * self.had_seconds)


class Findings:
    """The findings about one game."""

    def __init__(self) -> None:
        self._found: dict[Slot[Any], Finding[Any]] = {}

    def known(self, slot: Slot[_T]) -> Finding[_T] | None:
        """What is known under a slot, None if nothing is."""
        return self._found.get(slot)

    def find(self, slot: Slot[_T], budget: Budget, look: Callable[[Finding[_T] | None], tuple[_T, bool]]) -> _T:
        """The value of a slot, looked for if it is not known or more can be found now.

        `look` is told what is known so far, and returns the value and whether it is complete. The work counts each
        time, also where it was done before: what somebody finds must not depend on what others asked earlier.
        """
        finding = self.known(slot)
        if finding is not None and finding.suffices(budget):
            budget.spend(finding.work)
            return finding.value
        had, before = (budget.work, budget.deadline.remaining), budget.done
        value, is_complete = look(finding)
        self._found[slot] = Finding(value, is_complete, budget.done - before, *had)
        return value
