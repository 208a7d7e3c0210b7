"""Beliefs have as many states as there are, weigh them rightly, and always hold the true one."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import ludorum
from ludorum.belief import Belief
from ludorum.game import Game, State
from ludorum.gdl.terms import Term

WITH_SECRETS = [
    "abruptphantomtictactoe", "bankerandthief", "battleshipsinfog", "blackjack", "blindbreakthrough", "hiddenconnect",
    "kuhnpoker", "leducpoker", "liarsdice", "meier", "phantomtictactoe", "transit",
]


def follow(game: Game, role: str, seed: int, *beliefs: Belief) -> State:
    """A random match, of which beliefs of a role are told; each has to hold the true state all along."""
    chance = random.Random(seed)
    state, mine = game.initial, game.role(role)
    while not state.is_terminal:
        joint = {each: chance.choice(state.legal(each)) for each in game.roles}
        state = state.after(joint)
        for belief in beliefs:
            belief.perceived(joint[mine], state.percepts[mine])
            assert belief.is_consistent
            assert belief.weights.sum() == pytest.approx(1)
            if belief.is_exact:
                assert state in belief.states
    return state


@pytest.mark.parametrize("name", WITH_SECRETS)
def test_the_true_state_is_always_possible(name: str) -> None:
    game = ludorum.load(name)
    roles = [role for role in game.roles if role != "random"]
    for seed in range(3):
        for role in roles:
            follow(game, role, seed, Belief(game, role, seed=seed))


@pytest.mark.parametrize(("marks", "left"), [("0 0", 256), ("0 1", 256), ("1 0", 256), ("1 1", 208), ("2 0", 114)])
def test_a_first_guess_leaves_as_many_codes_as_knuth_counted(marks: str, left: int) -> None:
    belief = Belief(ludorum.load("mastermind"), "breaker")
    belief.perceived("noop", [])
    assert len(belief) == 1296
    belief.perceived("(guess red red orange orange)", [f"(marks {marks})"])
    assert len(belief) == left
    assert belief.is_exact


def test_a_patrol_that_stays_loses_sight_of_the_smuggler() -> None:
    """He starts at (3, 1) and may stay or go up a row; rocks and the patrol, which would have met him, are left out."""
    game = ludorum.load("transit")
    belief = Belief(game, "patrol")
    reached = {(3, 1)}
    for _ in range(4):
        belief.perceived("(move stay)", ["(moved stay)"])
        belief.perceived("noop", [])
        reached |= {(x + dx, y + 1) for x, y in reached for dx in (-1, 0, 1)
                    if 1 <= x + dx <= 6 and (x + dx, y + 1) not in {(1, 4), (5, 3), (5, 5)}}
        places = {tuple(map(int, str(fluent).strip("()").split()[2:])) for state in belief.states
                  for fluent in state.fluents if str(fluent).startswith("(at smuggler")}
        assert places == reached
        assert len(belief) == len(reached)


def as_odds(belief: Belief) -> dict[frozenset[Term], float]:
    return {state.fluents: float(weight) for state, weight in zip(belief.states, belief.weights, strict=True)}


@pytest.mark.parametrize("name", ["kuhnpoker", "montyhall", "spyvsspy"])
@pytest.mark.parametrize("engine", ["reference", "relations"])
def test_all_engines_have_the_same_beliefs(name: str, engine: str) -> None:
    text = ludorum.library.entry(name).text
    game, other = ludorum.load(text), ludorum.load(text, engine=engine)
    role = game.roles[1]
    seen, told = Belief(game, role), Belief(other, role)
    follow(game, role, 3, seen, told)
    assert seen.is_exact
    if told.is_exact:
        assert as_odds(seen) == pytest.approx(as_odds(told))
    assert {move.term for move in seen.legal} == {move.term for move in told.legal}


def test_a_dealt_card_leaves_the_others_equally_likely() -> None:
    belief = Belief(ludorum.load("kuhnpoker"), "anna")
    belief.perceived("noop", ["(card queen)"])
    odds = {str(fluent): value for fluent, value in belief.odds().items()}
    assert odds["(hand anna queen)"] == pytest.approx(1)
    assert odds["(hand ben king)"] == pytest.approx(1 / 2)
    assert odds["(hand ben jack)"] == pytest.approx(1 / 2)


def test_the_door_that_was_not_opened_is_twice_as_likely() -> None:
    belief = Belief(ludorum.load("montyhall"), "candidate")
    belief.perceived("noop", [])
    belief.perceived("(choose 1)", [])
    belief.perceived("noop", ["(opened 3)"])
    odds = {str(fluent): value for fluent, value in belief.odds().items()}
    assert odds["(car 1)"] == pytest.approx(1 / 3)
    assert odds["(car 2)"] == pytest.approx(2 / 3)


def test_states_are_drawn_as_often_as_they_are_likely() -> None:
    belief = Belief(ludorum.load("meier"), "ben", seed=4)
    belief.perceived("noop", [])
    drawn = Counter(belief.sample() for _ in range(4200))
    expected = [4200 * float(weight) for weight in belief.weights]
    assert chisquare([drawn[state] for state in belief.states], expected).pvalue > 1e-4


def test_a_sample_weighs_states_rightly_on_average() -> None:
    """Of 24 places of the first hidden mark, all alike, a belief of at most ten keeps each equally often."""
    game = ludorum.load("kriegtictactoe")
    sums: Counter[State] = Counter()
    for seed in range(240):
        belief = Belief(game, "x", most=10, seed=seed)
        belief.perceived("(try 3 3)", ["(control o)"])
        belief.perceived("noop", ["(control x)"])
        assert not belief.is_exact
        assert len(belief) <= 10
        sums.update(belief.states)
    assert len(sums) == 24
    assert chisquare(list(sums.values())).pvalue > 1e-4


def test_a_sample_that_lost_the_match_is_found_again() -> None:
    """Nearly all of few particles die in every turn that is refused, and new ones come from the last exact set."""
    game = ludorum.load("kriegtictactoe")
    for seed in range(2):
        belief = Belief(game, "x", most=30, seed=seed)
        follow(game, "x", seed, belief)
        assert not belief.is_exact


def test_chance_moves_without_a_trace_are_tried_once() -> None:
    """A hundred cards are turned up that nobody looks at; only whether the dealer stops matters."""
    cards = " ".join(f"(card {n})" for n in range(100))
    game = ludorum.load(f"""
        (role watcher) (role random) {cards}
        (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal random (turn ?c)) (card ?c))
        (legal random stop) (legal watcher look)
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next stopped) (does random stop))
        (<= (next stopped) (true stopped))
        (<= terminal (true (round 3)))
        (<= (goal watcher 100) (true stopped)) (<= (goal watcher 0) (not (true stopped))) (goal random 0)""")
    belief = Belief(game, "watcher")
    belief.perceived("look", [])
    belief.perceived("look", [])
    stopped = next(value for fluent, value in belief.odds().items() if str(fluent) == "stopped")
    assert stopped == pytest.approx(1 - (100 / 101) ** 2)
    assert len(belief) == 2


def test_thinned_weights_keep_their_sum_on_average() -> None:
    from ludorum._core import thin_states

    rows = np.arange(50, dtype=np.uint64).reshape(-1, 1)
    weights = np.linspace(0.01, 1, 50)
    means = np.zeros(50)
    for seed in range(2000):
        kept, sums = thin_states(rows, weights, 20, seed)
        assert len(kept) <= 20
        means[kept[:, 0].astype(int)] += sums / 2000
    assert np.abs(means - weights).max() < 0.06
