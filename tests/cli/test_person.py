"""A person who types moves."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.cli.person import matching

LEGAL = ludorum.load("tictactoe").initial.legal("xplayer")


@pytest.mark.parametrize(("answer", "moves"), [
    ("1", ["(mark 1 1)"]),
    ("9", ["(mark 3 3)"]),
    ("(mark 2 2)", ["(mark 2 2)"]),
    ("( MARK  2 2 )", ["(mark 2 2)"]),
    ("mark 2 2", ["(mark 2 2)"]),
    ("mark 3", ["(mark 3 1)", "(mark 3 2)", "(mark 3 3)"]),
    ("(mark 3 1", ["(mark 3 1)"]),
    ("10", []),
    ("noop", []),
    ("(mark 9 9)", []),
])
def test_an_answer_is_a_number_a_move_or_its_beginning(answer: str, moves: list[str]) -> None:
    assert [str(move) for move in matching(answer, LEGAL)] == moves
