"""A real browser for tests of the page: the machine's chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

CHROMIUM = os.environ.get("LUDORUM_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

# Nothing is fetched from elsewhere, and no sandbox is to be had in a container.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-first-run"]
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    yield from opened(browser, viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    yield from opened(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)


def opened(browser: Any, **options: Any) -> Iterator[Any]:
    """A page of its own; whatever goes wrong in its scripts fails the test."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors


def begin(page: Any, address: str, game: str, seats: str = "all") -> None:
    page.goto(address)
    page.get_by_label("Who plays").select_option(seats)
    page.locator(f"[data-game={game}]").click()
    page.locator(".place.target").first.wait_for()
