"""States as things in places."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import ludorum
from ludorum import Game


def test_every_cell_of_tictactoe_is_a_square_of_its_own(tictactoe: Game) -> None:
    scene = ludorum.scene(tictactoe.replay("(mark 1 1) (mark 3 2)"))
    board, = scene.boards
    assert board.geometry == "grid"
    assert {cell.place.coordinates for cell in board.cells} == {(x, y) for x in "123" for y in "123"}
    assert len({(cell.x, cell.y) for cell in board.cells}) == 9
    held = {cell.place.coordinates: [content.words for content in cell.contents] for cell in board.cells}
    assert {cell: words for cell, words in held.items() if words} == {("1", "1"): ["x"], ("3", "2"): ["o"]}


def test_columns_run_to_the_right_and_rows_upwards(tictactoe: Game) -> None:
    at = {cell.place.coordinates: cell for cell in ludorum.scene(tictactoe.initial).cells}
    assert at["1", "1"].x < at["2", "1"].x < at["3", "1"].x
    assert at["1", "1"].y > at["1", "2"].y > at["1", "3"].y


def test_contents_belong_to_the_role_that_makes_them_appear(tictactoe: Game) -> None:
    legend = {content.words: content for content in ludorum.scene(tictactoe.initial).legend}
    assert {words: content.role for words, content in legend.items()} == {"x": "xplayer", "o": "oplayer"}
    # Neither colour nor shape is the same, so that either is enough.
    assert len({content.colour for content in legend.values()}) == 2
    assert len({content.shape for content in legend.values()}) == 2


def test_whose_turn_it_is_is_no_chip(tictactoe: Game) -> None:
    scene = ludorum.scene(tictactoe.initial)
    assert scene.turn == ("xplayer",)
    assert scene.bookkeeping == ("(control xplayer)",)
    assert scene.facts == ()


def test_a_scene_goes_into_json_and_into_a_picture(tictactoe: Game) -> None:
    scene = ludorum.scene(tictactoe.replay("(mark 2 2)"))
    told = json.loads(json.dumps(scene.json()))
    assert told["boards"][0]["cells"][0]["place"]["id"] == scene.boards[0].cells[0].place.id
    picture = ElementTree.fromstring(tictactoe.replay("(mark 2 2)")._repr_svg_())
    assert len(picture.findall("{http://www.w3.org/2000/svg}polygon")) >= 9


def test_what_changed_is_where_the_mark_was_made(tictactoe: Game) -> None:
    before, after = tictactoe.initial, tictactoe.replay("(mark 2 3)")
    assert [place.coordinates for place in ludorum.scene(after).changed(ludorum.scene(before))] == [("2", "3")]
