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
