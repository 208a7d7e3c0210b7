"""From moves to clicks."""

from __future__ import annotations

import ludorum
from ludorum import Game, Move


def coordinates(game: Game, moves: str, role: str) -> dict[str, list[str]]:
    """For every legal move its clicks, as one would write them."""
    found = ludorum.clicks(game.replay(moves), role)
    return {str(move): ["".join(place.coordinates) for place in path] for move, path in found.items()}


def test_a_mark_is_a_click_on_its_cell(tictactoe: Game) -> None:
    found = coordinates(tictactoe, "(mark 1 1)", "oplayer")
    assert found == {f"(mark {x} {y})": [f"{x}{y}"] for x in "123" for y in "123" if (x, y) != ("1", "1")}


def test_a_move_without_a_place_is_a_button(tictactoe: Game) -> None:
    found = ludorum.clicks(tictactoe.initial, "oplayer")
    assert dict(found) == {Move("noop"): ()}
    assert found.way(Move("noop")) == "button"


def test_a_move_of_a_piece_is_a_click_on_it_and_one_on_where_it_goes() -> None:
    found = coordinates(ludorum.load("breakthrough"), "", "white")
    assert found["(move 1 2 2 3)"] == ["12", "23"]


def test_after_a_click_one_is_told_what_can_come_next() -> None:
    found = ludorum.clicks(ludorum.load("breakthrough").initial, "white")
    first = found.next()
    assert {place.coordinates[1] for place in first.places} == {"2"}
    assert not first.choices
    corner = next(place for place in first.places if place.coordinates == ("1", "2"))
    assert {place.coordinates for place in found.next((corner,)).places} == {("1", "3"), ("2", "3")}


#: A square of four cells, each of which may get one of three numbers that its neighbours do not have.
NUMBERS = """
(role robot) (index 1) (index 2) (digit 5) (digit 6) (digit 7)
(<= (filled ?x ?y) (true (cell ?x ?y ?n)))
(<= (used ?x ?n) (true (cell ?x ?y ?n))) (<= (used_in_row ?y ?n) (true (cell ?x ?y ?n)))
(init (step 0)) (next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4)
(<= (next (step ?m)) (true (step ?n)) (next_step ?n ?m))
(<= (legal robot (mark ?x ?y ?n)) (index ?x) (index ?y) (digit ?n) (not (filled ?x ?y)) (not (used ?x ?n))
    (not (used_in_row ?y ?n)))
(<= (next (cell ?x ?y ?n)) (does robot (mark ?x ?y ?n))) (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))
(<= terminal (true (step 3)))
(<= (goal robot 100) (true (step 3)))
"""


def test_what_a_move_puts_into_a_cell_lies_in_a_tray() -> None:
    game = ludorum.load(NUMBERS)
    found = ludorum.clicks(game.initial, "robot")
    path = found[Move("(mark 1 2 7)")]
    assert [(place.kind, place.coordinates) for place in path] == [("cell", ("1", "2")), ("content", ("7",))]
    tray = ludorum.scene(game.initial).boards[-1]
    assert tray.geometry == "tray"
    assert [cell.place.coordinates[0] for cell in tray.cells] == ["5", "6", "7"]


def test_a_tray_is_left_alone_where_the_cell_says_it_all() -> None:
    state = ludorum.load(NUMBERS).replay("(mark 1 1 5) (mark 2 2 6)")
    found = ludorum.clicks(state, "robot")
    # 5 stands in the column and 6 in the row of each of the two cells that are left, or the other way round.
    assert {str(move): len(path) for move, path in found.items()} == {"(mark 1 2 7)": 1, "(mark 2 1 7)": 1}


def test_a_click_on_a_stone_takes_it_and_those_after_it() -> None:
    state = ludorum.load("nim").initial
    found = ludorum.clicks(state, "first")
    scene = ludorum.scene(state)
    # Heaps of 1, 3, 5 and 7.
    stones = [cell.place for cell in scene.cells if cell.place.kind == "content"]
    assert len(stones) == 1 + 3 + 5 + 7
    paths = set(found.values())
    assert len(paths) == len(found) == 16
    assert paths == {(stone,) for stone in stones}
    places = [cell.place for cell in scene.cells if cell.place.coordinates[0] == "c" and cell.place.kind == "content"]
    assert found[Move("(take c 5)")] == (places[0],)
    assert found[Move("(take c 1)")] == (places[-1],)
