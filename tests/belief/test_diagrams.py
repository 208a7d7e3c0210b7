"""Decision diagrams hold just the states that explicit sets hold, and give the same answers."""

from __future__ import annotations

import random

import pytest

import ludorum
from ludorum.belief import Belief
from ludorum.belief.diagrams import are_available
from ludorum.gdl.terms import Term

pytestmark = pytest.mark.skipif(not are_available(), reason="the package dd is not installed")


@pytest.mark.parametrize(("name", "rounds"), [
    ("transit", 14), ("phantomtictactoe", 8), ("kuhnpoker", 4), ("montyhall", 4), ("meier", 5), ("kriegtictactoe", 4),
])
@pytest.mark.parametrize("seed", [1, 2])
def test_diagrams_answer_as_explicit_sets_do(name: str, rounds: int, seed: int) -> None:
    game = ludorum.load(name)
    role = next(role for role in game.roles if role != "random")
    # With room for one state a belief is a sample as soon as there is doubt, and then there is a diagram beside it.
    all_states, sampled = Belief(game, role, seed=0), Belief(game, role, seed=0, most=1, diagrams=True)
    chance, state = random.Random(seed), game.initial
    for _ in range(rounds):
        if state.is_terminal:
            break
        joint = {each: chance.choice(state.legal(each)) for each in game.roles}
        state = state.after(joint)
        for belief in (all_states, sampled):
            belief.perceived(joint[role], state.percepts[role])
        assert sampled.count == all_states.count == len(all_states)
        assert sampled.is_terminal == all_states.is_terminal
        assert sampled.knows_legal == all_states.knows_legal
        assert sampled.knows_goal == all_states.knows_goal
        if all_states.knows_legal and not all_states.is_terminal:
            assert set(sampled.legal) == set(all_states.legal)


def test_what_would_be_told_leaves_the_diagram_as_it_is() -> None:
    game = ludorum.load("transit")
    belief = Belief(game, game.roles[0], seed=0, most=1, diagrams=True)
    belief.perceived(*_turn(belief))
    belief.perceived(*_turn(belief))
    before = belief.count
    assert before is not None
    assert before > 1
    later = belief.after(*_turn(belief))
    assert later.turns == belief.turns + 1
    assert belief.count == before


def _turn(belief: Belief) -> tuple[str, list[Term]]:
    """Some move, and the percepts that it leads to in the first state that is possible."""
    state = belief.states[0]
    joint = {role: state.legal(role)[0] for role in state.game.roles}
    role = state.game.roles[0]
    return str(joint[role]), list(state.after(joint).percepts[role])


def test_without_them_a_sample_does_not_say_how_many_there_are() -> None:
    game = ludorum.load("transit")
    belief = Belief(game, game.roles[0], seed=0, most=1)
    belief.perceived(*_turn(belief))
    belief.perceived(*_turn(belief))
    assert not belief.is_exact
    assert belief.count is None
