"""How random matches go on from states: what weights are fitted to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Simulator
from ludorum.analysis.samples import Samples
from ludorum.clock import Budget

#: The most steps of a playout.
STEPS = 500
# The core does not take an endless time.
_MOST_SECONDS = 1e6


@dataclass(frozen=True, eq=False)
class Outcomes:
    """States of random play from which the game goes on, and how playouts from there end on average."""

    #: uint64 [states, words]
    rows: NDArray[np.uint64]
    #: float64 [states, roles]: the mean goals, not a number where no playout comes to an end.
    means: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def known(self) -> Outcomes:
        """Those of which there is a mean."""
        kept = ~np.isnan(self.means).any(axis=1)
        return Outcomes(self.rows[kept], self.means[kept])


def outcomes(simulator: Simulator, found: Samples, most: int, playouts: int, budget: Budget, *,
             seed: int = 0) -> Outcomes:
    """Of at most so many of the states, as many as the budget allows; another seed takes others."""
    going_on = np.flatnonzero(~found.terminal & found.choices.all(axis=1))
    chosen = np.random.default_rng(seed).permutation(going_on)[:most]
    rows = np.ascontiguousarray(found.rows[chosen])
    seconds = max(0.0, min(_MOST_SECONDS, budget.deadline.remaining))
    means = simulator.mean_outcomes(rows, playouts, seed, STEPS, seconds)
    return Outcomes(rows[: len(means)], means.astype(np.float64))
