"""What fluents are there for: the thesis's examples, games of the library, and the same games in other words."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ludorum
from collection import GAMES
from ludorum import Game
from ludorum.analysis.structures import Board, FluentStructure, Structures, structures
from ludorum.clock import Budget
from ludorum.gdl.scrambling import scramble


def fluent(found: Structures, name: str, arity: int) -> FluentStructure:
    known = found.fluent(name, arity)
    assert known is not None
    return known


def game(rules: str) -> Game:
    return ludorum.load(f"(role red) (role blue) {rules}")


# What the two of section 5.2 do: red moves a piece along ten squares, and each picks a colour.
SQUARES = " ".join(f"(succ {i} {i + 1})" for i in range(1, 10))
RACE = game(f"""{SQUARES}
    (init (square 1))
    (<= (legal red (go ?y)) (true (square ?x)) (succ ?x ?y))
    (<= (legal red wait) (true (square ?x)))
    (legal blue wait)
    (<= (next (square ?y)) (does red (go ?y)))
    (<= (next (square ?x)) (does red wait) (true (square ?x)))
    (<= terminal (true (square 10)))
    (<= (goal ?r 100) (role ?r))
""")
COLOURS = game("""
    (colour green) (colour brown) (colour grey)
    (init (turn 1))
    (<= (taken ?c) (true (picked ?p ?c)))
    (<= (legal red (pick ?c)) (true (turn 1)) (colour ?c))
    (<= (legal blue (pick ?c)) (true (turn 2)) (colour ?c) (not (taken ?c)))
    (<= (legal red wait) (true (turn 2)))
    (<= (legal blue wait) (true (turn 1)))
    (<= (next (picked ?p ?c)) (does ?p (pick ?c)))
    (<= (next (picked ?p ?c)) (true (picked ?p ?c)))
    (<= (next (turn 2)) (true (turn 1)))
    (<= terminal (true (picked blue ?c)))
    (<= (goal ?r 100) (role ?r))
