"""The pictures of the documentation are those that their script draws."""

from __future__ import annotations

import re

import pytest

import pictures

HERE = ("step-counter-domain", "breakthrough-board", "tictactoe-induction", "tictactoe-symmetries", "walkers-factors",
        "hexapawn-graphs", "tictactoe-values", "belief-sizes", "kuhn-strategies")


@pytest.mark.parametrize("name", HERE)
def test_a_picture_is_what_its_script_draws(name: str) -> None:
    assert (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8") == dict(pictures.drawn_here())[name]


def test_the_script_draws_every_picture() -> None:
    drawn = {name for name, _ in pictures.drawn_here()} | pictures.ON_THE_PAGE.keys()
    drawn |= pictures.ELSEWHERE.keys()
    assert {path.stem for path in pictures.FOLDER.iterdir()} == drawn


def test_every_picture_is_on_a_page_and_every_page_has_its_pictures() -> None:
    shown = {name for path in pictures.FOLDER.parent.glob("*.md")
             for name in re.findall(r"\(pictures/([\w-]+)\.svg\)", path.read_text(encoding="utf-8"))}
    assert shown == {path.stem for path in pictures.FOLDER.iterdir()}


@pytest.mark.parametrize("page", ["structures", "analyse", "proofs", "symmetry", "factors", "distances", "evaluation"])
def test_what_analysis_finds_is_shown(page: str) -> None:
    assert "](pictures/" in (pictures.FOLDER.parent / f"{page}.md").read_text(encoding="utf-8")


def test_a_square_board_can_be_turned_and_reflected_in_eight_ways() -> None:
    drawn = re.findall(r"<svg .*?</svg>", pictures.tictactoe_symmetries().partition("</title>")[2])
    cells = [tuple(re.findall(r">(\d \d)<", picture)) for picture in drawn]
    assert len(set(cells)) == 8
    assert {frozenset(names) for names in cells} == {frozenset(f"{x} {y}" for x in "123" for y in "123")}


def test_only_where_both_are_in_control_does_a_cell_get_two_contents() -> None:
    drawn = re.findall(r"<svg .*?</svg>", pictures.tictactoe_induction().partition("</title>")[2])
    assert [re.findall(r">([xo]+)<", picture) for picture in drawn] == [[], ["x"], [], ["ox"]]
