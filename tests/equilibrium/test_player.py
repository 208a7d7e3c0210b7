"""The player `equilibrium` cannot be exploited where it solved the game, and plays on where it could not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ludorum
from ludorum.clock import NEVER, Deadline
from ludorum.equilibrium import GameTree, InformationSet
from ludorum.move import Move
from ludorum.players import Equilibrium, Ludorum
from ludorum.players.determinization import determinized_move
from ludorum.players.equilibrium import EquilibriumPlaying


def _asked(tree: GameTree, playing: EquilibriumPlaying) -> Callable[[InformationSet], dict[Move, float]]:
    return lambda info: playing.policy(tree.belief(info)) or {}


@pytest.mark.parametrize(("name", "value"), [("kuhnpoker", 50 - 25 / 18), ("liarsdice3", 500 / 9)])
def test_nobody_gains_against_it(name: str, value: float) -> None:
    game = ludorum.load(name)
    tree = GameTree.grow(game)
    plans = []
    for role in tree.players:
        playing = Equilibrium(seed=1).join(game, role)
        playing.prepare(NEVER)
        plans.append(tree.plan(role, _asked(tree, playing)))
    assert tree.nash_conv(plans) < 1e-6
    assert tree.values(plans)[tree.players[0]] == pytest.approx(value, abs=1e-6)


def test_it_draws_its_moves_with_their_probabilities() -> None:
    game = ludorum.load("kuhnpoker")
    tree = GameTree.grow(game)
    playing = Equilibrium(seed=1).join(game, tree.players[1])
    playing.prepare(NEVER)
    # With the queen after a bet the second player calls with probability 1/3 in every equilibrium of Kuhn poker.
    beliefs = [tree.belief(info) for info in tree.information_sets(tree.players[1])]
    mixed = [belief for belief in beliefs if 0.3 < max((playing.policy(belief) or {}).values()) < 0.7]
    assert mixed
    for belief in mixed:
        policy = playing.policy(belief)
        assert policy is not None
        drawn = [playing.move_in_doubt(belief, NEVER) for _ in range(1200)]
        for move, probability in policy.items():
            assert drawn.count(move) / 1200 == pytest.approx(probability, abs=0.07)


def test_a_game_that_is_too_large_is_played_all_the_same() -> None:
    game = ludorum.load("kuhnpoker")
    role = GameTree.grow(game).players[0]
    playing = Equilibrium(0.02, nodes=5, seed=1).join(game, role)
    playing.prepare(Deadline.within(1))
    assert "too large" in playing.why
    belief = GameTree.grow(game).belief(GameTree.grow(game).information_sets(role)[0])
    assert determinized_move(playing, belief, role, Deadline.within(0.1)) in belief.legal


def test_the_armer_never_tells() -> None:
    game = ludorum.load("spyvsspy")
    tree = GameTree.grow(game)
    playing = Ludorum(0.05, seed=1).join(game, game.roles[0])
    playing.prepare(Deadline.within(20))
    policy = playing.policy(tree.belief(tree.information_sets(game.roles[0])[0]))
    assert policy is not None
    assert sum(probability for move, probability in policy.items() if "tell" in str(move)) < 0.01
