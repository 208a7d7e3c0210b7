"""The table of markets: every entry is proved, refuted with a match, computed with its ε, or unknown."""

from __future__ import annotations

import pytest

from ludorum import library, market
from ludorum.report.market_page import page
from ludorum.report.markets import MarketRow, Revenue, market_names, market_row, revenues, with_bidders


@pytest.fixture(scope="module")
def rows() -> list[MarketRow]:
    return [market_row(name) for name in ("firstprice", "vickrey", "dutch", "doubleauction")]


def test_the_library_has_eleven_markets_and_more() -> None:
    assert len(market_names()) >= 11


def test_every_entry_says_how_it_came_about(rows: list[MarketRow]) -> None:
    for row in rows:
        assert set(row.proofs) == {"dominant", "truthful", "rational", "budget", "efficient"}
        for cell in row.proofs.values():
            assert cell.method
            assert (cell.match is not None) == (cell.verdict == "refuted")
        assert row.epsilon is not None
        assert row.epsilon <= 1e-6


def test_bids_by_value_are_those_of_the_equilibrium(rows: list[MarketRow]) -> None:
    by_name = {row.name: row for row in rows}
    assert by_name["vickrey"].bids["a_1"] == [(value, value) for value in range(6)]
    assert all(bid <= value for value, bid in by_name["firstprice"].bids["a_1"])
    assert by_name["vickrey"].revenue == pytest.approx(55 / 36)


def test_a_double_auction_brings_its_maker_nothing(rows: list[MarketRow]) -> None:
    assert next(row for row in rows if row.name == "doubleauction").revenue == pytest.approx(0)


def test_the_page_has_all_rows_and_both_plots(rows: list[MarketRow]) -> None:
    text = page(rows, [Revenue("vickrey", 2, 0.875, 0.0), Revenue("vickrey", 3, 1.5, 0.0)])
    assert all(row.title in text for row in rows)
    assert "Bids by value" in text
    assert "Revenue by the number of bidders" in text
    assert text.count("<svg") == 2


def test_what_is_too_large_to_solve_is_unknown_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.report.markets.MOST_NODES", 100)
    row = market_row("vickrey")
    assert {name: cell.verdict for name, cell in row.proofs.items()} == {
        "dominant": "proved", "truthful": "proved", "rational": "proved", "budget": "proved", "efficient": "unknown"}
    assert "too large to solve" in row.why
    assert page([row]).count(">unknown<") == 5


def test_more_bidders_bring_the_second_highest_of_more_values() -> None:
    # Of values 0 to 3 the second highest is 7/8 on average for two bidders, 3/2 for three: by hand, P(second ≥ v).
    found = {(entry.name, entry.bidders): entry.revenue for entry in revenues(["vickrey"])}
    assert found["vickrey", 2] == pytest.approx(7 / 8)
    assert found["vickrey", 3] == pytest.approx(3 / 2)


def test_markets_for_certain_traders_are_not_given_more() -> None:
    assert with_bidders(market.parse(library.entry("doubleauction").text), 3) is None
    assert with_bidders(market.parse(library.entry("firstprice").text), 3) is not None
