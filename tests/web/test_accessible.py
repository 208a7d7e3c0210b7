"""What axe-core finds wrong for people who see, hear or move otherwise.

axe-core is fetched by npm when it is not there yet, and kept in `build/`; where that cannot be the test is skipped.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from browsing import NEEDS_CHROMIUM, begin, browser, page

from npm import packed

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]

__all__ = ["browser", "page"]

VERSION = "4.10.2"
KEPT = Path(__file__).parents[2] / "build" / f"axe-core-{VERSION}.js"


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core."""
    if not KEPT.is_file():
        try:
            package = packed("axe-core", VERSION)
        except (OSError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"axe-core could not be fetched: {error}")
        with tarfile.open(fileobj=io.BytesIO(package)) as files:
            script = files.extractfile("package/axe.min.js")
            assert script is not None
            text = script.read()
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_bytes(text)
    return KEPT.read_text(encoding="utf-8")


def violations(page: Any, axe: str) -> list[str]:
    """The serious ones, each with what it is about."""
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}: {each['nodes'][0]['failureSummary'][:300]}"
            for each in found if each["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("path", ["", "edit?game=tictactoe", "matches", "cups", "known?game=tictactoe"])
def test_no_page_has_a_serious_violation(page: Any, address: str, axe: str, path: str) -> None:
    page.goto(f"{address}/{path}")
    page.locator("main h1").first.wait_for()
    assert violations(page, axe) == []


@pytest.mark.parametrize("game", ["tictactoe", "breakthrough", "nim"])
def test_no_match_has_a_serious_violation(page: Any, address: str, axe: str, game: str) -> None:
    begin(page, address, game)
    assert violations(page, axe) == []
    page.locator(".switch").click()
    page.locator(".thoughts li").first.wait_for()
    assert violations(page, axe) == []
