"""Samples are states that play can reach, told by the path that leads there."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.samples import samples
from ludorum.clock import Budget
from ludorum.gdl import parse_term

STUCK_AT_ONCE = """(role r) (init a) (<= (legal r go) (true b)) (<= (next b) (true b)) (<= terminal (true b))
    (<= (goal r 0) (true a))"""
OVER_AT_ONCE = "(role r) (init a) (legal r go) (<= terminal (true a)) (goal r 0)"


@pytest.mark.parametrize("engine", ["circuit", "relations", "reference"])
def test_every_sample_is_the_state_that_its_path_leads_to(engine: str) -> None:
    game = Game(ludorum.load("tictactoe").rules, engine=engine)
    found = samples(game, 60, seed=3, budget=Budget(60))
    assert len(found) >= 60
    assert found.state(0) == game.initial.fluents
    for index in range(0, len(found), 7):
        state = game.replay(found.path(index))
        assert state.fluents == found.state(index)
        assert state.is_terminal == found.terminal[index]
        assert state.step == found.steps[index]
        # The last state of a run that was cut off may not have been looked at.
        if not state.is_terminal and index < len(found) - 1:
            assert [len(state.legal(role)) for role in game.roles] == list(found.choices[index])


def test_samples_of_tictactoe_meet_with_every_fluent_and_with_ends() -> None:
    found = samples(ludorum.load("tictactoe"), 20_000)
    assert found.bits.shape == (len(found), 3 * 9 + 2)
    assert found.bits.any(axis=0).all()
    assert found.terminal.any()
    assert not found.terminal[found.parents[1:]].any(), "nothing comes after the end"
    # The cells that are not blank are as many as moves were made.
    blank = [found.numbers[parse_term(f"(cell {x} {y} blank)")] for x in "123" for y in "123"]
    assert all(9 - found.bits[index, blank].sum() == len(found.path(index)) for index in range(0, len(found), 97))


def test_the_same_seed_gives_the_same_samples_and_another_seed_others() -> None:
    first, again, other = (samples(ludorum.load("connectfour"), 5_000, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.rows, again.rows)
    assert np.array_equal(first.joints, again.joints)
    assert not np.array_equal(first.rows, other.rows)


def test_a_game_remembers_its_samples() -> None:
    game = ludorum.load("nim")
    assert samples(game, 1000) is samples(game, 1000)
    assert samples(game, 1000) is not samples(game, 1000, seed=1)


def test_rounds_go_on_where_every_game_is_longer_than_the_samples() -> None:
    found = samples(ludorum.load("breakthrough"), 3_000)
    assert max(len(found.path(index)) for index in range(len(found))) >= 5


@pytest.mark.parametrize("engine", ["circuit", "relations"])
@pytest.mark.parametrize("rules", [STUCK_AT_ONCE, OVER_AT_ONCE])
def test_a_game_without_moves_has_one_state(rules: str, engine: str) -> None:
    found = samples(Game(ludorum.parse(rules), engine=engine), 100)
    assert len(found) == 1
    assert found.path(0) == ()


def test_no_samples_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer"):
        samples(ludorum.load("nim"), 0)
