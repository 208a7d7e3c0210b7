"""Is A better than B? A sequential test that stops as soon as the answer is clear.

What is tested are scores between 0 and 1, each from a pair of matches where A and B have changed seats. Two
hypotheses say what the expected score is: that of a player who is `elo0` stronger, and that of one who is `elo1`
stronger. After every pair the likelihoods of the two are compared, and the test ends when their ratio passes one of
Wald's bounds, which hold the chance of a wrong answer near `alpha` (deciding for `elo1` where `elo0` holds) and `beta`
(the other way round).

Nothing is assumed about how scores are spread, for draws, fractional goals and the luck of seats differ from game to
game: the likelihood of a mean is the highest that any distribution over the scores seen so far, and with that mean,
gives them (an empirical likelihood; chess engines are tested in the same way, on five kinds of pairs).

In the literature: the sequential probability ratio test, SPRT (Wald 1945), generalised to unknown distributions (GSPRT)
by empirical likelihood (Owen 1988).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log
from typing import Literal

# So much of an observation stands at either end, so that every mean between 0 and 1 is possible from the first pair.
_PRIOR_WEIGHT = 1e-3
#: The first pairs say little, and an approximation least of all.
MIN_PAIRS = 4

Verdict = Literal["better", "not better", "open"]


def expected_score(elo: float) -> float:
    """What a player who is so much stronger scores on average: 0.64 for 100."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """The difference in strength that an average score tells of; infinite for 0 and 1."""
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return -400 * log(1 / score - 1) / log(10)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is asked: is A `elo1` stronger than B, or only `elo0`? And how often a wrong answer may be given."""

    elo0: float = 0.0
    elo1: float = 100.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are chances of a wrong answer, between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Between these the question is open."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verdict(self, scores: Iterable[float]) -> Verdict:
        """What the scores of all pairs so far say."""
        seen = list(scores)
        if len(seen) < MIN_PAIRS:
            return "open"
        low, high = self.bounds
        ratio = log_likelihood_ratio(seen, expected_score(self.elo0), expected_score(self.elo1))
        return "better" if ratio >= high else "not better" if ratio <= low else "open"


def log_likelihood_ratio(scores: Iterable[float], mean0: float, mean1: float) -> float:
    """How much likelier the scores are under the second mean than under the first, as a logarithm."""
    spread = _Spread(scores)
    return spread.log_likelihood(mean1) - spread.log_likelihood(mean0)


def interval(scores: Iterable[float], chance: float = 0.95) -> tuple[float, float]:
    """Between which expected scores the truth lies, with this chance: those not much less likely than the best.

    It takes the number of scores for fixed; a test that stopped early on lucky scores makes it a little too narrow.
    """
    from statistics import NormalDist

    spread = _Spread(scores)
    # Twice the loss of log-likelihood follows the square of a normal variable.
    most_lost = NormalDist().inv_cdf((1 + chance) / 2) ** 2 / 2
    best = spread.log_likelihood(spread.mean)

    def edge(inside: float, outside: float) -> float:
        for _ in range(30):
            middle = (inside + outside) / 2
            if best - spread.log_likelihood(middle) <= most_lost:
                inside = middle
            else:
                outside = middle
        return inside

    return edge(spread.mean, 0.0), edge(spread.mean, 1.0)


class _Spread:
    """Scores, counted, and the likelihood of every mean they may have come from."""

    def __init__(self, scores: Iterable[float]) -> None:
        counts = Counter(min(1.0, max(0.0, score)) for score in scores)
        for end in (0.0, 1.0):
            counts[end] += _PRIOR_WEIGHT  # type: ignore[assignment]
        self._total = sum(counts.values())
        self._weights = [(value, count / self._total) for value, count in sorted(counts.items())]
        self.mean = sum(value * weight for value, weight in self._weights)

    def log_likelihood(self, mean: float) -> float:
        """Of the likeliest distribution over the scores seen that has this mean, up to a constant."""
        if not 0 < mean < 1:
            return -inf
        # That distribution has the weights w / (1 + t (value - mean)), for the t at which they have this mean.
        low, high, t = -1 / (1 - mean), 1 / mean, 0.0
        for _ in range(100):
            terms = [((value - mean) / (1 + t * (value - mean)), weight) for value, weight in self._weights]
            excess = sum(weight * term for term, weight in terms)
            if abs(excess) < 1e-12:
                break
            low, high = (t, high) if excess > 0 else (low, t)
            # A step of Newton's method, or half the way where that would lead outside.
            t += excess / sum(weight * term * term for term, weight in terms)
            if not low < t < high:
                t = (low + high) / 2
        return -self._total * sum(weight * log(1 + t * (value - mean)) for value, weight in self._weights)
