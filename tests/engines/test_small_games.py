"""Whatever the rules are, the engines answer alike."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import small_games

import ludorum
from ludorum import State

ENGINES = ("reference", "relations", "circuit")


def answers(state: State) -> dict[str, object]:
    return {"fluents": state.fluents, "terminal": state.is_terminal, "goals": state.goals, "percepts": state.percepts,
            "legal": {role: tuple(state.legal(role)) for role in state.game.roles}}


@given(rules=small_games(), seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_every_answer_along_a_random_walk_is_that_of_the_definition(rules: str, seed: int) -> None:
    states = [ludorum.load(rules, engine=engine).initial for engine in ENGINES]
    random = Random(seed)
    for _ in range(5):
        expected = answers(states[0])
        for state in states[1:]:
            assert answers(state) == expected, state.game.engine
        moves = [states[0].legal(role) for role in states[0].game.roles]
        if states[0].is_terminal or not all(moves):
            break
        joint = [random.choice(of_role) for of_role in moves]
        states = [state.after(joint) for state in states]
