"""`ludorum markets`: the table of markets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludorum.cli.arguments import Json, can_be_written
from ludorum.cli.completion import complete_game
from ludorum.cli.output import console, print_json, table, working
from ludorum.grammar import agree

if TYPE_CHECKING:
    from ludorum.report.markets import MarketRow

Names = Annotated[list[str] | None, typer.Argument(
    metavar="[MARKET]…", autocompletion=complete_game, help="Paths or names; all markets of the library if none.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", callback=can_be_written,
                                           help="Write it as a page, with plots and the matches that refute.")]

_SIGNS = {"proved": "yes", "refuted": "no", "unknown": "unknown"}


def markets(names: Names = None, html: Html = None, json: Json = False) -> None:
    """Show what is true of markets. Truthful, rational, efficient? Equilibrium, revenue and surplus, from the rules."""
    from ludorum.report.market_page import page
    from ludorum.report.markets import market_rows, revenues

    start = time.perf_counter()
    rows: list[MarketRow] = []
    with working("looking at markets"):
        rows.extend(market_rows(names or None))
        growing = list(revenues(names or None)) if html is not None or json else []
    taken = time.perf_counter() - start
    if html is not None:
        html.write_text(page(rows, growing), encoding="utf-8")
    if json:
        print_json({"markets": [row.to_json() for row in rows], "seconds": taken, "revenues": [
            {"market": found.name, "bidders": found.bidders, "revenue": found.revenue, "epsilon": found.epsilon}
            for found in growing]})
        return
    made = table("market", "truthful", "rational", "budget", "efficient", "revenue", "surplus", "efficiency", "ε",
                 left=5)
    for row in rows:
        signs = [_SIGNS[row.proofs[name].verdict] if name in row.proofs else "unknown"
                 for name in ("truthful", "rational", "budget", "efficient")]
        surplus = sum(row.surplus.values()) if row.surplus else None
        made.add_row(row.name, *signs, _number(row.revenue), _number(surplus),
                     "unknown" if row.efficiency is None else f"{row.efficiency:.1%}",
                     "unknown" if row.epsilon is None else f"{row.epsilon:.0e}")
    console().print(made)
    console().print(f"{len(rows)} {agree(len(rows), 'market')} in {taken:.1f} s")


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4g}"
