"""The page in a real browser: clicks, keys, touch, the list alone, the editor, the search."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import NEEDS_CHROMIUM, PATIENCE_MS, begin, browser, page, phone, playwright

import ludorum

pytestmark = [pytest.mark.slow, NEEDS_CHROMIUM]

__all__ = ["browser", "page", "phone"]


def cell(page: Any, column: int, row: int) -> Any:
    return page.locator(f"[data-place='cell:cell:{column},{row}']")


def ready(page: Any, step: int) -> None:
    """So many steps are made, and somebody here can move."""
    playwright.expect(page.locator(".history li")).to_have_count(step, timeout=PATIENCE_MS)
    page.locator(".place.target").first.wait_for()


WIN = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]


def test_tictactoe_is_won_by_clicks(page: Any, address: str) -> None:
    begin(page, address, "tictactoe")
    for step, (column, row) in enumerate(WIN):
        ready(page, step)
        cell(page, column, row).click()
    playwright.expect(page.locator(".status")).to_have_text("xplayer wins, 100 to 0", timeout=PATIENCE_MS)
    assert page.locator(".cell.marked").count() == 1
    # Stepping back shows the match as it was, and a reload all of it again. Where a cell has the focus, arrows walk
    # on the board.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    playwright.expect(page.locator(".steps .quiet")).to_have_text("4 / 5")
    page.reload()
    playwright.expect(page.locator(".history li")).to_have_count(5, timeout=PATIENCE_MS)


def test_a_whole_match_by_keyboard_alone(page: Any, address: str) -> None:
    begin(page, address, "tictactoe")
    page.locator(".place[tabindex='0']").focus()
    # The focus begins at 1,1; rows run upwards.
    column, row = 1, 1
    for step, (to_column, to_row) in enumerate(WIN):
        ready(page, step)
        for _ in range(abs(to_column - column)):
            page.keyboard.press("ArrowRight" if to_column > column else "ArrowLeft")
        for _ in range(abs(to_row - row)):
            page.keyboard.press("ArrowUp" if to_row > row else "ArrowDown")
        column, row = to_column, to_row
        playwright.expect(cell(page, column, row)).to_be_focused()
        page.keyboard.press("Enter")
    playwright.expect(page.locator(".status")).to_have_text("xplayer wins, 100 to 0", timeout=PATIENCE_MS)


def test_a_whole_match_by_touch_on_a_phone(phone: Any, address: str) -> None:
    phone.goto(address)
    phone.get_by_label("Who plays").select_option("all")
    phone.locator("[data-game=tictactoe]").tap()
    for step, (column, row) in enumerate(WIN):
        ready(phone, step)
        cell(phone, column, row).tap()
    playwright.expect(phone.locator(".status")).to_have_text("xplayer wins, 100 to 0", timeout=PATIENCE_MS)
    # Nothing hangs over the edge of the screen.
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_whole_match_by_the_list_alone(page: Any, address: str) -> None:
    begin(page, address, "tictactoe")
    for step, (column, row) in enumerate(WIN):
        ready(page, step)
        page.locator(".moves").get_by_role("button", name=f"(mark {column} {row})", exact=True).click()
    playwright.expect(page.locator(".status")).to_have_text("xplayer wins, 100 to 0", timeout=PATIENCE_MS)


def test_a_pawn_of_breakthrough_takes_two_clicks_or_a_drag(page: Any, address: str) -> None:
    begin(page, address, "breakthrough")
    first = page.locator(".place.target").first
    first.click()
    playwright.expect(page.locator(".place.chosen")).to_have_count(1)
    page.locator(".place.target").first.click()
    ready(page, 1)
    source = page.locator(".place.target").first
    source.click()
    target = page.locator(".place.target").first.get_attribute("data-place")
    page.keyboard.press("Escape")
    playwright.expect(page.locator(".place.chosen")).to_have_count(0)
    start, end = source.bounding_box(), page.locator(f"[data-place='{target}']").bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()
    ready(page, 2)


def test_the_search_writes_into_the_cells_until_it_is_stopped(page: Any, address: str) -> None:
    begin(page, address, "breakthrough")
    page.locator(".switch").click()
    page.locator(".thought.best").wait_for()
    page.locator(".evalbar div").first.wait_for()
    assert page.locator(".thoughts li").count() > 3
    page.locator(".switch").click()
    playwright.expect(page.locator(".thought")).to_have_count(0)


def test_the_editor_points_at_a_mistake_and_draws_the_board(page: Any, address: str) -> None:
    page.goto(f"{address}/edit?game=tictactoe")
    page.locator(".preview .place").first.wait_for()
    playwright.expect(page.get_by_text("No mistakes found.")).to_be_visible(timeout=PATIENCE_MS)
    page.locator("textarea").fill("(role x)\n(legal x go\n")
    playwright.expect(page.locator(".findings .error").first).to_contain_text("2:1", timeout=PATIENCE_MS)
    playwright.expect(page.locator(".gutter .wrong").first).to_have_text("2\n")


@pytest.mark.parametrize(("game", "keyword", "comment"),
                         [("tictactoe.toss", "RULE", "//"), ("vickrey", "message", "%")])
def test_the_editor_colours_and_checks_other_languages(page: Any, address: str, game: str, keyword: str,
                                                       comment: str) -> None:
    page.goto(f"{address}/edit?game={game}")
    playwright.expect(page.get_by_text("No mistakes found.")).to_be_visible(timeout=PATIENCE_MS)
    assert keyword in page.locator(".paint .keyword").all_inner_texts()
    assert all(text.startswith(comment) for text in page.locator(".paint .comment").all_inner_texts())
    text = page.locator("textarea").input_value()
    page.get_by_role("button", name="Format").click()
    assert page.locator("textarea").input_value().split() == text.split()
    # Something is left open, at the end of the text.
    page.locator("textarea").fill(f"{text}\n\n{keyword} (")
    playwright.expect(page.locator(".findings .error").first).to_be_visible(timeout=PATIENCE_MS)


def test_a_digit_is_clicked_after_its_cell(page: Any, address: str) -> None:
    # A cell for which the rules leave open what it will hold.
    first, digit = next(path for path in ludorum.clicks(ludorum.load("sudoku").initial, "player").values()
                        if len(path) > 1)
    begin(page, address, "sudoku")
    page.locator(f"[data-place='{first.id}']").click()
    tray = page.locator("[data-place^='content:'].target")
    tray.first.wait_for()
    page.keyboard.press("Escape")
    playwright.expect(tray).to_have_count(0)
    page.locator(f"[data-place='{first.id}']").click()
    page.locator(f"[data-place='{digit.id}']").click()
    playwright.expect(page.locator(".history li")).to_have_count(1, timeout=PATIENCE_MS)


@pytest.mark.parametrize("path", ["nosuchpage", "m/nosuchmatch"])
def test_where_there_is_nothing_one_is_led_on(page: Any, address: str, path: str) -> None:
    page.goto(f"{address}/{path}")
    page.locator(".nothing").get_by_role("link", name="Choose a game").click()
    page.locator("[data-game]").first.wait_for()


def test_markup_in_rules_is_shown_as_text(page: Any, address: str) -> None:
    page.goto(f"{address}/edit")
    page.locator("textarea").fill(
        "(role <script>x</script>) (role <img/src=x/onerror=y>) (init (cell 1 1 <b>bold</b>))\n"
        "(<= (legal ?r go) (role ?r)) (<= (legal ?r <b>stay</b>) (role ?r))\n"
        "(<= (next (cell 1 1 <b>bold</b>)) (true ?f))\n"
        "(<= (goal ?r 100) (role ?r)) (<= terminal (true never))")
    page.get_by_role("button", name="Play").click()
    page.locator(".seat").first.wait_for()
    assert "<img/src=x/onerror=y>" in page.locator(".seats").inner_text()
    assert page.locator("main script, main img, main b b").count() == 0
