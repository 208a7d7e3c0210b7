"""Whether a net is better than another: pairs of games one turn ahead, until a sequential test has an answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum._core import NetEvaluation, Simulator, net_matches
from ludorum.sequential import Hypotheses, Verdict, interval

#: What a net must be better by, in points of rating: the test tells 30 from 0.
GATE = Hypotheses(elo0=0, elo1=30)
# So many pairs are played before the test is asked again.
_CHUNK = 50


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one net scored against another."""

    verdict: Verdict
    score: float
    low: float
    high: float
    pairs: int


@dataclass(frozen=True, eq=False)
class Arena:
    """Where nets of one game meet."""

    simulator: Simulator
    start: NDArray[np.uint64]
    roles: int
    chance_role: int
    max_steps: int
    threads: int = 1

    def scores(self, one: NetEvaluation, other: NetEvaluation, pairs: int, seed: int) -> list[float]:
        """What `one` scores in each pair of games with changed seats, from 0 to 1."""
        payoffs = net_matches(self.simulator, one, other, self.start, 2 * pairs, seed, threads=self.threads,
                              max_steps=self.max_steps, chance_role=self.chance_role)
        contenders = [role for role in range(self.roles) if role != self.chance_role]
        found = []
        for pair in range(pairs):
            seat = contenders[pair % len(contenders)]
            others = [role for role in contenders if role != seat]
            first, second = payoffs[2 * pair], payoffs[2 * pair + 1]
            if not others:
                found.append(0.5 + float(first[seat] - second[seat]) / 2)
                continue
            # One has the seat in the first game, and the other seats in the second.
            ahead = float(first[seat] - first[others].mean()) + float(second[others].mean() - second[seat])
            found.append(0.5 + ahead / 4)
        return found

    def test(self, one: NetEvaluation, other: NetEvaluation, most_pairs: int, seed: int) -> GateResult:
        """Whether `one` is better than `other`; open where so many pairs do not tell."""
        scores: list[float] = []
        verdict: Verdict = "open"
        while len(scores) < most_pairs and verdict == "open":
            scores += self.scores(one, other, min(_CHUNK, most_pairs - len(scores)), seed + len(scores))
            verdict = GATE.verdict(scores)
        low, high = interval(scores)
        return GateResult(verdict, sum(scores) / len(scores), low, high, len(scores))
