"""Strategies from sampled matches come close to an equilibrium, as exact best replies to them say."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.equilibrium import GameTree, SampledStrategy


@pytest.mark.parametrize(("name", "value", "uniform"), [
    # What all gain together by best replies to uniform play is 122.916667 - 100 in Kuhn poker.
    ("kuhnpoker", 50 - 25 / 18, 22.916667), ("liarsdice3", 500 / 9, 55.555556)])
def test_sampled_matches_come_close_to_an_equilibrium(name: str, value: float, uniform: float) -> None:
    game = ludorum.load(name)
    tree = GameTree.grow(game)
    assert tree.nash_conv(tree.uniform()) == pytest.approx(uniform, abs=1e-5)
    strategy = SampledStrategy(game, seed=1)
    strategy.sample(300_000)
    plans = [tree.plan(role, strategy) for role in tree.players]
    assert tree.nash_conv(plans) < uniform / 6
    assert tree.values(plans)[tree.players[0]] == pytest.approx(value, abs=2)


def test_where_no_match_came_by_nothing_is_known() -> None:
    game = ludorum.load("kuhnpoker")
    strategy = SampledStrategy(game)
    assert strategy.policy("anna", ()) is None
    tree = GameTree.grow(game)
    [one] = {sum(strategy(info).values()) for info in tree.information_sets("anna")}
    assert one == pytest.approx(1)
