"""Ratings: how strong each player of many matches is, on the scale of Elo.

By the model of Bradley and Terry a player who is 400 stronger is ten times as likely to win. A match counts for every
two of its players as the share of goals between them: 1 for 100 against 0, a half for a draw, 0.7 for 70 against 30.
The ratings are those under which the shares are likeliest, with a mean of 0; half a drawn match of everyone against
the average keeps them finite where somebody won everything. The intervals come from the curvature of the likelihood
(Fisher's information) and hold nine times in ten or more: draws make them a little too wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

# Half a drawn match against a player of average strength.
_PRIOR = 0.5
_ELO = 400 / log(10)
# Of a normal distribution, so much lies within two sides of the mean.
_NINETY_FIVE = 1.959964


@dataclass(frozen=True, slots=True)
class Shared:
    """What two players made of a match: the first one's share of it, and how much it counts."""

    one: str
    other: str
    share: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    player: str
    elo: float
    #: The 95 % interval around it reaches so far to both sides.
    within: float

    @property
    def low(self) -> float:
        return round(self.elo - self.within, 1)

    @property
    def high(self) -> float:
        return round(self.elo + self.within, 1)


def shares(goals: Sequence[tuple[str, float]]) -> list[Shared]:
    """How the players of a match, with their goals from 0 to 100, share it two by two.

    A match of many weighs as much for each as a match of two.
    """
    weight = 1 / max(1, len(goals) - 1)
    return [Shared(one, other, 0.5 + (mine - theirs) / 200, weight)
            for place, (one, mine) in enumerate(goals) for other, theirs in goals[place + 1:] if one != other]


def rate(results: Iterable[Shared], players: Iterable[str] = ()) -> list[Rating]:
    """The players from the strongest to the weakest, those without results too."""
    import numpy as np

    results = list(results)
    names = sorted({*players, *(name for result in results for name in (result.one, result.other))})
    if not names:
        return []
    number = {name: index for index, name in enumerate(names)}
    # One row for each two players: how much they shared, and how much of it the first got.
    totals: dict[tuple[int, int], list[float]] = {}
    for result in results:
        one, other, share = number[result.one], number[result.other], result.share
        if one > other:
            one, other, share = other, one, 1 - share
        total = totals.setdefault((one, other), [0.0, 0.0])
        total[0] += result.weight
        total[1] += result.weight * share
    size = len(names)
    strength = np.zeros(size)
    for _ in range(100):
        chance = 1 / (1 + np.exp(-strength))
        slope = _PRIOR * (0.5 - chance)
        curve = np.diag(_PRIOR * chance * (1 - chance))
        for (one, other), (weight, share) in totals.items():
            p = 1 / (1 + np.exp(strength[other] - strength[one]))
            slope[one] += share - weight * p
            slope[other] -= share - weight * p
            bend = weight * p * (1 - p)
            curve[one, one] += bend
            curve[other, other] += bend
            curve[one, other] -= bend
            curve[other, one] -= bend
        change = np.linalg.solve(curve, slope)
        # Steps of Newton's method, held back where it would overshoot.
        strength += np.clip(change, -1, 1)
        if np.abs(change).max() < 1e-9:
            break
    # Strengths count from their mean, and so do the doubts about them.
    centre = np.eye(size) - 1 / size
    spread = centre @ np.linalg.inv(curve) @ centre
    elo = _ELO * (strength - strength.mean())
    within = _ELO * _NINETY_FIVE * np.sqrt(np.clip(np.diag(spread), 0, None))
    rated = [Rating(name, round(float(elo[index]), 1), round(float(within[index]), 1))
             for name, index in number.items()]
    return sorted(rated, key=lambda rating: (-rating.elo, rating.player))
