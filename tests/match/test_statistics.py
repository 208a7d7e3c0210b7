"""Ratings and the sequential test: do they say what is true, as often as they promise?"""

from __future__ import annotations

import random
from math import exp, log

import pytest

from ludorum.match.rating import PairResult, rate, shares
from ludorum.sequential import Hypotheses, elo_of, expected_score, interval, log_likelihood_ratio


def test_elo_and_scores_are_two_ways_to_say_the_same() -> None:
    # Elo's own table: 400 more are ten wins to a loss.
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(0) == 0.5
    assert elo_of(expected_score(123)) == pytest.approx(123)


def test_of_wins_and_losses_alone_the_ratio_is_that_of_a_coin() -> None:
    # With nothing but ones and zeros the likeliest distribution is Bernoulli's.
    scores = [1.0] * 7 + [0.0] * 3
    expected = 7 * log(0.6 / 0.5) + 3 * log(0.4 / 0.5)
    assert log_likelihood_ratio(scores, 0.5, 0.6) == pytest.approx(expected, rel=1e-3)


def test_draws_alone_speak_for_equality() -> None:
    assert Hypotheses(0, 100).verdict([0.5] * 20) == "not better"


def test_one_lucky_pair_decides_nothing() -> None:
    assert Hypotheses(0, 400).verdict([1.0]) == "open"


def pair(chance: random.Random, elo: float, draws: float) -> float:
    """The mean of two matches of a player who is so much stronger."""
    score = expected_score(elo)

    def match() -> float:
        drawn = draws * 4 * score * (1 - score)
        place = chance.random()
        return 1.0 if place < score - drawn / 2 else 0.5 if place < score + drawn / 2 else 0.0

    return (match() + match()) / 2


@pytest.mark.parametrize("draws", [0.0, 0.5])
@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "better"), (100.0, "not better")])
def test_the_sequential_test_errs_no_more_often_than_it_says(draws: float, truth: float, wrong: str) -> None:
    chance = random.Random(1)
    asked = Hypotheses(0, 100, alpha=0.05, beta=0.05)
    verdicts: list[str] = []
    for _ in range(200):
        scores: list[float] = []
        while (verdict := asked.verdict(scores)) == "open" and len(scores) < 500:
            scores.append(pair(chance, truth, draws))
        verdicts.append(verdict)
    assert "open" not in verdicts
    # Of 200 answers 10 may be wrong; 19 or more would come once in 200 times if the test kept its promise.
    assert verdicts.count(wrong) < 19


def test_hypotheses_must_differ_and_chances_be_chances() -> None:
    with pytest.raises(ValueError, match="less than"):
        Hypotheses(10, 10)
    with pytest.raises(ValueError, match="alpha"):
        Hypotheses(alpha=0)


def test_the_interval_holds_the_truth_nineteen_times_in_twenty() -> None:
    chance = random.Random(2)
    held = 0
    for _ in range(200):
        low, high = interval([pair(chance, 70, 0.3) for _ in range(40)])
        held += low <= expected_score(70) <= high
    # Three standard deviations below 190.
    assert held >= 181


def test_the_interval_of_wins_alone_leaves_room_for_a_loss() -> None:
    low, high = interval([1.0] * 10)
    # For ones alone the likelihood of a mean is its tenth power; see where it loses half the square of 1.96.
    assert low ** 10 == pytest.approx(2.718281828 ** (-1.96 ** 2 / 2), rel=0.02)
    assert high == pytest.approx(1, abs=1e-3)


def test_ratings_find_strengths_again() -> None:
    truth = {"anna": 150.0, "ben": 0.0, "cleo": -150.0}
    chance = random.Random(3)
    results = []
    for one, other in [("anna", "ben"), ("ben", "cleo"), ("cleo", "anna")] * 400:
        won = chance.random() < expected_score(truth[one] - truth[other])
        results.append(PairResult(one, other, float(won)))
    rated = {rating.player: rating for rating in rate(results)}
    assert list(rated) == ["anna", "ben", "cleo"]
    for player, elo in truth.items():
        assert rated[player].low < elo < rated[player].high
    assert sum(rating.elo for rating in rated.values()) == pytest.approx(0, abs=0.2)


def test_twice_the_strength_of_evidence_narrows_the_interval() -> None:
    few = rate([PairResult("anna", "ben", share) for share in (1, 0, 1)] * 10)[0]
    many = rate([PairResult("anna", "ben", share) for share in (1, 0, 1)] * 40)[0]
    # By the square root of four, if it were not for the little that is known beforehand.
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(2, rel=0.05)


def test_a_player_that_won_everything_has_a_finite_rating() -> None:
    first, last = rate([PairResult("anna", "ben", 1.0)] * 20)
    assert (first.player, last.player) == ("anna", "ben")
    assert 200 < first.elo < 1000
    assert first.elo == -last.elo


def test_who_won_everything_is_better_and_nobody_knows_how_much() -> None:
    first, last = rate([PairResult("anna", "ben", 1.0)] * 12)
    # Of two players one is as far above the mean as the other below it, so that one number tells all.
    def unlikely(elo: float) -> float:
        strength = elo * log(10) / 400
        return 12 * log(1 + exp(-2 * strength)) + 0.5 * (log(1 + exp(-strength)) + log(1 + exp(strength)))

    least = min(map(unlikely, range(2000)))
    likely = [elo for elo in range(2000) if unlikely(elo) - least <= 1.92]
    assert first.low == -last.high == pytest.approx(likely[0], abs=1.5)
    assert first.high == -last.low == pytest.approx(likely[-1], abs=1.5)
    assert first.high - first.elo > first.elo - first.low


def test_who_never_played_is_of_unknown_strength() -> None:
    rated = {rating.player: rating for rating in rate([PairResult("anna", "ben", 0.7)] * 10, ["cleo"])}
    assert rated["cleo"].high - rated["cleo"].low > rated["anna"].high - rated["anna"].low


def test_a_match_is_shared_two_by_two() -> None:
    assert shares([("anna", 100), ("ben", 0)]) == [PairResult("anna", "ben", 1.0)]
    assert shares([("anna", 50), ("ben", 30), ("anna", 20)]) == [
        PairResult("anna", "ben", 0.6, 0.5), PairResult("ben", "anna", 0.55, 0.5)]
