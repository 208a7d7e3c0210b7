"""Ratings: how strong each player of many matches is, on the scale of Elo.

By the model of Bradley and Terry a player who is 400 stronger is ten times as likely to win. A match counts for every
two of its players as the share of goals between them: 1 for 100 against 0, a half for a draw, 0.7 for 70 against 30.
The ratings are those under which the shares are likeliest, with a mean of 0; half a drawn match of everyone against
the average keeps them finite where somebody won everything. An interval holds the ratings of a player with which the
results are not much less likely, whatever the others' ratings; so it reaches far to the side of which little is known:
who won everything may be much stronger than that. Draws make intervals a little too wide.

In the literature: paired comparisons (Bradley, Terry 1952; Elo 1978), with profile-likelihood intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

_ELO_PER_NEPER = 400 / log(10)
# Twice the loss of log-likelihood follows the square of a normal variable, which is below this in 95 % of cases.
_MAX_LOSS_95 = 1.959964**2 / 2


@dataclass(frozen=True, slots=True)
class PairResult:
    """What two players made of a match: the first one's share of it, and how much it counts."""

    one: str
    other: str
    share: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    player: str
    elo: float
    #: The ends of the 95 % interval.
    low: float
    high: float


def shares(goals: Sequence[tuple[str, float]]) -> list[PairResult]:
    """How the players of a match, with their goals from 0 to 100, share it two by two.

    A match of many weighs as much for each as a match of two.
    """
    weight = 1 / max(1, len(goals) - 1)
    return [PairResult(one, other, 0.5 + (mine - theirs) / 200, weight)
            for place, (one, mine) in enumerate(goals) for other, theirs in goals[place + 1:] if one != other]


def rate(results: Iterable[PairResult], players: Iterable[str] = ()) -> list[Rating]:
    """The players from the strongest to the weakest, those without results too."""
    # Not before it is needed: NumPy takes its time.
    from ludorum.match.likelihood import Likelihood

    results = list(results)
    names = sorted({*players, *(name for result in results for name in (result.one, result.other))})
    if len(names) < 2:
        # There is nobody to compare it with.
        return [Rating(name, 0.0, 0.0, 0.0) for name in names]
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
    likelihood = Likelihood(len(names), [(one, other, weight, got) for (one, other), (weight, got) in totals.items()])
    strength = likelihood.likeliest()
    centred = strength - strength.mean()
    best = likelihood.of(strength)

    def edge(player: int, direction: int) -> float:
        """How far from the mean a player may be before it is too unlikely, in this direction."""
        def is_likely(reach: float) -> bool:
            edge_of_reach = likelihood.likeliest(player, centred[player] + direction * reach)
            return best - likelihood.of(edge_of_reach) <= _MAX_LOSS_95

        inside, outside = 0.0, 0.5
        while is_likely(outside):
            inside, outside = outside, 2 * outside
        for _ in range(14):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_likely(middle) else (inside, middle)
        return float(centred[player] + direction * inside)

    def elo(strength: float) -> float:
        # The nought has no sign here.
        return round(_ELO_PER_NEPER * strength, 1) + 0.0

    rated = [Rating(name, elo(float(centred[index])), low=elo(edge(index, -1)), high=elo(edge(index, 1)))
             for name, index in number.items()]
    return sorted(rated, key=lambda rating: (-rating.elo, rating.player))
