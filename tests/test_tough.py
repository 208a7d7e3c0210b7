"""Rules come from strangers: whatever they are, the answer is a game or an error of ours, in bounded time."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import ludorum
from ludorum import errors
from ludorum.errors import InvalidRules, LudorumError, TooLargeToGround

pytestmark = pytest.mark.slow

MUTANTS = Path(__file__).with_name("mutants.py")

# A game that can be played, to which trouble is added.
GAME = """
(role robot)
(init (at 0))
(<= (legal robot go) (true (at ?x)))
(<= (next (at 0)) (does robot go))
(<= terminal (true (at end)))
(<= (goal robot 100) (true (at 0)))
"""


def is_ours(name: str) -> bool:
    """Whether a name is that of an exception of Ludorum."""
    found = getattr(errors, name, None)
    return isinstance(found, type) and issubclass(found, LudorumError)


@pytest.mark.parametrize("name", ["tictactoe", "nim", "hanoi", "rockpaperscissors", "montyhall", "eightpuzzle", "maze"])
def test_mutated_rules_are_played_or_refused(name: str) -> None:
    """In a process of its own: a crash of the core would be a crash of the tests."""
    done = subprocess.run([sys.executable, str(MUTANTS), name, "0", "20"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    outcomes = [line.rpartition(": ")[2] for line in done.stdout.splitlines()]
    assert len(outcomes) == 20
    assert all(outcome == "played" or is_ours(outcome) for outcome in outcomes), done.stdout
    assert "played" in outcomes


def test_terms_that_grow_for_ever_end_at_the_budget() -> None:
    rules = GAME + "(<= (next (at (s ?x))) (true (at ?x)))"
    with pytest.raises(TooLargeToGround, match="1 s"):
        ludorum.load(rules, engine="circuit", seconds=1, memory_mb=512)


def test_relations_that_grow_for_ever_end_at_the_budget_or_are_not_grown() -> None:
    rules = GAME + "(number 0) (<= (number (s ?n)) (number ?n)) (<= (goal robot 50) (number (s (s 1))))"
    try:
        game = ludorum.load(rules, engine="circuit", seconds=1, memory_mb=512)
    except TooLargeToGround:
        return
    assert game.initial.goals == {"robot": 100}


def test_after_a_budget_was_passed_life_goes_on() -> None:
    with pytest.raises(TooLargeToGround):
        ludorum.load(GAME + "(<= (next (at (s ?x))) (true (at ?x)))", engine="circuit", seconds=0.5)
    assert ludorum.load(GAME, engine="circuit").initial.after("go").fluents == {ludorum.Move("(at 0)").term}


def test_a_game_past_its_budget_is_played_without_grounding_and_says_why() -> None:
    game = ludorum.load(GAME + "(<= (next (at (s ?x))) (true (at ?x)))", seconds=1, memory_mb=512)
    assert game.engine == "relations"
    assert "budget" in game.why
    assert {str(fluent) for fluent in game.initial.after("go").after("go").fluents} == {
        "(at 0)", "(at (s 0))", "(at (s (s 0)))"}


def test_a_huge_product_ends_at_the_budget_of_memory() -> None:
    # All of 40^5 rows are needed: every variable is in the head.
    numbers = " ".join(f"(n {i})" for i in range(40))
    rules = GAME + numbers + """
        (<= (row ?a ?b ?c ?d ?e) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))
        (<= (legal robot (pick ?a ?b ?c ?d ?e)) (row ?a ?b ?c ?d ?e))"""
    with pytest.raises(TooLargeToGround, match=r"300 MB|20 s"):
        ludorum.load(rules, engine="circuit", seconds=20, memory_mb=300)
    # The process that grounds has the limit; this one never holds what it would have to hand over.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 < 4096


def test_a_product_that_nobody_needs_is_never_made() -> None:
    numbers = " ".join(f"(n {i})" for i in range(100))
    rules = GAME + numbers + "(<= (goal robot 50) (true (at 1)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))"
    assert ludorum.load(rules, engine="circuit", seconds=20, memory_mb=1024).initial.goals == {"robot": 100}


@pytest.mark.parametrize("depth", [1_000, 20_000])
def test_terms_nested_deeply_are_played_or_refused(depth: int) -> None:
    deep = "(s " * depth + "0" + ")" * depth
    try:
        game = ludorum.load(GAME + f"(init {deep})", engine="circuit", seconds=10)
    except LudorumError:
        return
    assert len(game.initial.fluents) == 2


@pytest.mark.parametrize("depth", [1_000, 20_000])
def test_conditions_nested_deeply_are_played_or_refused(depth: int) -> None:
    # An even number of negations.
    deep = "(not " * depth + "(true (at 0))" + ")" * depth
    try:
        game = ludorum.load(GAME + f"(<= (goal robot 50) {deep})", engine="circuit", seconds=10)
    except LudorumError:
        return
    assert game.initial.goals == {"robot": None}


def test_long_chains_of_rules_are_no_trouble() -> None:
    length = 20_000
    chain = "\n".join(f"(<= (c {i + 1}) (c {i}))" for i in range(length))
    rules = GAME + "(<= (c 0) (true (at 0)))" + chain + f"(<= (goal robot 50) (c {length}))"
    assert ludorum.load(rules, engine="circuit").initial.goals == {"robot": None}


def test_long_circles_of_rules_are_no_trouble() -> None:
    length = 3_000
    circle = "\n".join(f"(<= (c {(i + 1) % length}) (c {i}))" for i in range(length))
    rules = GAME + f"(<= (c 7) (true (at 0))) {circle} (<= (goal robot 50) (c 6))"
    assert ludorum.load(rules, engine="circuit").initial.goals == {"robot": None}


def test_many_alternatives_in_many_conditions_do_not_multiply() -> None:
    choice = "(or " + " ".join(f"(true (at {i}))" for i in range(10)) + ")"
    rules = GAME + f"(<= (goal robot 50) {choice * 30})"
    assert ludorum.load(rules, engine="circuit", seconds=20).initial.goals == {"robot": None}


def test_rules_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(errors.UnstratifiedRules):
        ludorum.load(GAME + "(<= p (not q)) (<= q (not p)) (<= (goal robot 50) p)", engine="circuit")


@pytest.mark.parametrize("text", ["(", ";", "()", "(role)", "(role robot)", "(<=)", "(" * 100_000, "(a)" * 10_000,
                                  "(\x00)", "(role \ud7ff)"])
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(InvalidRules):
        ludorum.load(text)
