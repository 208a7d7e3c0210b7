"""A role believes in exactly the states that it cannot tell apart."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludorum
from ludorum.belief import Belief, hides
from ludorum.clock import NEVER, Deadline
from ludorum.errors import GameOver, IllegalMove, MissingMove
from ludorum.game import Game, State
from ludorum.move import Move, Role
from ludorum.players import Clocks, Legal, join_match
from ludorum.players.determinization import determinized_move

#: Two coins are thrown under a cup; the guesser hears how many show heads, then guesses both.
COINS = """
(role guesser) (role random)
(side heads) (side tails)
(init (step 0))
(<= (legal random (throw ?a ?b)) (side ?a) (side ?b) (true (step 0)))
(<= (legal random noop) (true (step 1)))
(<= (legal guesser noop) (true (step 0)))
(<= (legal guesser (guess ?a ?b)) (side ?a) (side ?b) (true (step 1)))
(<= (next (coins ?a ?b)) (does random (throw ?a ?b)))
(<= (next (step 1)) (true (step 0)))
(<= (next (step 2)) (true (step 1)))
(<= (next won) (does guesser (guess ?a ?b)) (true (coins ?a ?b)))
(<= (sees guesser two) (does random (throw heads heads)))
(<= (sees guesser one) (does random (throw heads tails)))
(<= (sees guesser one) (does random (throw tails heads)))
(<= terminal (true (step 2)))
(<= (goal guesser 100) (true won))
(<= (goal guesser 0) (not (true won)))
(<= (goal random 0) (true (step ?n)))
"""


@pytest.fixture(scope="module")
def coins() -> Game:
    return ludorum.load(COINS)


def shown(belief: Belief) -> set[str]:
    return {str(fluent) for state in belief.states for fluent in state.fluents if fluent.name == "coins"}


@pytest.mark.parametrize(("percepts", "possible"), [
    (["two"], {"(coins heads heads)"}),
    (["one"], {"(coins heads tails)", "(coins tails heads)"}),
    ([], {"(coins tails tails)"}),
])
def test_percepts_tell_states_apart(coins: Game, percepts: list[str], possible: set[str]) -> None:
    belief = Belief(coins, "guesser")
    belief.perceived("noop", percepts)
    assert shown(belief) == possible
    assert belief.is_exact
    assert belief.is_consistent
    assert len(belief.legal) == 4


def test_moves_that_are_told_leave_one_state(coins: Game) -> None:
    belief = Belief(coins, "guesser")
    belief.saw(["noop", "(throw heads tails)"])
    assert shown(belief) == {"(coins heads tails)"}
    belief.saw(["(guess heads tails)", "noop"])
    assert belief.is_terminal
    assert belief.states[0].goals["guesser"] == 100


def test_a_move_that_was_not_told_leaves_all_its_outcomes(coins: Game) -> None:
    belief = Belief(coins, "guesser")
    belief.saw(["noop", None])
    assert len(belief.states) == 4


def test_moves_that_cannot_have_been_made_change_nothing(coins: Game) -> None:
    belief = Belief(coins, "guesser")
    with pytest.raises(IllegalMove, match="random cannot play jump"):
        belief.saw(["noop", "jump"])
    with pytest.raises(MissingMove):
        belief.saw(["noop"])
    with pytest.raises(IllegalMove):
        belief.perceived("(guess heads heads)", [])
    assert list(belief.states) == [coins.initial]
    belief.saw(["noop", "(throw heads tails)"])
    belief.saw(["(guess heads tails)", "noop"])
    with pytest.raises(GameOver):
        belief.saw(["noop", "noop"])


def test_percepts_that_make_no_sense_are_ignored_and_noted(coins: Game) -> None:
    belief = Belief(coins, "guesser")
    belief.perceived("noop", ["thunder"])
    assert not belief.is_consistent
    assert len(belief.states) == 4
    assert len(belief.legal) == 4


def test_what_is_twice_as_likely_is_sampled_twice_as_often(coins: Game) -> None:
    rules = COINS.replace("(legal random (throw ?a ?b)) (side ?a) (side ?b)",
                          "(legal random (throw ?a ?b ?n)) (side ?a) (side ?b) (many ?a ?b ?n)")
    rules += "(many heads tails 1) (many heads tails 2) (many tails heads 1) (many heads heads 1) (many tails tails 1)"
    for sides in ("heads heads", "heads tails", "tails heads"):
        rules = rules.replace(f"(throw {sides})", f"(throw {sides} ?n)")
    rules = rules.replace("(does random (throw ?a ?b))", "(does random (throw ?a ?b ?n))")
    belief = Belief(ludorum.load(rules), "guesser", seed=1)
    belief.perceived("noop", ["one"])
    assert len(belief.states) == 2
    drawn = [next(str(fluent) for fluent in belief.sample().fluents if fluent.name == "coins") for _ in range(3000)]
    # Two ways lead to the first and one to the second; six standard deviations are 155.
    assert abs(drawn.count("(coins heads tails)") - 2000) < 155


def walk(game: Game, role: str, seed: int, **options: Any) -> tuple[State, Belief]:
    """A random match as far as the last state before its end, and what a role believes of it all along."""
    chance = random.Random(seed)
    belief = Belief(game, role, seed=seed, **options)
    state = game.initial
    while not state.is_terminal:
        later = state.after({each: chance.choice(state.legal(each)) for each in game.roles})
        if later.is_terminal:
            return state, belief
        made = later_move(state, later, role)
        state = later
        belief.perceived(made, state.percepts[game.role(role)])
    return state, belief


def later_move(before: State, after: State, role: str) -> Move:
    """The move that a role made on the way from one state to the next."""
    assert after._arrival is not None
    return Move(after._arrival[1][before.game.roles.index(before.game.role(role))])


@pytest.mark.parametrize("name", ["phantomtictactoe", "montyhall", "meier", "blackjack"])
@pytest.mark.parametrize("seed", range(2))
def test_the_true_state_is_always_believed_in(name: str, seed: int) -> None:
    game = ludorum.load(name)
    role = next(role for role in game.roles if role != "random")
    state, belief = walk(game, role, seed)
    assert belief.is_consistent
    if belief.is_exact:
        assert state in belief.states
    # A player of GDL-II knows its legal moves, whatever it does not know.
    assert set(state.legal(role)) == set(belief.legal)


def test_a_small_sample_still_agrees_with_everything_told() -> None:
    game = ludorum.load("phantomtictactoe")
    state, belief = walk(game, "x", seed=5, most=3)
    assert not belief.is_exact
    assert belief.is_consistent
    assert 1 <= len(belief.states) <= 3
    assert set(belief.legal) == set(state.legal("x"))


def test_time_that_is_up_leaves_a_sample() -> None:
    game = ludorum.load("mastermind")
    belief = Belief(game, "breaker", seed=1)
    chance = random.Random(1)
    state = game.initial
    for _ in range(2):
        later = state.after({role: chance.choice(state.legal(role)) for role in game.roles})
        belief.perceived(later_move(state, later, "breaker"), later.percepts[Role("breaker")], Deadline.within(0))
        state = later
    assert belief.states
    assert belief.legal


def test_a_game_hides_something_if_it_has_percepts_or_chance() -> None:
    assert hides(ludorum.load("phantomtictactoe"))
    assert hides(ludorum.load("pig"))
    assert not hides(ludorum.load("tictactoe"))


def test_a_player_in_doubt_plays_what_it_would_in_a_likely_state(coins: Game) -> None:
    class Peeks:
        """Guesses what it is shown."""

        def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
            coin = next(str(fluent) for fluent in state.fluents if fluent.name == "coins")
            return Move(coin.replace("coins", "guess"))

    belief = Belief(coins, "guesser", seed=3)
    belief.perceived("noop", ["one"])
    peeking = join_match(Peeks(), coins, Role("guesser"), Clocks())
    guesses = {str(determinized_move(peeking, belief, Role("guesser"), NEVER)) for _ in range(20)}
    assert guesses <= {"(guess heads tails)", "(guess tails heads)"}
    belief = Belief(coins, "guesser")
    belief.perceived("noop", ["two"])
    assert determinized_move(peeking, belief, Role("guesser"), NEVER) == Move("(guess heads heads)")


def test_a_player_in_doubt_plays_what_is_legal_everywhere() -> None:
    game = ludorum.load("phantomtictactoe")
    for seed in range(3):
        state, belief = walk(game, "o", seed)
        playing = join_match(Legal(), game, Role("o"), Clocks())
        assert determinized_move(playing, belief, Role("o"), NEVER) in state.legal("o")
