"""Games of territory, connection, sowing and racing."""

from __future__ import annotations

import pytest
from positions import content, control, holds, load, moves, play, position

from ludorum import State

# Othello


def othello(picture: str, player: str) -> State:
    """A position; its four squares in the middle are never empty."""
    return position("othello", picture, f"(control {player})", b="black", w="white")


def test_a_disc_turns_over_every_line_it_outflanks() -> None:
    state = othello("""
        . . b w b
        . . w w b
        . w . w b
        . . w . .
        . . b . .""", "black")
    later = play(state, "(place 3 3)")
    assert {content(later, x, y) for x, y in [(3, 4), (4, 4), (4, 3), (3, 2)]} == {"black"}
    assert content(later, 2, 3) == content(later, 4, 5) == "white"


def test_a_disc_turns_over_whole_runs_but_only_up_to_the_first_own_disc() -> None:
    state = othello("""
        . . . b b .
        . w w b w b
        . . . . . .
        . . . . . .
        . . . . . .""", "black")
    later = play(state, "(place 1 4)")
    assert [content(later, x, 4) for x in range(1, 7)] == ["black"] * 4 + ["white", "black"]


def test_who_cannot_outflank_passes_and_the_other_goes_on() -> None:
    state = othello("""
        . . . w w
        . . . w w
        . . . . .
        . . . . .
        w b . . .""", "black")
    assert not state.is_terminal
    assert moves(state) == {"noop"}
    later = play(state, "noop")
    assert moves(later) == {"(place 3 1)"}
    later = play(later, "(place 3 1)")
    assert later.is_terminal
    assert later.goals == {"black": 0, "white": 100}


@pytest.mark.parametrize(("extra", "black"), [("w", 50), (".", 100), ("w . w", 0)])
def test_othello_ends_when_neither_can_move_and_more_discs_win(extra: str, black: int) -> None:
    state = othello(f"""
        w . . . . . . w
        . . . . . . . .
        . . . b b . . .
        . . . b b . . .
        . . . . . . . .
        w . . . . . . .
        . . . . . {extra}""", "black")
    assert state.is_terminal
    assert state.goals == {"black": black, "white": 100 - black}


# Hex, blocker

def test_hexagons_touch_along_one_diagonal_only() -> None:
    joined = position("hex", """
        r . . . . . . . .
        . r r r r r r r r""", "(control blue)", r="red")
    assert joined.is_terminal
    assert joined.goals == {"red": 100, "blue": 0}
    apart = position("hex", """
        . r r r r r r r r
        r . . . . . . . .""", "(control blue)", r="red")
    assert not apart.is_terminal


def test_blue_connects_the_rows_in_hex() -> None:
    column = "\n".join([". b"] * 4 + ["b ."] * 5)
    assert not position("hex", column, "(control red)", b="blue").is_terminal
    column = "\n".join(["b ."] * 4 + [". b"] * 5)
    assert position("hex", column, "(control red)", b="blue").goals == {"red": 0, "blue": 100}


def test_the_blocker_gets_a_cell_that_both_mark() -> None:
    state = load("blocker").initial.after({"crosser": "(mark 2 2)", "blocker": "(mark 2 2)"})
    assert content(state, 2, 2) == "blocker"
    state = load("blocker").initial.after({"crosser": "(mark 2 2)", "blocker": "(mark 3 3)"})
    assert (content(state, 2, 2), content(state, 3, 3)) == ("crosser", "blocker")


def test_the_crosser_may_step_diagonally() -> None:
    state = position("blocker", """
        . . c . .
        . c . c .
        c . . . c""", "", c="crosser")
    assert state.is_terminal
    assert state.goals == {"crosser": 100, "blocker": 0}


# Dots and boxes

def test_who_closes_a_box_draws_again() -> None:
    state = load("dotsandboxes").replay("""
        (draw (horizontal 1 1)) (draw (vertical 1 1)) (draw (horizontal 1 2)) (draw (vertical 2 1))""")
    assert content(state, 1, 1) == "blue"
    assert control(state) == "blue"


def test_a_line_can_close_two_boxes() -> None:
    state = load("dotsandboxes").replay("""
        (draw (horizontal 1 1)) (draw (horizontal 1 2)) (draw (vertical 1 1)) (draw (horizontal 2 1))
        (draw (horizontal 2 2)) (draw (vertical 3 1)) (draw (vertical 2 1))""")
    assert content(state, 1, 1) == content(state, 2, 1) == "red"
    assert control(state) == "red"


def test_more_boxes_win_and_eight_each_are_a_draw() -> None:
    for picture, red in [("r r r r\nr r r r\nr b b b\nb b b b", 100), ("r b r b\n" * 4, 50),
                         ("b r b r\nb b b b\nr r r r\nb b b r", 0)]:
        state = position("dotsandboxes", picture, "(control red)", r="red", b="blue")
        assert state.is_terminal
        assert state.goals == {"red": red, "blue": 100 - red}


# Chomp

def test_a_bite_eats_everything_to_the_right_and_above() -> None:
    state = load("chomp").replay("(bite 3 2)")
    left = {(x, y) for x in range(1, 8) for y in range(1, 5) if x < 3 or y < 2}
    assert moves(state) == {f"(bite {x} {y})" for x, y in left}


