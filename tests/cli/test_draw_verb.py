"""`ludorum draw`, and matches that are watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ludorum

Run = Callable[..., Any]


def test_a_state_is_drawn_after_the_moves_that_are_named(run: Run) -> None:
    state = ludorum.load("tictactoe").replay("(mark 2 2) (mark 1 1)")
    for moves in (["(mark 2 2) (mark 1 1)"], ["(mark 2 2)", "(mark 1 1)"]):
        assert run("draw", "tictactoe", *moves).out == f"{ludorum.draw(state)}\n"
    assert run("draw", "tictactoe").out == f"{ludorum.draw(ludorum.load('tictactoe').initial)}\n"


def test_a_drawing_as_an_object_has_what_is_true_and_legal(run: Run) -> None:
    told = run("draw", "tictactoe", "(mark 2 2)", "--json").json
    assert told["step"] == 1
    assert "(cell 2 2 x)" in told["fluents"]
    assert len(told["legal"]["oplayer"]) == 8
    assert (told["terminal"], told["goals"]) == (False, None)
    row = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)"
    assert run("draw", "tictactoe", row, "--json").json["goals"] == {"xplayer": 100, "oplayer": 0}


def test_a_move_that_is_not_legal_is_one_line_and_1(run: Run) -> None:
    ended = run("draw", "tictactoe", "(mark 7 7)")
    assert ended.status == 1
    assert "xplayer cannot play (mark 7 7)" in ended.err


def test_a_match_that_is_watched_shows_every_state(run: Run) -> None:
    watched = run("match", "tictactoe", "legal", "legal", "--watch").out
    played = run("match", "tictactoe", "legal", "legal", "--json").json["matches"][0]
    # A board a state, and one that nobody has marked yet.
    assert watched.count("\n  1 2 3\n") == len(played["moves"]) + 1
    assert run("match", "tictactoe", "legal", "legal").out.count("\n  1 2 3\n") == 1
