"""Games on boards as rules that rewrite pictures."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game, toss
from ludorum.drawing.rewriting import to_toss
from ludorum.errors import NoPictures
from ludorum.report.rule_pictures import rule_picture


@pytest.mark.parametrize(("name", "rules", "counts"), [
    # Two ways to mark; three steps of a pawn for each side; the numbers are those of the games themselves.
    ("tictactoe", 2, [9, 72, 504, 3_024, 15_120]),
    ("breakthrough", 6, [22, 484, 11_132]),
])
def test_a_game_on_a_board_is_a_game_of_rewriting(name: str, rules: int, counts: list[int]) -> None:
    found = to_toss(ludorum.load(name))
    assert len(found.rules) == rules
    translated = Game(toss.to_rules(toss.parse(found.text)))
    assert translated.perft(len(counts)) == counts


def test_a_rule_is_drawn_as_two_boards() -> None:
    found = to_toss(ludorum.load("tictactoe"))
    picture = rule_picture(found.rules[0])
    assert picture.count("<rect") == 2
    assert ">x</text>" in picture


@pytest.mark.parametrize(("name", "reason"), [
    ("rockpaperscissors", "no board"), ("nim", "no board"), ("connectfour", "depends on what was there")])
def test_what_cannot_be_drawn_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(NoPictures, match=reason):
        to_toss(ludorum.load(name))