# Kalah

def kalah(north: str, south: str, stores: tuple[int, int] = (10, 10), player: str = "south") -> State:
    """A position with the pits of both from column 1 to 6, and the stores of south and north."""
    return position("kalah", f"{north}\n{south}",
                    f"(control {player}) (store south {stores[0]}) (store north {stores[1]})")


def pits(state: State, y: int) -> list[int]:
    return [int(content(state, x, y)) for x in range(1, 7)]


def test_a_last_seed_in_the_store_earns_another_move() -> None:
    state = load("kalah").replay("(sow 3)")
    assert pits(state, 1) == [4, 4, 0, 5, 5, 5]
    assert holds(state, "(store south 1)")
    assert control(state) == "south"


def test_sowing_skips_the_store_of_the_opponent() -> None:
    state = play(kalah("1 1 1 1 1 1", "1 1 1 0 1 10"), "(sow 6)")
    assert pits(state, 2) == [2] * 6
    assert pits(state, 1) == [2, 2, 2, 0, 1, 0]
    assert holds(state, "(store south 11)")
    assert holds(state, "(store north 10)")
    assert control(state) == "north"


def test_north_sows_the_other_way_round() -> None:
    state = play(kalah("4 4 4 4 4 4", "4 4 4 4 4 4", player="north"), "(sow 2)")
    assert pits(state, 2) == [5, 0, 4, 4, 4, 4]
    assert pits(state, 1) == [5, 5, 4, 4, 4, 4]
    assert holds(state, "(store north 11)")


def test_a_last_seed_in_an_own_empty_pit_captures() -> None:
    state = play(kalah("0 5 0 0 0 1", "1 0 0 0 0 1"), "(sow 1)")
    assert pits(state, 1) == [0, 0, 0, 0, 0, 1]
    assert pits(state, 2) == [0, 0, 0, 0, 0, 1]
    assert holds(state, "(store south 16)")
    assert control(state) == "north"


def test_nothing_is_captured_from_an_empty_pit() -> None:
    state = play(kalah("0 0 0 0 0 1", "1 0 0 0 0 1"), "(sow 1)")
    assert pits(state, 1) == [0, 1, 0, 0, 0, 1]
    assert holds(state, "(store south 10)")


def test_thirteen_seeds_come_back_to_their_pit_and_capture() -> None:
    state = play(kalah("2 0 0 0 0 0", "13 0 0 0 0 0"), "(sow 1)")
    assert pits(state, 1) == [0, 1, 1, 1, 1, 1]
    assert pits(state, 2) == [0, 1, 1, 1, 1, 1]
    assert holds(state, "(store south 15)")


def test_the_seeds_left_belong_to_the_other_side() -> None:
    state = play(kalah("3 0 0 0 0 0", "0 0 0 0 0 1", stores=(22, 22)), "(sow 6)")
    assert state.is_terminal
    assert state.goals == {"south": 0, "north": 100}
    state = play(kalah("2 0 0 0 0 0", "0 0 0 0 0 1", stores=(23, 22)), "(sow 6)")
    assert state.goals == {"south": 50, "north": 50}


# Chinese checkers

def test_a_marble_hops_on_and_on() -> None:
    state = position("chinesecheckers2", """
        . . . . . . . . . b . . .
        . . . . . . . . . . . . .
        . . . . . . . b . . . . .
        . . . . . . r . . . . . .""", "(control red) (round 1)", r="red", b="blue")
    assert moves(state) == {"(move 7 1 6 2)", "(move 7 1 9 3)", "(move 7 1 11 5)"}


def test_a_marble_does_not_hop_over_a_gap() -> None:
    state = position("chinesecheckers2", """
        . . . . . r . b . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .""", "(control red) (round 1)", r="red", b="blue")
    assert moves(state) == {"(move 6 4 4 4)", "(move 6 4 5 3)", "(move 6 4 7 3)", "(move 6 4 5 5)",
                            "(move 6 4 7 5)", "(move 6 4 10 4)"}


def test_three_marbles_in_the_opposite_point_arrive() -> None:
    state = position("chinesecheckers6", """
        . . . . . . r . . . . . .
        . . . . . r . . . . . . .
        o . o . . . r . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        p . g . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .""", "(control red) (round 9)", r="red", o="orange", p="purple", g="green")
    assert not state.is_terminal
    later = play(state, "(move 7 7 8 8)")
    assert later.is_terminal
    assert later.goals == {"red": 100, "orange": 40, "yellow": 0, "green": 0, "blue": 0, "purple": 0}


def test_more_marbles_in_the_opposite_point_win_after_forty_rounds() -> None:
    state = position("chinesecheckers2", """
        . . . . . . r . . . . . .
        . . . . . r . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . b . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . b . . . . .
        . . . . . . . . . . . . .""", "(control blue) (round 40)", r="red", b="blue")
    later = play(state, "(move 9 5 7 5)")
    assert later.is_terminal
    assert later.goals == {"red": 100, "blue": 0}
