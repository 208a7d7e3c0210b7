"""Rulesheets with mistakes, in the editor of the page: each mistake is shown at its line."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import NEEDS_CHROMIUM, PATIENCE_MS, browser, page, playwright

from collection import GAMES
from ludorum import gdl

pytestmark = [pytest.mark.slow, pytest.mark.corpus, NEEDS_CHROMIUM]

__all__ = ["browser", "page"]

# A whole sheet at once, as when one pastes it.
TYPED = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }"


def test_each_mistake_of_a_broken_sheet_is_shown_at_its_line(page: Any, address: str) -> None:
    sheets = sorted((GAMES / "broken").glob("*.kif"))
    if not sheets:
        pytest.skip("the corpus is not here")
    page.goto(f"{address}/edit")
    for path in sheets:
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        wrong = [found for found in gdl.check(text) if found.level == "error"]
        page.locator("textarea").evaluate(TYPED, text)
        if not wrong:
            continue
        first = page.locator(".findings .error").first
        playwright.expect(first).to_contain_text(f"{wrong[0].line}:{wrong[0].column}", timeout=PATIENCE_MS)
        assert wrong[0].message in first.inner_text(), path.name
        lines = sorted({found.line for found in wrong})
        playwright.expect(page.locator(".gutter .wrong")).to_have_text([f"{line}" for line in lines])
