"""The pictures of the documentation are those that their script draws."""

from __future__ import annotations

import pytest

import pictures


@pytest.mark.parametrize("name", ["step-counter-domain", "breakthrough-board"])
def test_a_picture_is_what_its_script_draws(name: str) -> None:
    assert (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8") == dict(pictures.drawn_here())[name]


def test_the_script_draws_every_picture() -> None:
    drawn = {name for name, _ in pictures.drawn_here()} | pictures.ON_THE_PAGE.keys()
    assert {path.stem for path in pictures.FOLDER.iterdir()} == drawn
