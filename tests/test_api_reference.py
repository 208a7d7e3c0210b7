"""The API reference has an entry for everything that is public, and the site leads to every page."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import ludorum

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {path: path.read_text(encoding="utf-8") for path in sorted((DOCS / "reference").glob("*.md"))}
#: What is taken from the docstrings, a module or a name a line.
TAKEN = {name for text in PAGES.values() for name in re.findall(r"^::: (\S+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("name", sorted(set(ludorum.__all__) - {"__version__"}))
def test_every_public_name_has_an_entry(name: str) -> None:
    if isinstance(getattr(ludorum, name), ModuleType):
        assert f"ludorum.{name}" in TAKEN
    else:
        members = re.search(r"^::: ludorum\n +options:\n +members: \[(.*)\]$", PAGES[DOCS / "reference" / "index.md"],
                            re.MULTILINE)
        assert members is not None
        assert name in members[1].split(", ")


def test_the_site_leads_to_every_page() -> None:
    told = set(re.findall(r"^ *- [^:]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert told == {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
