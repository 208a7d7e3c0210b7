"""Games of lines: three, four or five of a kind, with gravity, twists and gifts."""

from __future__ import annotations

import pytest
from positions import content, control, holds, load, moves, play, position


def test_discs_fall_on_each_other_until_the_column_is_full() -> None:
    state = load("connectfour").replay("(drop 1) (drop 1) (drop 1) (drop 1) (drop 1) (drop 1)")
    assert [content(state, 1, y) for y in range(1, 7)] == ["red", "black"] * 3
    assert moves(state) == {f"(drop {x})" for x in range(2, 8)}


@pytest.mark.parametrize("picture", [
    "r r r .",
    ". . . r\n. . . r\n. . . r",
    ". . r b\n. r b b\nr b b r",
    ". . . b r . .\n. . . r b r .\n. . . b b b r",
], ids=["row", "column", "rising diagonal", "falling diagonal"])
def test_four_in_a_line_win_connectfour(picture: str) -> None:
    state = position("connectfour", picture, "(control red)", r="red", b="black")
    assert not state.is_terminal
    state = play(state, "(drop 4)")
    assert state.is_terminal
    assert state.goals == {"red": 100, "black": 0}


def test_more_than_five_win_gomoku_too() -> None:
    state = position("gomoku", "b b b . b b", "(control black)", b="black")
    assert not state.is_terminal
    assert play(state, "(place 4 1)").goals == {"black": 100, "white": 0}


def test_four_do_not_win_gomoku() -> None:
    state = position("gomoku", "b b b . . b", "(control black)", b="black")
    assert not play(state, "(place 4 1)").is_terminal


def test_the_third_of_three_players_can_win() -> None:
    state = load("tictactoe3p").replay("""(mark 1 1) (mark 5 5) (mark 3 1) (mark 1 3) (mark 5 4) (mark 3 2)
        (mark 2 5) (mark 4 1) (mark 3 3)""")
    assert state.is_terminal
    assert state.goals == {"xplayer": 0, "oplayer": 0, "zplayer": 100}


# Pentago

@pytest.mark.parametrize(("rotation", "corner", "side"), [("clockwise", (1, 3), (1, 2)),
                                                          ("anticlockwise", (3, 1), (3, 2))])
def test_a_twist_turns_a_quarter_and_nothing_else(
        rotation: str, corner: tuple[int, int], side: tuple[int, int]) -> None:
    state = position("pentago", """
        . . . w
        . . . .
        . . . .
        w b . .""", "(control white) (phase twisting)", w="white", b="black")
    later = play(state, f"(twist southwest {rotation})")
    assert content(later, *corner) == "white"
    assert content(later, *side) == "black"
    assert content(later, 1, 1) == content(later, 2, 1) == "blank"
    assert content(later, 4, 4) == "white"
    assert control(later) == "black"


def test_five_win_pentago_before_the_twist() -> None:
    state = position("pentago", "w w w w .", "(control white) (phase placing)", w="white")
    later = play(state, "(place 5 1)")
    assert later.is_terminal
    assert later.goals == {"white": 100, "black": 0}


def test_a_twist_that_lines_up_five_for_both_is_a_draw() -> None:
    state = position("pentago", """
        . b b
        . w w
        w b .
        w b .
        w b .""", "(control white) (phase twisting)", w="white", b="black")
    assert not state.is_terminal
    later = play(state, "(twist northwest clockwise)")
    assert later.is_terminal
    assert later.goals == {"white": 50, "black": 50}


# Quarto

THREE_TALL_AND_DARK = "(give tdrh) (place 1 1) (give tdrs) (place 2 1) (give tdsh) (place 3 1)"


def test_one_shared_property_wins_quarto_for_the_player_who_places() -> None:
    state = load("quarto").replay(f"{THREE_TALL_AND_DARK} (give tlss) (place 4 1)")
    assert state.is_terminal
    assert state.goals == {"first": 100, "second": 0}


def test_four_pieces_without_a_shared_property_do_not_win_quarto() -> None:
    state = load("quarto").replay(f"{THREE_TALL_AND_DARK} (give slss) (place 4 1)")
    assert not state.is_terminal
    assert control(state) == "first"


def test_a_piece_is_given_once() -> None:
    state = load("quarto").replay("(give tdrh) (place 1 1)")
    assert "(give tdrh)" not in moves(state)
    assert len(moves(state)) == 15


# Ultimate tic-tac-toe

def test_a_mark_sends_the_opponent_to_a_board() -> None:
    state = load("ultimatetictactoe").replay("(mark 1 5)")
    assert holds(state, "(sent 1 2)")
    assert moves(state) == {f"(mark {x} {y})" for x in (1, 2, 3) for y in (4, 5, 6)} - {"(mark 1 5)"}


def test_who_is_sent_to_a_board_that_is_won_may_go_to_any_other() -> None:
    state = position("ultimatetictactoe", "x x x", "(control oplayer) (sent 1 1)")
    assert not state.is_terminal
    assert len(moves(state)) == 72


def test_three_boards_in_a_line_win() -> None:
    state = position("ultimatetictactoe", """
        o o . o o o o o o
        . . . . . . . . .
        . . . . . . . . .""", "(control oplayer) (sent 1 1)")
    assert play(state, "(mark 3 3)").goals == {"xplayer": 0, "oplayer": 100}
