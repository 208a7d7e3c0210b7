"""Beliefs with views hold what every role has seen, and matches drawn from them agree with what a role knows."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scipy.stats import chisquare

import ludorum
from ludorum.belief import Belief
from ludorum.belief.histories import Histories
from ludorum.game import Game, State


def random_match(game: Game, role: str, seed: int, *beliefs: Belief) -> State:
    chance = random.Random(seed)
    state, mine = game.initial, game.role(role)
    while not state.is_terminal:
        joint = {each: chance.choice(state.legal(each)) for each in game.roles}
        state = state.after(joint)
        for belief in beliefs:
            belief.perceived(joint[mine], state.percepts[mine])
    return state


@pytest.mark.parametrize("name", ["kuhnpoker", "leducpoker", "liarsdice3", "phantomtictactoe", "transit"])
def test_views_say_of_states_what_beliefs_say(name: str) -> None:
    game = ludorum.load(name)
    role = game.roles[0]
    for seed in range(3):
        plain, seen = Belief(game, role), Belief(game, role, views=True)
        state = random_match(game, role, seed, plain, seen)
        assert state in seen.states
        assert len(seen) >= len(plain)
        assert seen.odds() == pytest.approx(plain.odds())
        assert set(seen.legal) == set(plain.legal)


def test_a_card_that_is_seen_makes_views_differ() -> None:
    """Anna is dealt one of three cards and ben another: she knows one view of her own and two of his."""
    game = ludorum.load("kuhnpoker")
    belief = Belief(game, "anna", views=True)
    belief.perceived("noop", ["(card queen)"])
    rows, _ = belief.thinned(100)
    first = belief.view_simulator.plain_words
    anna, ben = (game.roles.index(game.role(role)) for role in ("anna", "ben"))
    assert len({int(row[first + anna]) for row in rows}) == 1
    assert len({int(row[first + ben]) for row in rows}) == 2


def test_a_belief_can_be_asked_what_would_be() -> None:
    belief = Belief(ludorum.load("mastermind"), "breaker")
    belief.perceived("noop", [])
    assert len(belief.after("(guess red red orange orange)", ["(marks 2 0)"])) == 114
    assert len(belief) == 1296


def test_drawn_matches_agree_with_percepts() -> None:
    """After a door was opened the car is behind the other with probability 2/3, by the weights of matches."""
    game = ludorum.load("montyhall")
    belief = Belief(game, "candidate")
    for move, percepts in (("noop", []), ("(choose 1)", []), ("noop", ["(opened 3)"])):
        belief.perceived(move, percepts)
    histories = Histories(game, "candidate", seed=2)
    history = belief.history
    assert history is not None
    sums: Counter[State] = Counter()
    for _ in range(600):
        drawn = histories.draw(history)
        assert drawn is not None
        sums[State(game, drawn.rows[-1].tobytes(), step=3)] += drawn.weight  # type: ignore[assignment]
    whole = sum(sums.values())
    odds = {str(fluent): part / whole for state, part in sums.items() for fluent in state.fluents
            if str(fluent).startswith("(car")}
    assert odds["(car 1)"] == pytest.approx(1 / 3, abs=0.06)
    assert odds["(car 2)"] == pytest.approx(2 / 3, abs=0.06)


def test_nothing_is_drawn_where_nothing_agrees() -> None:
    game = ludorum.load("montyhall")
    belief = Belief(game, "candidate")
    belief.perceived("noop", [])
    history = belief.history
    assert history is not None
    assert Histories(game, "candidate").draw(history) is not None
    assert Histories(game, "candidate").draw([(ludorum.Move("(choose 1)"), frozenset())]) is None


def test_root_states_are_drawn_by_their_weights() -> None:
    """Matches in which a first die falls: each of six equally often."""
    game = ludorum.load("liarsdice")
    belief = Belief(game, "ben")
    histories = Histories(game, "ben", seed=5)
    state = game.initial
    chance = random.Random(1)
    joint = {each: chance.choice(state.legal(each)) for each in game.roles}
    state = state.after(joint)
    belief.perceived(joint[game.role("ben")], state.percepts[game.role("ben")])
    history = belief.history
    assert history is not None
    ends = Counter(histories.draw(history).rows[-1].tobytes() for _ in range(600))  # type: ignore[union-attr]
    assert len(ends) == len(belief)
    assert chisquare(list(ends.values())).pvalue > 1e-4
