"""The page of diagnostics says exactly what Ludorum says, and leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from ludorum import gdl
from ludorum.analysis.trial import trial
from ludorum.gdl.diagnostics import CODES
from ludorum.gdl.source import Source, Syntax
from ludorum.loading import load_source

PAGE = (Path(__file__).parents[2] / "docs" / "diagnostics.md").read_text(encoding="utf-8")
HEADING = re.compile(r"^### `(?P<code>[a-z-]+)` \((?P<level>error|warning)\)$", re.MULTILINE)
GAMES = dict(re.findall(r"^```(kif|infix) game\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLE = re.compile(r"^```(kif|infix)( whole| played)?\n(.*?)^```\n\n```text\n(.*?)\n```", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    code: str
    syntax: Syntax
    text: str
    expected: str
    played: bool


def examples() -> list[Example]:
    found = []
    headings = list(HEADING.finditer(PAGE))
    ends = [heading.start() for heading in headings[1:]] + [len(PAGE)]
    for heading, end in zip(headings, ends, strict=True):
        for syntax, whole, text, expected in EXAMPLE.findall(PAGE[heading.start() : end]):
            assert syntax in get_args(Syntax)
            found.append(Example(heading["code"], syntax, text if whole else text + GAMES[syntax], expected,
                                 whole == " played"))
    return found


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example.code}-{example.syntax}")
def test_an_example_of_the_page_says_what_the_page_says(example: Example) -> None:
    name = f"example.{example.syntax}"
    found = gdl.check(example.text, name, syntax=example.syntax)
    if example.played:
        found += trial(load_source(Source(example.text, name, example.syntax))).diagnostics
    assert "\n\n".join(map(str, found)) == example.expected
    assert example.code in {diagnostic.code for diagnostic in found}


def test_every_code_is_on_the_page_with_its_level_and_an_example() -> None:
    assert {heading["code"]: heading["level"] for heading in HEADING.finditer(PAGE)} == CODES
    assert {example.code for example in examples()} == CODES.keys()


def test_the_small_games_of_the_page_are_the_same_game() -> None:
    assert gdl.parse(GAMES["kif"]) == gdl.parse(GAMES["infix"])
