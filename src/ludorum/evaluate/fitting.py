"""Weights from playouts: which parts of an evaluation tell how games end, and how much each of them does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Evaluation, Simulator
from ludorum.evaluate.outcomes import Outcomes
from ludorum.evaluate.settings import Part
from ludorum.grammar import agree

# A part whose weight is not so many standard errors above 0 is dropped.
_CERTAIN = 3.0
# The fewest states whose ends say something.
_FEWEST = 50


@dataclass(frozen=True)
class Fit:
    """Value = start + the sum of weight · part, from 0 to 100, nearest to how playouts end on average."""

    weights: dict[Part, float]
    start: float
    #: Parts that mislead, or tell nothing that the others do not.
    dropped: tuple[Part, ...]
    #: How much of the variance of the mean outcomes is explained, from 0 to 1.
    explained: float
    #: From how many states there were playouts.
    states: int

    def __str__(self) -> str:
        kept = ", ".join(f"{part} {weight:.2f}" for part, weight in self.weights.items()) or "nothing"
        states = f"{self.states} {agree(self.states, 'state')}"
        return f"{kept}; explains {self.explained:.0%} of the differences between {states}"


def fit(simulator: Simulator, parts: Mapping[Part, Evaluation], found: Outcomes) -> Fit:
    """The weights by which parts predict how playouts end; none if too few states are known."""
    names, rows, means = list(parts), found.rows, found.means
    if len(found) < _FEWEST:
        return Fit({}, 0.0, tuple(names), 0.0, len(found))
    # A role apart from the others: what is usual for one need not be for another.
    target = (means - np.nanmean(means, axis=0)).ravel()
    features = np.stack([(values - values.mean(axis=0)).ravel() for values in (
        parts[name].evaluate(simulator, rows).astype(np.float64) for name in names)], axis=1)
    is_known = ~np.isnan(target)
    features, target = features[is_known], target[is_known]
    # What misleads by itself may seem to help beside others; that is not to be trusted.
    kept = [i for i in range(len(names)) if _certainty(features[:, [i]], target, len(means))[1][0] >= _CERTAIN]
    while kept:
        weights, certainty = _certainty(features[:, kept], target, len(means))
        worst = int(np.argmin(certainty))
        if certainty[worst] >= _CERTAIN:
            explained = 1 - float((target - features[:, kept] @ weights).var() / max(target.var(), 1e-12))
            chosen_parts = {names[i]: float(weight) for i, weight in zip(kept, weights, strict=True)}
            middle = [float(np.mean(parts[name].evaluate(simulator, rows))) * weight
                      for name, weight in chosen_parts.items()]
            return Fit(chosen_parts, float(np.nanmean(means)) - sum(middle),
                       tuple(name for name in names if name not in chosen_parts), explained, len(means))
        del kept[worst]
    return Fit({}, 0.0, tuple(names), 0.0, len(means))


def _certainty(features: NDArray[np.float64], target: NDArray[np.float64],
               effective: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Least squares: weights, and by how many standard errors each is above 0.

    Of the roles' values in one state only one counts as known: mostly what one gains the others lose.
    """
    # A trace of a ridge: parts may say the same, or nothing.
    covariance = features.T @ features / len(target) + 1e-6 * np.eye(features.shape[1])
    inverse = np.linalg.inv(covariance).astype(np.float64)
    weights = inverse @ (features.T @ target / len(target))
    noise = float((target - features @ weights).var())
    return weights, weights / np.sqrt(np.maximum(np.diag(inverse) * noise / effective, 1e-12))
