"""A person who types moves."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Move
from ludorum.cli.coordinates import Coordinates
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


@pytest.mark.parametrize(("answer", "moves"), [
    ("2 3", ["(mark 2 3)"]), ("2,3", ["(mark 2 3)"]), ("23", ["(mark 2 3)"]),
    ("2 4", []), ("(2 3)", ["(mark 2 3)"]), ("3,", []),
    # A number of the list is that.
    ("3", ["(mark 1 3)"]),
])
def test_a_place_on_the_board_is_its_column_and_its_row(answer: str, moves: list[str]) -> None:
    coordinates = Coordinates(ludorum.load("tictactoe").initial, "xplayer")
    assert [str(move) for move in matching(answer, LEGAL, coordinates)] == moves


@pytest.mark.parametrize(("answer", "moves"), [
    ("2122", ["(move 2 1 2 2)"]), ("21 22", ["(move 2 1 2 2)"]), ("21-22", ["(move 2 1 2 2)"]),
    ("2 1 2 2", ["(move 2 1 2 2)"]), ("21", ["(move 2 1 2 2)"]), ("2 1 1 2", []),
])
def test_a_move_is_said_by_where_it_leads_from_and_to_or_by_the_first_alone(answer: str, moves: list[str]) -> None:
    hexapawn = ludorum.load("hexapawn")
    said = matching(answer, hexapawn.initial.legal("white"), Coordinates(hexapawn.initial, "white"))
    assert [str(move) for move in said] == moves


@pytest.mark.slow
def test_in_chess_squares_go_by_their_names_and_letters_choose_among_promotions() -> None:
    chess = ludorum.load("chess", engine="relations")

    def said(answer: str, state: ludorum.State) -> list[str]:
        return [str(move) for move in matching(answer, state.legal("white"), Coordinates(state, "white"))]

    for answer in ("e2e4", "e2 e4", "E2-E4", "e2,e4"):
        assert said(answer, chess.initial) == ["(move e2 e4)"]
    assert said("e2", chess.initial) == ["(move e2 e3)", "(move e2 e4)"]
    assert said("e2e5", chess.initial) == []
    assert Coordinates(chess.initial, "white").show(Move("(move g1 f3)")) == "g1 f3"
    taken = chess.replay("(move a2 a4) (move b7 b5) (move a4 b5) (move a7 a6) (move b5 a6) (move h7 h6) (move a6 a7) "
                         "(move h6 h5)")
    assert len(said("a7b8", taken)) == 4
    for answer in ("a7b8q", "a7 b8 queen", "a7b8 q"):
        assert said(answer, taken) == ["(promote a7 b8 queen)"]
