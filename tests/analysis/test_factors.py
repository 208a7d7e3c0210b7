"""Games that are really several games are taken apart, and others are not."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

import ludorum
from collection import GAMES
from ludorum import Game
from ludorum.analysis.factors import Factors, find_factors
from ludorum.clock import Budget
from ludorum.gdl.terms import Term

# Far more than anything here needs, on however busy a machine.
LONG = 60.0

# A walker on each of two circles of places. `{move}` says what a move is, and `{end}` what it is for.
WALKERS = """
(role guide) (side left) (side right) (way on) (way back)
(after 0 1) (after 1 2) (after 2 3) (after 3 0)
(init (at left 0)) (init (at right 0)) (init (hour 1))
(tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7)
(<= (next (hour ?n)) (true (hour ?m)) (tick ?m ?n))
(<= (goes ?s ?p ?q) (does_at ?s on) (true (at ?s ?p)) (after ?p ?q))
(<= (goes ?s ?p ?q) (does_at ?s back) (true (at ?s ?p)) (after ?q ?p))
(<= (next (at ?s ?q)) (goes ?s ?p ?q))
{moves}
(<= terminal (true (hour 7)))
{end}
(<= (goal guide 0) (not won))
(<= (goal guide 100) won)
"""
AT_ONCE = """
(<= (legal guide (walk ?l ?r)) (way ?l) (way ?r))
(<= (does_at left ?w) (does guide (walk ?w ?v)))
(<= (does_at right ?w) (does guide (walk ?v ?w)))
"""
ONE_AT_A_TIME = """
(<= (legal guide (walk ?s ?w)) (side ?s) (way ?w))
(<= (does_at ?s ?w) (does guide (walk ?s ?w)))
(<= (next (at ?s ?p)) (true (at ?s ?p)) (not (moves ?s)))
(<= (moves ?s) (does_at ?s ?w))
"""
ONE_AFTER_THE_OTHER = """
(<= (legal guide (walk left ?w)) early (way ?w))
(<= (legal guide (walk right ?w)) (not early) (way ?w))
(<= early (true (hour ?n)) (tick ?n ?m) (distinct ?n 4) (distinct ?n 5) (distinct ?n 6))
(<= (does_at ?s ?w) (does guide (walk ?s ?w)))
(<= (next (at right ?p)) early (true (at right ?p)))
(<= (next (at left ?p)) (not early) (true (at left ?p)))
"""
BOTH = "(<= won (true (at left 2)) (true (at right 3)))"
EITHER = "(<= won (true (at left 2))) (<= won (true (at right 3)))"


def walkers(moves: str, end: str) -> Game:
    return ludorum.load(WALKERS.format(moves=moves, end=end))


def found(game: Game) -> Factors:
    return find_factors(game, budget=Budget(LONG))


def names(factors: Factors) -> list[set[str]]:
    return [{str(factors.fluents[number]) for number in factor.fluents} for factor in factors.factors]


SIDES = [{f"(at {side} {place})" for place in range(4)} for side in ("left", "right")]


@pytest.mark.parametrize("moves", [AT_ONCE, ONE_AFTER_THE_OTHER])
def test_walkers_who_do_not_care_for_each_other_are_two_games(moves: str) -> None:
    factors = found(walkers(moves, BOTH))
    assert names(factors) == SIDES
    assert factors.combination == "product"
    assert {str(factors.fluents[number]) for number in factors.clock} == {f"(hour {hour})" for hour in range(1, 8)}
    assert factors.goals == ("all",)


def test_a_guide_who_leads_one_of_them_at_a_time_plays_two_games_by_turns() -> None:
    factors = found(walkers(ONE_AT_A_TIME, EITHER))
    assert names(factors) == SIDES
    assert factors.combination == "choice"
    assert factors.goals == ("any",)
    moves = [{str(factors.moves[0][number]) for number in factor.moves[0]} for factor in factors.factors]
    assert moves == [{f"(walk {side} on)", f"(walk {side} back)"} for side in ("left", "right")]


def test_walkers_who_may_not_meet_are_one_game() -> None:
    polite = AT_ONCE.replace("(way ?l) (way ?r))", "(way ?l) (way ?r) (not apart))")
    rule = "(<= apart (true (at left ?p)) (true (at right ?q)) (after ?p ?q))"
    factors = found(walkers(polite + rule, BOTH))
    assert not factors.are_several
    assert str(factors).startswith("one game: ")


def test_a_walker_who_follows_the_other_makes_one_game() -> None:
    following = AT_ONCE.replace("(does guide (walk ?v ?w))", "(does guide (walk ?v ?w)) (true (at left ?p))"
                                " (distinct ?p 1)")
    assert not found(walkers(following + "(<= (next (at right 0)) (true (at left 1)))", BOTH)).are_several


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "breakthrough", "hanoi", "pegsolitaire"])
def test_a_board_is_one_game(name: str) -> None:
    factors = found(ludorum.load(name))
    assert not factors.are_several
    assert factors.why


def test_games_without_a_circuit_are_not_taken_apart(tictactoe: Game) -> None:
    factors = found(tictactoe)
    assert not factors.are_several
    assert ("no circuit" in factors.why) == (tictactoe.engine != "circuit")


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "count", "combination"), [
    ("ticTacToeParallel", 2, "product"), ("asteroidsParallel", 2, "product"), ("blocksWorldSerial", 2, "product"),
    ("blocksWorldParallel", 2, "product"), ("doubletictactoe", 2, "product"), ("lightsOnParallel", 4, "choice"),
])
def test_games_that_were_made_of_games_come_apart(name: str, count: int, combination: str) -> None:
    game = ludorum.load(GAMES / "ggp.org" / f"{name}.kif")
    factors = found(game)
    assert len(factors.factors) == count
    assert factors.combination == combination
    assert_independent(game, factors)


@pytest.mark.parametrize("moves", [AT_ONCE, ONE_AT_A_TIME, ONE_AFTER_THE_OTHER])
def test_what_becomes_of_a_part_does_not_depend_on_the_others(moves: str) -> None:
    game = walkers(moves, BOTH)
    assert_independent(game, found(game))


def assert_independent(game: Game, factors: Factors) -> None:
    """Two random games side by side: a part of one, put into the other, takes the same course by the same moves."""
    random = Random(1)
    compared = 0
    for _ in range(10):
        one = other = game.initial
        while not one.is_terminal and not other.is_terminal and one.step is not None and one.step < 20:
            joint = {role: random.choice(list(one.legal(role))) for role in game.roles}
            after = one.after(joint)
            for factor in factors.factors:
                own = {factors.fluents[number] for number in factor.fluents}
                mixed = game.state((one.fluents & own) | (other.fluents - own))
                if not mixed.is_terminal and all(move in mixed.legal(role) for role, move in joint.items()):
                    assert mixed.after(joint).fluents & own == after.fluents & own
                    compared += 1
            one, other = after, other.after({role: random.choice(list(other.legal(role))) for role in game.roles})
    assert compared > 20


def test_the_parts_are_told_in_the_words_of_the_game() -> None:
    told = found(walkers(AT_ONCE, BOTH)).to_json()
    assert told["count"] == 2
    assert told["combination"] == "product"
    assert told["factors"][0]["fluents"] == [f"(at left {place})" for place in range(4)]
    assert told["factors"][0]["moves"]["guide"] == [f"(walk {one} {two})"
                                                    for one, two in product(["back", "on"], repeat=2)]


def test_what_ends_and_wins_the_whole_is_told_in_words() -> None:
    parts = found(walkers(AT_ONCE, BOTH))
    assert str(parts).endswith("over with all of them, won by all of them")
    several = replace(parts, roles=(Term("a"), Term("b")), goals=("all", "mixed"), terminal="any")
    assert str(several).endswith(
        "over with any of them, won for a by all of them, won for b by several of them together")


def test_what_is_not_found_in_time_is_said() -> None:
    late = find_factors(walkers(AT_ONCE, BOTH), budget=Budget(0))
    assert late.why == "not found within the budget"
    assert "one game" not in str(late)
