"""What a batch of playouts found out: for each of them its goals, its length and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from ludorum.grammar import agree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What `Playouts.goals` holds where a role has no goal value, or several.
UNDEFINED = -1


class Outcome(IntEnum):
    """How a playout ended."""

    FINISHED = 0  # in a terminal state
    STUCK = 1  # in a state that is not terminal, where some role has no legal move
    CUT = 2  # at the limit of steps


@dataclass(frozen=True, eq=False, slots=True)
class Playouts:
    """The results of playouts, one row each, in an order that depends on the seed alone."""

    roles: tuple[str, ...]
    #: int16 [playouts, roles]: the goal values in the last state, `UNDEFINED` where not exactly one holds.
    goals: NDArray[np.int16]
    #: int32 [playouts]: how many joint moves were made.
    lengths: NDArray[np.int32]
    #: uint8 [playouts]: values of `Outcome`.
    outcomes: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def states(self) -> int:
        """How many joint moves were made in all playouts together."""
        return int(self.lengths.sum(dtype="int64"))

    @property
    def mean_length(self) -> float | None:
        """The mean number of joint moves, None of no playouts."""
        return float(self.lengths.mean()) if len(self) else None

    @property
    def mean_goals(self) -> dict[str, float | None]:
        """For every role the mean of its defined goal values, None where there are none.

        `undefined_goals` says how many were left out.
        """
        means: dict[str, float | None] = {}
        for role, column in zip(self.roles, self.goals.T, strict=True):
            defined = column[column != UNDEFINED]
            means[role] = float(defined.mean()) if len(defined) else None
        return means

    @property
    def undefined_goals(self) -> dict[str, int]:
        """For every role the number of playouts that ended without exactly one goal value."""
        return {role: int((column == UNDEFINED).sum())
                for role, column in zip(self.roles, self.goals.T, strict=True)}

    def count(self, outcome: Outcome) -> int:
        """How many playouts ended like this."""
        return int((self.outcomes == outcome).sum())

    def __str__(self) -> str:
        counts = ", ".join(f"{self.count(outcome)} {outcome.name.lower()}"
                           for outcome in Outcome if self.count(outcome))
        means = ", ".join(f"{role} {'undefined' if mean is None else format(mean, '.2f')}"
                          for role, mean in self.mean_goals.items())
        summary = f"{len(self)} {agree(len(self), 'playout')} ({counts or 'none'})"
        return f"{summary}; mean length {self.mean_length:.2f}; mean goals: {means}" if len(self) else summary
