"""What every fluent is worth by itself: how much it adds to what random matches end with.

In games like chess these are the values of the pieces and of their squares, in others the corners of a board. Nobody
has to say what a piece is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.evaluate.outcomes import Outcomes
from ludorum.gdl.terms import Term
from ludorum.move import Role

# Before anything was seen a fluent is worth nothing, give or take so many points.
_GIVE_OR_TAKE = 10.0
# With fewer states nothing is said.
_FEWEST = 50


@dataclass(frozen=True, eq=False)
class FluentWeights:
    """Value = start + the worth of every fluent that holds, for each role; nearest to how playouts end on average."""

    fluents: tuple[Term, ...]
    roles: tuple[Role, ...]
    #: float64 [fluents, roles]
    points: NDArray[np.float64]
    #: float64 [roles]
    start: NDArray[np.float64]
    #: How much of the variance of the mean outcomes is explained, from 0 to 1.
    explained: float
    #: From how many states there were playouts.
    states: int

    def best(self, role: str, most: int = 10) -> list[tuple[Term, float]]:
        """The fluents that are worth most to a role, and those that cost it most, by what they count."""
        column = self.points[:, [str(other) for other in self.roles].index(str(role))]
        order = np.argsort(-np.abs(column), kind="stable")[:most]
        return [(self.fluents[fluent], float(column[fluent])) for fluent in order if column[fluent]]

    def __str__(self) -> str:
        return f"explains {self.explained:.0%} of the differences between {self.states} states"


def fluent_weights(fluents: tuple[Term, ...], roles: tuple[Role, ...], found: Outcomes) -> FluentWeights:
    """Least squares; what was seen seldom, or says the same as another, is held near 0."""
    known = found.known
    if len(known) < _FEWEST:
        start = known.means.mean(axis=0) if len(known) else np.full(len(roles), 50.0)
        return FluentWeights(fluents, roles, np.zeros((len(fluents), len(roles))), start, 0.0, len(known))
    bits = np.unpackbits(known.rows.view(np.uint8), axis=1, bitorder="little", count=len(fluents)).astype(np.float32)
    usual, middle = bits.mean(axis=0, dtype=np.float64), known.means.mean(axis=0)
    bits -= usual.astype(np.float32)
    target = known.means - middle
    variance = max(1e-9, float(target.var()))
    together = (bits.T @ bits).astype(np.float64)
    together[np.diag_indices_from(together)] += variance / _GIVE_OR_TAKE**2
    points = np.linalg.solve(together, bits.T @ target)
    explained = 1 - float((target - bits @ points).var()) / variance
    return FluentWeights(fluents, roles, points, middle - usual @ points, explained, len(known))
