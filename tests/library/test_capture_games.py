"""Games of pieces that move, capture, shoot and get stuck."""

from __future__ import annotations

from positions import content, control, holds, load, moves, play, position

from ludorum import State

# Breakthrough, knightthrough, hexapawn


def test_breakthrough_captures_diagonally_only() -> None:
    state = position("breakthrough", """
        . . . b b
        . . . w .
        . . . . .
        . . . . .
        . . . . .""", "(control white)", w="white", b="black")
    assert moves(state) == {"(move 4 4 3 5)", "(move 4 4 5 5)"}
    later = play(state, "(move 4 4 5 5)")
    assert content(later, 5, 5) == "white"
    assert content(later, 4, 4) == "blank"
    assert not later.is_terminal


def test_reaching_the_far_side_wins_breakthrough() -> None:
    state = position("breakthrough", """
        . . b . .
        . . . . w
        . . . . .""", "(control black)", w="white", b="black")
    later = play(state, "(move 3 3 3 2)", "(move 5 2 5 3)")
    assert not later.is_terminal
    assert play(later, "(move 3 2 4 1)").goals == {"white": 0, "black": 100}


def test_capturing_the_last_piece_wins_breakthrough() -> None:
    state = position("breakthrough", """
        . b .
        . . w
        . . .""", "(control white)", w="white", b="black")
    assert play(state, "(move 3 2 2 3)").goals == {"white": 100, "black": 0}


def test_knights_leap_forwards_over_anything_but_not_onto_their_own() -> None:
    state = position("knightthrough", """
        . . w . b .
        . . w w w .
        . . . w . .
        . . . . . .
        . . . . . .""", "(control white)", w="white", b="black")
    assert {move for move in moves(state) if move.startswith("(move 4 3")} == {
        "(move 4 3 2 4)", "(move 4 3 6 4)", "(move 4 3 5 5)"}


def test_who_cannot_move_loses_hexapawn() -> None:
    state = position("hexapawn", """
        . b .
        . w .
        . . .""", "(control black)", w="white", b="black")
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 0}


# Nine men's morris

ALL_PLACED = "(hand white 0) (hand black 0) (idle 0)"


def morris(picture: str, others: str, men: tuple[int, int]) -> State:
    counts = f"(men white {men[0]}) (men black {men[1]})"
    return position("ninemensmorris", picture, f"{others} {counts}", w="white", b="black")


def test_a_mill_takes_a_man() -> None:
    state = load("ninemensmorris").replay("(place 1 1) (place 1 7) (place 4 1) (place 4 7) (place 7 1)")
    assert control(state) == "white"
    assert moves(state) == {"(take 1 7)", "(take 4 7)"}
    later = play(state, "(take 1 7)")
    assert content(later, 1, 7) == "blank"
    assert holds(later, "(men black 8)")
    assert control(later) == "black"


def test_men_in_a_mill_are_safe_while_another_is_not() -> None:
    mill = """
        b . . b . . b
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . {} . . . .
        . . . . . . .
        w . . w . . w"""
    taking = f"{ALL_PLACED} taking (control white)"
    assert moves(morris(mill.format("b"), taking, (3, 4))) == {"(take 3 3)"}
    assert moves(morris(mill.format("."), taking, (3, 3))) == {"(take 1 7)", "(take 4 7)", "(take 7 7)"}


def test_a_man_that_steps_into_line_closes_a_mill() -> None:
    state = morris("""
        . . . . . . .
        . b . b . b .
        . . . . . . .
        . . . . . . w
        . . b . . . .
        . w . . . . .
        w . . w . . .""", f"{ALL_PLACED} (control white)", (4, 4))
    assert moves(state) == {
        "(move 7 4 7 1)", "(move 7 4 7 7)", "(move 7 4 6 4)", "(move 4 1 7 1)", "(move 4 1 4 2)",
        "(move 1 1 1 4)", "(move 2 2 4 2)", "(move 2 2 2 4)"}
    assert holds(play(state, "(move 7 4 7 1)"), "taking")
    assert not holds(play(state, "(move 4 1 7 1)"), "taking")


def test_three_men_fly() -> None:
    state = morris("""
        b . . b . . .
        . b . . . b .
        . . . . . . .
        . . . . . . w
        . . . . . . .
        . . . . . . .
        w . . w . . .""", f"{ALL_PLACED} (control white)", (3, 4))
    assert len(moves(state)) == 3 * (24 - 7)


def test_two_men_left_lose() -> None:
    state = morris("""
        b . . b . . .
        . . . . . b .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        w . . w . . w""", f"{ALL_PLACED} taking (control white)", (3, 3))
    assert play(state, "(take 1 7)").goals == {"white": 100, "black": 0}


