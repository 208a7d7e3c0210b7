"""Somebody who knows what they will be told asks when asking pays."""

from __future__ import annotations

import random

import pytest

import ludorum
from ludorum.belief import Belief
from ludorum.belief.planning import Planner
from ludorum.clock import NEVER, Deadline
from ludorum.errors import NoSimulator
from ludorum.game import Game
from ludorum.players import Ludorum
from ludorum.players.determinization import determinized_move


def values(game: Game, role: str, belief: Belief, deadline: Deadline = NEVER) -> tuple[dict[str, float], bool]:
    found, is_exact = Planner(game, role).values(belief, deadline)
    return {str(move): value for move, value in found.items()}, is_exact


def test_asking_which_wire_is_armed_is_worth_ninety() -> None:
    game = ludorum.load("explodingbomb")
    belief = Belief(game, "agent")
    belief.perceived("noop", [])
    found, is_exact = values(game, "agent", belief)
    assert found == pytest.approx({"ask": 90, "wait": 50})
    assert is_exact


def test_switching_doors_is_worth_two_thirds() -> None:
    game = ludorum.load("montyhall")
    belief = Belief(game, "candidate")
    belief.perceived("noop", [])
    belief.perceived("(choose 1)", [])
    belief.perceived("noop", ["(opened 3)"])
    found, is_exact = values(game, "candidate", belief)
    assert found == pytest.approx({"stay": 100 / 3, "switch": 200 / 3})
    assert is_exact


def test_four_questions_find_one_of_sixteen_numbers() -> None:
    game = ludorum.load("numberguessing")
    belief = Belief(game, "guesser")
    belief.perceived("noop", [])
    found, is_exact = values(game, "guesser", belief)
    assert is_exact
    assert max(found.values()) == pytest.approx(60)
    assert found["(less_than 9)"] == pytest.approx(60)
    assert found["ready"] == pytest.approx(100 / 16)


def test_ludorum_never_blows_itself_up() -> None:
    game = ludorum.load("explodingbomb")
    for seed in range(4):
        chance = random.Random(seed)
        playing = Ludorum(seconds=0.1, seed=seed).join(game, "agent")
        belief, state, agent = Belief(game, "agent", seed=seed), game.initial, game.role("agent")
        while not state.is_terminal:
            move = determinized_move(playing, belief, agent, Deadline.within(60))
            state = state.after({agent: move, game.role("random"): chance.choice(state.legal("random"))})
            belief.perceived(move, state.percepts[agent])
        assert state.goals["agent"] == 90


def test_planning_needs_a_part_in_the_core() -> None:
    with pytest.raises(NoSimulator):
        Planner(ludorum.load("montyhall", engine="reference"), "candidate")
