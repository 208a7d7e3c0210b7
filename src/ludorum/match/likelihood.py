"""How likely the results of many matches are for given strengths of the players.

In the literature: the model of Bradley and Terry (1952), with a prior of drawn matches, by Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Half a drawn match against a player of average strength.
_PRIOR_MATCHES = 0.5
# The most that a strength changes in a step: where the likelihood is nearly flat Newton's method would overshoot.
_MAX_STEP = 1.0


class Likelihood:
    """Of strengths on the scale of the natural logarithm: one that is 1 stronger wins e times as often as it loses.

    Results are those of pairs of players, by their numbers: how much they shared, and how much of it the first one got.
    """

    def __init__(self, players: int, results: Sequence[tuple[int, int, float, float]]) -> None:
        self._players = players
        self._one, self._other = np.array([result[:2] for result in results], dtype=int).reshape(-1, 2).T
        self._weight, self._got = np.array([result[2:] for result in results], dtype=float).reshape(-1, 2).T

    def of(self, strength: NDArray[np.float64]) -> float:
        """Its logarithm."""
        ahead = strength[self._one] - strength[self._other]
        played = self._got * np.logaddexp(0, -ahead) + (self._weight - self._got) * np.logaddexp(0, ahead)
        known = _PRIOR_MATCHES / 2 * (np.logaddexp(0, -strength) + np.logaddexp(0, strength))
        return -float(played.sum() + known.sum())

    def likeliest(self, player: int | None = None, above: float = 0.0) -> NDArray[np.float64]:
        """The likeliest strengths of all; if a player is named, of those where it is so far above the mean."""
        strength = np.zeros(self._players)
        held = np.zeros(self._players)
        if player is not None:
            held -= 1 / self._players
            held[player] += 1
        for _ in range(1000):
            slope, curve = self._bend(strength)
            if player is not None:
                # What is to hold is one more equation, and how hard it pulls one more unknown.
                curve = np.block([[curve, held[:, None]], [held, np.zeros(1)]])
                slope = np.append(slope, above - held @ strength)
            step = np.linalg.solve(curve, slope)[:self._players]
            size = np.abs(step).max()
            strength += step * min(1.0, _MAX_STEP / max(size, _MAX_STEP))
            if size < 1e-9:
                break
        return strength

    def _bend(self, strength: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The slope of the logarithm, and how it bends downwards (Fisher's information)."""
        alone = 1 / (1 + np.exp(-strength))
        slope = _PRIOR_MATCHES * (0.5 - alone)
        curve = np.diag(_PRIOR_MATCHES * alone * (1 - alone))
        chance = 1 / (1 + np.exp(strength[self._other] - strength[self._one]))
        excess = self._got - self._weight * chance
        np.add.at(slope, self._one, excess)
        np.add.at(slope, self._other, -excess)
        bend = self._weight * chance * (1 - chance)
        for here, there in ((self._one, self._other), (self._other, self._one)):
            np.add.at(curve, (here, here), bend)
            np.add.at(curve, (here, there), -bend)
        return slope, curve
