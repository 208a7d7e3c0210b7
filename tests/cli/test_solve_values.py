"""`ludorum solve` on games of several roles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_a_small_game_gets_its_values_and_the_moves_that_lead_there(run: Run) -> None:
    told = run("solve", "tictactoe", "--json").json
    assert told["values"] == {"xplayer": 50, "oplayer": 50}
    assert len(told["moves"]) == 9
    # That one wins what the other loses is proved.
    assert told["assumes"] == []


def test_people_are_told_what_it_rests_on(run: Run) -> None:
    shown = run("solve", "rockpaperscissors").out
    assert "left 0, right 100; solved by alpha-beta" in shown
    assert "assumes that roles that move at once choose one after the other" in shown


def test_a_game_that_is_too_large_is_a_negative_finding(run: Run) -> None:
    ended = run("solve", "breakthrough", "--seconds", "3", "--json")
    assert ended.status == 1
    assert ended.json == {"game": "breakthrough", "values": None}
    assert "breakthrough is not solved" in ended.err


def test_chance_wants_nothing(run: Run) -> None:
    # Three throws; you win by calling heads when it falls, once.
    rules = ("(role you) (role random) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal you call) (legal you wait) "
             "(legal random heads) (legal random tails) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) "
             "(<= (next won) (does you call) (does random heads)) (<= (next won) (true won)) "
             "(<= terminal (true (n 3))) (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won))) "
             "(goal random 50)")
    assert run("solve", rules, "--json").json["values"] == {"you": 87.5}


def test_methods_for_puzzles_are_not_for_games_of_several_roles(run: Run) -> None:
    ended = run("solve", "nim", "--method", "nested")
    assert ended.status == 1
    assert "--method is for games of one" in ended.err