""")


def test_a_piece_on_a_line_of_squares_is_a_quantity() -> None:
    square = fluent(structures(RACE), "square", 1)
    assert square.kind == "quantity"
    assert [inputs.arguments for inputs in square.inputs] == [()]
    assert square.orders[0] is not None
    assert square.orders[0].name == "succ"


def test_there_may_be_several_minimal_sets_of_inputs() -> None:
    picked = fluent(structures(COLOURS), "picked", 2)
    assert {inputs.arguments for inputs in picked.inputs} == {("1",), ("2",)}


def test_tictactoe_is_a_board_of_two_dimensions_that_nothing_orders() -> None:
    found = structures(ludorum.load("tictactoe"))
    (board,) = found.boards
    assert [len(axis.values) for axis in board.axes] == [3, 3]
    assert not board.is_ordered
    assert len(board.cells) == 9
    assert {str(marker) for marker in board.markers} == {"x", "o"}
    assert str(board.empty) == "blank"
    cell = fluent(found, "cell", 3)
    assert cell.inputs[0].arguments == ("1", "2")
    assert cell.inputs[0].is_total
    assert found.control is not None
    assert {str(value): role for value, role in found.control.turns} == {"xplayer": "xplayer", "oplayer": "oplayer"}


def test_a_board_of_three_dimensions_is_one_board() -> None:
    (board,) = structures(ludorum.load("tictactoe3d")).boards
    assert [len(axis.values) for axis in board.dimensions] == [4, 4, 4]


def test_breakthrough_has_an_ordered_board() -> None:
    (board,) = structures(ludorum.load("breakthrough")).boards
    assert [axis.order for axis in board.axes] == ["succ", "succ"]
    assert [str(value) for value in board.axes[0].values] == list("12345678")


def test_tiles_are_pieces_and_the_gap_is_empty() -> None:
    found = structures(ludorum.load("eightpuzzle"))
    (board,) = found.boards
    assert {str(piece) for piece in board.pieces} == set("12345678")
    assert str(board.empty) == "gap"
    assert found.step_counter is not None
    assert [str(tick) for tick in found.step_counter.ticks[:3]] == ["0", "1", "2"]


def test_walls_and_riders_lie_on_one_board() -> None:
    (board,) = structures(ludorum.load("tron")).boards
    assert board.name == "cell and head"
    assert len(board.cells) == 100


def test_heaps_and_stores_are_quantities() -> None:
    assert [known.name for known in structures(ludorum.load("nim")).of_kind("quantity")] == ["heap"]
    found = structures(ludorum.load("kalah"))
    assert fluent(found, "store", 2).kind == "quantity"
    assert fluent(found, "cell", 3).kind == "board"
    assert {known.name for known in found.quantities} == {"cell", "store"}


def test_coordinates_inside_a_function_are_axes_too() -> None:
    found = structures(game(f"""{SQUARES}
        (row a) (row b)
        (<= (init (at (place ?x ?y) empty)) (succ ?z ?x) (row ?y))
        (<= (legal ?r (take ?x ?y)) (role ?r) (true (at (place ?x ?y) empty)))
        (<= (legal ?r wait) (role ?r))
        (<= (taken ?x ?y) (does ?r (take ?x ?y)))
        (<= (next (at (place ?x ?y) full)) (taken ?x ?y))
        (<= (next (at ?p full)) (true (at ?p full)))
        (<= (next (at (place ?x ?y) empty)) (true (at (place ?x ?y) empty)) (not (taken ?x ?y)))
        (<= terminal (true (at (place 10 a) full)))
        (<= (goal ?r 50) (role ?r))
    """))
    at = fluent(found, "at", 2)
    assert at.inputs[0].arguments == ("1.1", "1.2")
    assert [len(axis.values) for axis in found.boards[0].axes] == [9, 2]
    assert found.boards[0].axes[0].order == "succ"


def test_a_game_without_choices_has_structures_too() -> None:
    found = structures(ludorum.load("(role r) (init a) (legal r wait) (<= terminal (true a)) (goal r 0)"))
    assert [(known.name, known.kind) for known in found.fluents] == [("a", "flag")]
    assert found.boards == ()


@pytest.mark.corpus
def test_racetrack_has_two_ordered_boards_in_one_fluent() -> None:
    # The rulesheet of the competition of 2006, in other words: `marius` is the thesis's cell(B, Y, X, C).
    found = structures(ludorum.load(GAMES / "dresden" / "racetrack.comp2006_3357334838.kif"))
    cell = fluent(found, "marius", 4)
    assert cell.inputs[0].arguments == ("1", "2", "3")
    assert cell.orders[0] is None
    assert cell.orders[1] is not None
    assert cell.orders[2] is not None
    board = next(board for board in found.boards if board.layers[0].table.name == "marius")
    assert [axis.is_selector for axis in board.axes] == [True, False, False]
    assert [len(axis.values) for axis in board.axes] == [2, 5, 3]
    # dom(cell, 2), from the row where the racers start to the one they want to reach.
    rows = [str(value) for value in board.axes[1].values]
    assert rows == ["sabilike", "fromfor", "cheyetess", "aneing", "anties"]


@pytest.mark.corpus
def test_the_pieces_left_in_checkers_are_a_quantity_of_each_player() -> None:
    found = structures(ludorum.load(GAMES / "ggp.org" / "checkers.kif"))
    count = fluent(found, "piece_count", 2)
    assert count.kind == "quantity"
    assert count.inputs[0].arguments == ("1",)


def outline(found: Structures) -> object:
    """All of the structures but names."""

    def of_board(board: Board) -> object:
        axes = [(len(axis.values), axis.order is not None, axis.is_cyclic, axis.is_selector) for axis in board.axes]
        return (axes, len(board.cells), len(board.layers), len(board.markers), len(board.pieces),
                board.empty is not None)

    return ([(known.kind, len(known.things)) for known in found.relations],
            sorted((known.arity, known.kind, [inputs.arguments for inputs in known.inputs], len(known.table.rows))
                   for known in found.fluents),
            sorted(map(of_board, found.boards), key=str))


@pytest.mark.parametrize("name", ["tictactoe", "tron", "eightpuzzle", "sokoban", "quarto"])
def test_other_words_make_the_same_structures(name: str) -> None:
    plain = ludorum.load(name)
    other = Game(scramble(plain.rules, 11))
    assert outline(structures(plain)) == outline(structures(other))


def test_without_time_nothing_is_guessed_and_with_time_it_is_found_after_all() -> None:
    loaded = ludorum.load("hexapawn")
    hurried = structures(loaded, Budget.within(0))
    assert not hurried.is_complete
    assert not hurried.boards
    assert {known.kind for known in hurried.fluents} <= {"unknown", "flag"}
    assert not any(known.claims for known in hurried.fluents if known.kind == "unknown")
    assert "cell/3: unknown" in str(hurried).splitlines()
    assert [len(board.cells) for board in structures(loaded).boards] == [9]


def test_of_very_many_arguments_a_minimal_set_is_found_at_once() -> None:
    # Lamps are switched on one by one; each way of being lit that was seen stays on record with when it was first seen.
    lamps = range(24)
    lit = " ".join(f"?l{lamp}" for lamp in lamps)
    changes = "".join(f"""
        (legal red (switch {lamp}))
        (<= (next (lit {" ".join("on" if other == lamp else f"?l{other}" for other in lamps)} ?n))
            (does red (switch {lamp})) (true (lit {lit} ?m)) (after ?m ?n))""" for lamp in lamps)
    loaded = ludorum.load(f"""
        (role red) (init (lit {"off " * len(lamps)} 0)) {changes}
        {" ".join(f"(after {n} {n + 1})" for n in range(8))}
        (<= (next (seen {lit} ?n)) (true (lit {lit} ?n)))
        (<= (next (seen {lit} ?n)) (true (seen {lit} ?n)))
        (<= terminal (true (lit {lit} 8)))
        (goal red 100)
    """, engine="relations")
    found = structures(loaded)
    assert found.is_complete
    assert [str(inputs) for inputs in fluent(found, "lit", 25).inputs] == ["{}"]
    (seen,) = fluent(found, "seen", 25).inputs
    assert seen.arguments == ("25",)


def test_the_board_is_what_tells_of_every_cell_and_the_rest_lies_on_it() -> None:
    # Cells that a player was found to be barred from are few, and come first in the alphabet.
    (board,) = structures(ludorum.load("phantomtictactoe")).boards
    assert [layer.table.name for layer in board.layers] == ["cell", "barred"]
    assert str(board.empty) == "blank"


# ---- squares with names of their own ----


NAMES = [f"{file}{rank}" for file in "abcd" for rank in "123"]
RIGHT = " ".join(f"(right {left}{rank} {right}{rank})" for left, right in pairwise("abcd") for rank in "123")
UP = " ".join(f"(up {file}{below} {file}{above})" for below, above in pairwise("123") for file in "abcd")


def named_squares(*, right: str, up: str) -> Game:
    """A game that puts stones on squares such as b2."""
    squares = " ".join(f"(square {name})" for name in NAMES)
    return game(f"""{squares} {right} {up}
        (<= (init (holds ?s nothing)) (square ?s))
        (<= (beside ?s ?t) (or (right ?s ?t) (up ?s ?t)))
        (<= (legal red (put ?s)) (true (holds ?s nothing)))
        (legal blue wait)
        (<= (next (holds ?s stone)) (does red (put ?s)))
        (<= (next (holds ?s ?c)) (true (holds ?s ?c)) (not (does red (put ?s))))
        (<= full (true (holds ?s stone)) (beside ?s ?t) (true (holds ?t stone)))
        (<= terminal full)
        (<= (goal ?r 100) (role ?r))
    """)


def test_squares_with_names_that_two_relations_count_are_a_board_of_two_dimensions() -> None:
    (board,) = structures(named_squares(right=RIGHT, up=UP)).boards
    assert str(board) == "holds: 4 by right × 3 by up, 12 cells"
    assert board.extents == (4, 3)
    assert board.crossing is not None
    places = {str(name): place for name, place in board.crossing.places.items()}
    assert places == {name: ("abcd".index(name[0]), "123".index(name[1])) for name in NAMES}


def test_a_square_that_nothing_ever_stands_on_is_a_square() -> None:
    # Black or white goes on any square but d3, and no fluent tells of those that are empty.
    squares = " ".join(f"(square {name})" for name in NAMES if name != "d3")
    (board,) = structures(game(f"""{squares} {RIGHT} {UP} (colour black) (colour white)
        (<= (taken ?s) (true (holds ?s ?c)))
        (<= (legal red (put ?s ?c)) (square ?s) (colour ?c) (not (taken ?s)))
        (legal red rest) (legal blue wait)
        (<= (next (holds ?s ?c)) (does red (put ?s ?c)))
        (<= (next (holds ?s ?c)) (true (holds ?s ?c)))
        (<= (free ?s) (square ?s) (not (taken ?s)))
        (<= open (free ?s))
        (<= terminal (not open))
        (<= (goal ?r 100) (role ?r))
    """)).boards
    assert board.extents == (4, 3)
    assert len(board.cells) == 12


def test_squares_with_names_that_lead_in_a_line_are_a_line() -> None:
    right, up = (" ".join(f"({word} {one} {other})" for one, other in pairwise(names))
                 for word, names in (("right", NAMES), ("up", NAMES[::-1])))
    (board,) = structures(named_squares(right=right, up=up)).boards
    assert board.crossing is None
    assert board.extents == (12,)
