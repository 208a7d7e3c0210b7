"""What became of a property: a verdict, how it was reached, and the moves that show it where there are any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from ludorum.clock import Budget
from ludorum.move import Move

Verdict = Literal["proved", "refuted", "unknown"]
#: One move a role.
JointMove = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A property of a game with its verdict. `unknown` only means that the budget did not suffice."""

    property: str
    #: The property in words.
    says: str
    verdict: Verdict
    #: How: `random play`, `induction`, `2-induction`, `reachability`, `bounded search`, … or what was lacking.
    method: str
    #: From the beginning of the run until the verdict.
    seconds: float
    #: A match from the initial state that refutes the property, or, for one that a single match shows, proves it.
    moves: tuple[JointMove, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"property": self.property, "says": self.says, "verdict": self.verdict,
                                 "method": self.method, "seconds": round(self.seconds, 3)}
        if self.moves is not None:
            found["moves"] = [[str(move) for move in joint] for joint in self.moves]
        return found

    def __str__(self) -> str:
        return f"{self.property}: {self.verdict} ({self.method}, {self.seconds:.2f} s)"


class Budgeted:
    """Something that takes work and memory."""

    budget: Budget

    @contextmanager
    def within(self, part: float) -> Iterator[None]:
        """What is done inside takes no more than a part of what is left."""
        whole, self.budget = self.budget, self.budget.share(part)
        try:
            yield
        finally:
            self.budget = whole
