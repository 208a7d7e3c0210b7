"""What every method of solving can do."""

from __future__ import annotations

from typing import Protocol

from ludorum.search.puzzle.solution import Plan


class Method(Protocol):
    """A search for a plan that can be continued slice by slice."""

    @property
    def name(self) -> str: ...

    def advance(self, seconds: float) -> None:
        """Goes on for about so long, less if it comes to an end."""

    @property
    def best(self) -> Plan | None:
        """The best plan so far."""

    @property
    def bound(self) -> int:
        """The highest goal value that is not yet ruled out; -1 if the game was proved never to end."""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to do for it, by success or by failure."""

    @property
    def outcome(self) -> str:
        """How far it came, in a few words."""

    def close(self) -> None:
        """Ends what it has under way; safe to call from another thread."""
