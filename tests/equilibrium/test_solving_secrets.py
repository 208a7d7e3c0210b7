"""Small games with secrets have the values that are known of them, and best replies get what they should."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum._core import RegretMatching
from ludorum.equilibrium import GameTree, linear, solve
from ludorum.errors import NoSimulator, TooLarge, UninformedRole


# Kuhn's own value is -1/18 of a chip; the others are those of the same games in OpenSpiel.
@pytest.mark.parametrize(("name", "values"), [
    ("kuhnpoker", {"anna": 50 - 25 / 18}),
    ("leducpoker", {"anna": 49.743181}),
    ("liarsdice3", {"anna": 500 / 9}),
    ("explodingbomb", {"agent": 90}),
    ("montyhall", {"candidate": 200 / 3}),
])
def test_the_value_of_a_game_is_known(name: str, values: dict[str, float]) -> None:
    found = solve(ludorum.load(name))
    assert {role: found.values[ludorum.load(name).role(role)] for role in values} == pytest.approx(values, abs=1e-6)
    assert found.nash_conv < 1e-9
    assert found.is_optimal


@pytest.mark.parametrize(("name", "values", "best"), [
    ("kuhnpoker", (53.125, 46.875), (62.5, 60.416667)),
    ("leducpoker", (49.765625, 50.234375), (56.2625, 57.979167)),
    ("liarsdice3", (50.925926, 49.074074), (79.629630, 75.925926)),
    ("spyvsspy", (50, 50), (60, 75)),
    ("bankerandthief", (25, 25), (50, 31.152344)),
])
def test_a_best_reply_to_uniform_play_is_known(name: str, values: tuple[float, ...], best: tuple[float, ...]) -> None:
    tree = GameTree.grow(ludorum.load(name))
    assert tuple(tree.values(tree.uniform()).values()) == pytest.approx(values, abs=1e-6)
    assert tuple(tree.best_replies(tree.uniform()).values()) == pytest.approx(best, abs=1e-6)


def test_leduc_poker_has_as_many_information_sets_as_ranks_make() -> None:
    tree = GameTree.grow(ludorum.load("leducpoker"))
    assert sum(len(tree.information_sets(role)) for role in tree.players) == 288


def test_regret_matching_comes_to_the_value_of_the_linear_program() -> None:
    tree = GameTree.grow(ludorum.load("leducpoker"))
    regrets = RegretMatching(tree.core)
    gains = []
    for _ in range(2):
        regrets.run(500)
        gains.append(tree.nash_conv(regrets.average()))
    assert gains[1] < gains[0]
    assert gains[1] < 0.5
    values = tree.values(regrets.average())
    assert values[tree.players[0]] == pytest.approx(49.743181, abs=0.1)


@pytest.mark.parametrize("name", ["leducpoker", "liarsdice3", "kuhnpoker"])
def test_regret_matching_that_predicts_comes_to_the_same(name: str) -> None:
    tree = GameTree.grow(ludorum.load(name))
    plain, predictive = RegretMatching(tree.core), RegretMatching(tree.core, predictive=True)
    for regrets in (plain, predictive):
        regrets.run(600)
        assert tree.nash_conv(regrets.average()) < 0.1
    first = tree.players[0]
    assert tree.values(plain.average())[first] == pytest.approx(tree.values(predictive.average())[first], abs=0.1)


def test_the_armer_never_tells() -> None:
    found = solve(ludorum.load("spyvsspy"))
    assert not found.is_optimal
    assert found.nash_conv < 1e-3
    [moves] = found.tree.choices("armer", found.plans[0])
    assert sum(part for move, part in moves.items() if "tell" in str(move)) < 1e-3
    assert found.values[found.tree.players[0]] == pytest.approx(40, abs=0.01)


def test_the_banker_gets_forty_from_a_greedy_thief() -> None:
    """Who raids the bank with the most money in it, the first of two equal ones, loses 40 to a banker who knows it."""
    tree = GameTree.grow(ludorum.load("bankerandthief"))
    banks = {str(move): move for move in tree.information_sets("thief")[0].moves}

    def greedy(info: object) -> dict[object, float]:
        seen = [str(percept) for _, percepts in info.history for percept in percepts]  # type: ignore[attr-defined]
        return {banks["(raid 1)" if seen.count("(deposited 1)") >= 5 else "(raid 2)"]: 1.0}

    plans = [tree.uniform()[0], tree.plan("thief", greedy)]  # type: ignore[arg-type]
    # Where the first bank counts, at most four notes go there; where it is the second, five do.
    assert tree.best_replies(plans)[tree.players[0]] == pytest.approx((40 + 50) / 2)


def test_a_plan_comes_back_from_its_choices() -> None:
    found = solve(ludorum.load("kuhnpoker"))
    for role, plan in zip(found.tree.players, found.plans, strict=True):
        by_set = dict(zip(found.tree.information_sets(role), found.tree.choices(role, plan), strict=True))
        assert np.allclose(found.tree.plan(role, by_set.__getitem__), plan, atol=1e-9)


def test_goals_that_do_not_add_up_alike_are_noticed() -> None:
    assert linear.constant_sum(GameTree.grow(ludorum.load("kuhnpoker"))) == pytest.approx(100)
    assert linear.constant_sum(GameTree.grow(ludorum.load("spyvsspy"))) is None


def test_a_game_that_is_too_large_says_how_far_it_came() -> None:
    with pytest.raises(TooLarge, match=r"meier is too large to solve: \d+ nodes in its first \d+ turns"):
        GameTree.grow(ludorum.load("meier"), nodes=1000)


def test_rules_that_keep_a_role_from_knowing_its_moves_are_refused() -> None:
    game = ludorum.load("""
        (role guesser) (role random) (side left) (side right)
        (init (step 0))
        (<= (legal random (open ?s)) (true (step 0)) (side ?s))
        (<= (legal random noop) (true (step 1)))
        (<= (legal guesser noop) (true (step 0)))
        (<= (legal guesser (go ?s)) (true (door ?s)))
        (legal guesser stay)
        (<= (next (door ?s)) (does random (open ?s)))
        (<= (next (step 1)) (true (step 0)))
        (<= (next (step 2)) (true (step 1)))
        (<= terminal (true (step 2)))
        (goal guesser 50) (goal random 0)""")
    with pytest.raises(UninformedRole, match=r"guesser is told too little in .* to know its legal moves after 1 turn"):
        solve(game)


def test_an_engine_without_a_core_cannot_solve() -> None:
    with pytest.raises(NoSimulator):
        solve(ludorum.load("spyvsspy", engine="reference"))