def test_who_is_shut_in_loses() -> None:
    state = morris("""
        b . . . . . .
        . . . . . . .
        . . . . . . .
        w b . . . . b
        . . . . . . .
        . . . b . . .
        w . . w . . w""", f"{ALL_PLACED} (control white)", (4, 4))
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}


def test_fifty_moves_without_a_capture_are_a_draw() -> None:
    state = morris("""
        b . . b . . .
        . . . . . b .
        . . . . . . .
        . . . . . . b
        . . . . . . .
        . w . . . w .
        w . . w . . .""", "(hand white 0) (hand black 0) (idle 49) (control white)", (4, 4))
    assert play(state, "(move 4 1 7 1)").goals == {"white": 50, "black": 50}


# Skirmish

def skirmish(picture: str, others: str = "(ply 10) (captures white 0) (captures black 0)",
             player: str = "white") -> State:
    return position("skirmish", picture, f"(control {player}) {others}")


def test_riders_go_as_far_as_they_see() -> None:
    state = skirmish("""
        . . . bk
        bp . . .
        . . . .
        wr . wn .""")
    rook = {move for move in moves(state) if move.startswith("(move 1 1")}
    assert rook == {"(move 1 1 1 2)", "(move 1 1 1 3)", "(move 1 1 2 1)"}
    later = play(state, "(move 1 1 1 3)")
    assert content(later, 1, 3) == "wr"
    assert holds(later, "(captures white 1)")
    assert holds(later, "(captures black 0)")


def test_pawns_capture_diagonally_and_are_stopped_straight_ahead() -> None:
    state = skirmish("""
        bn bb wk
        . wp .
        . . .""")
    assert {move for move in moves(state) if move.startswith("(move 2 2")} == {"(move 2 2 1 3)"}


def test_a_king_is_captured_like_any_piece() -> None:
    state = skirmish("""
        . bq . bk
        . . . .
        . wk . .""", player="black")
    later = play(state, "(move 2 3 2 1)")
    assert content(later, 2, 1) == "bq"
    assert not later.is_terminal


def test_who_cannot_move_passes() -> None:
    state = skirmish("""
        bp . .
        wp . .
        . . .""")
    assert moves(state) == {"noop"}
    assert moves(play(state, "noop")) == {"noop"}


def test_after_a_hundred_moves_more_captures_win() -> None:
    state = skirmish("wk . . bk", "(ply 99) (captures white 14) (captures black 15)")
    assert play(state, "(move 1 1 1 2)").goals == {"white": 0, "black": 100}
    state = skirmish("wk . . bk", "(ply 99) (captures white 15) (captures black 15)")
    assert play(state, "(move 1 1 1 2)").goals == {"white": 50, "black": 50}


# Atari go

def test_a_stone_without_breath_is_captured() -> None:
    state = position("atarigo", """
        . . .
        w b .""", "(control black)", w="white", b="black")
    assert not state.is_terminal
    later = play(state, "(place 1 2)")
    assert later.is_terminal
    assert later.goals == {"black": 100, "white": 0}


def test_a_group_breathes_through_any_of_its_stones() -> None:
    state = position("atarigo", """
        b b .
        w w .""", "(control black)", w="white", b="black")
    assert not play(state, "(place 5 5)").is_terminal
    assert play(state, "(place 3 1)").goals == {"black": 100, "white": 0}


def test_taking_the_own_last_breath_loses() -> None:
    state = position("atarigo", """
        w . .
        . w .""", "(control black)", w="white", b="black")
    assert play(state, "(place 1 1)").goals == {"black": 0, "white": 100}


def test_a_capture_comes_before_the_own_last_breath() -> None:
    state = position("atarigo", """
        w b .
        . w b""", "(control black)", w="white", b="black")
    assert play(state, "(place 1 1)").goals == {"black": 100, "white": 0}


# Amazons

def test_an_amazon_moves_like_a_queen_and_then_shoots() -> None:
    state = position("amazons", """
        . . . .
        a a . b
        w . a .""", "(control white)", w="white", b="black", a="arrow")
    assert moves(state) == {"(move 1 1 2 1)"}
    later = play(state, "(move 1 1 2 1)")
    assert control(later) == "white"
    assert moves(later) == {"(shoot 1 1)", "(shoot 3 2)", "(shoot 4 3)", "(shoot 5 4)", "(shoot 6 5)"}
    later = play(later, "(shoot 1 1)")
    assert content(later, 1, 1) == "arrow"
    assert control(later) == "black"


def test_an_amazon_that_is_walled_in_loses() -> None:
    state = position("amazons", """
        a a .
        w a b""", "(control white)", w="white", b="black", a="arrow")
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}
