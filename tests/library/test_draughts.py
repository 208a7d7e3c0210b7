"""English draughts: compulsory captures, chains of jumps, kings, and how it ends."""

from __future__ import annotations

from positions import content, holds, moves, play, position

from ludorum import State


def draughts(picture: str, player: str = "black", idle: int = 0) -> State:
    """A position with men b and w and kings B and W."""
    return position("draughts", picture, f"(control {player}) (idle {idle})",
                    b="blackman", w="whiteman", B="blackking", W="whiteking")


def test_whoever_can_capture_must() -> None:
    state = draughts("""
        . . . w . . .
        . . b . . . b
        . . . . . . .
        . . . . . . .""")
    assert moves(state) == {"(jump (from 3 3) 5 5)"}


def test_men_neither_move_nor_capture_backwards() -> None:
    state = draughts("""
        . . . b
        . . w .
        . . . .
        . . . .""")
    assert moves(state) == {"(move 4 4 3 5)", "(move 4 4 5 5)"}


def test_kings_move_both_ways() -> None:
    state = draughts("""
        . . . . . w
        . . . . . .
        . . . . . .
        . . . . . .
        . B . . . .
        . . . . . .""")
    assert moves(state) == {"(move 2 2 1 1)", "(move 2 2 3 1)", "(move 2 2 1 3)", "(move 2 2 3 3)"}


def test_a_chain_of_jumps_is_one_move_that_must_be_finished() -> None:
    state = draughts("""
        . . . . w
        . . . . .
        . . w . .
        . b . . .
        . . . . .""")
    assert moves(state) == {"(jump (jump (from 2 2) 4 4) 6 6)"}
    later = play(state, "(jump (jump (from 2 2) 4 4) 6 6)")
    assert content(later, 6, 6) == "blackman"
    assert {content(later, x, x) for x in range(1, 6)} == {"blank"}


def test_the_longer_chain_is_not_compulsory() -> None:
    state = draughts("""
        . . w . .
        . . . . .
        . . w . w
        . . . b .
        . . . . .""")
    assert moves(state) == {"(jump (from 4 2) 6 4)", "(jump (jump (from 4 2) 2 4) 4 6)"}


def test_a_man_that_is_crowned_stops() -> None:
    state = draughts("""
        . . . . w . w
        . . . b . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .""")
    assert moves(state) == {"(jump (from 4 6) 6 8)"}
    later = play(state, "(jump (from 4 6) 6 8)")
    assert content(later, 6, 8) == "blackking"
    assert content(later, 7, 7) == "whiteman"


def test_a_king_may_jump_in_a_circle_back_to_where_it_began() -> None:
    state = draughts("""
        . w . w
        . . . .
        . w . w
        . . B .
        . . . .
        . . . .""")
    clockwise = "(jump (jump (jump (jump (from 3 3) 1 5) 3 7) 5 5) 3 3)"
    assert moves(state) == {clockwise, "(jump (jump (jump (jump (from 3 3) 5 5) 3 7) 1 5) 3 3)"}
    later = play(state, clockwise)
    assert content(later, 3, 3) == "blackking"
    assert later.is_terminal
    assert later.goals == {"black": 100, "white": 0}


def test_nine_jumps_in_one_move() -> None:
    state = draughts("""
        . w . w . w
        . . . . . .
        . w . w . w
        . . . . . .
        . w . w . w
        B . . . . .""")
    longest = max(moves(state), key=len)
    assert longest.count("jump") == 9
    assert play(state, longest).goals == {"black": 100, "white": 0}


def test_who_cannot_move_loses() -> None:
    state = draughts("""
        . W
        b .
        . .
        . .
        . .
        . .
        . .
        . .""")
    assert state.is_terminal
    assert state.goals == {"black": 0, "white": 100}


def test_forty_moves_of_each_without_progress_are_a_draw() -> None:
    state = draughts("""
        . . W
        . . .
        . . .
        . . .
        B . b""", idle=79)
    later = play(state, "(move 1 1 2 2)")
    assert later.is_terminal
    assert later.goals == {"black": 50, "white": 50}
    assert holds(play(state, "(move 3 1 4 2)"), "(idle 0)")
