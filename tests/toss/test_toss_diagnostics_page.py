"""The page of Toss's diagnostics says exactly what Ludorum says, and leaves nothing out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludorum import languages
from ludorum.gdl import Source
from ludorum.toss.diagnostics import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "toss-diagnostics.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^### `(?P<code>[a-z-]+)` \((?P<level>error|warning)\)\n\n[^`]*(?:`[^`]*`[^`]*)*?"
                     r"```toss\n(?P<text>.*?)^```\n\n```text\n(?P<expected>.*?)\n```", re.MULTILINE | re.DOTALL)
EXAMPLES = list(EXAMPLE.finditer(PAGE))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["code"])
def test_an_example_of_the_page_says_what_the_page_says(example: re.Match[str]) -> None:
    found = languages.check(Source(example["text"], "example.toss"))
    assert "\n\n".join(map(str, found)) == example["expected"]
    assert example["code"] in {diagnostic.code for diagnostic in found}
    assert all(diagnostic.line >= 1 and diagnostic.help for diagnostic in found)


def test_every_code_is_on_the_page_with_its_level_and_an_example() -> None:
    assert {example["code"]: example["level"] for example in EXAMPLES} == CODES
    assert len(EXAMPLES) >= 20
