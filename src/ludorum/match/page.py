"""A tournament as one HTML page that needs nothing else: tables, and plots drawn into it."""

from __future__ import annotations

import io
import json
import re
from importlib.resources import files
from typing import Any

from ludorum.grammar import agree
from ludorum.match.crosstable import encounters
from ludorum.match.steps import stepped
from ludorum.match.tournament import Standings

_COLOUR = "#2a6f97"


def page(standings: Standings) -> str:
    """The page, in UTF-8."""
    from jinja2 import Environment
    from markupsafe import Markup

    # What players and games are called comes from people: escape it.
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files("ludorum.match").joinpath("templates/tournament.html").read_text("utf-8"))
    return template.render(
        agree=agree, plan=standings.plan, standings=standings.standings, tests=standings.tests,
        lacking=any(standing.undefined_goals for standing in standings.standings), records=standings.records,
        met=encounters(standings.records), steps=Markup(_script(stepped(standings.records))),
        failures=standings.failures, games=list(dict.fromkeys(record.game for record in standings.records)),
        ratings=_ratings(standings), scores=_scores(standings), shade=_shade,
        seconds=sum(record.seconds for record in standings.records),
        cpu_seconds=sum(record.cpu_seconds or 0 for record in standings.records))


def _script(value: object) -> str:
    """Data in a page's script element, which a `</script>` in it must not end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _ratings(standings: Standings) -> str:
    """Every player's rating with its interval, the strongest on top."""
    rows = [(standing.player, standing.low, standing.elo, standing.high) for standing in standings.standings]
    return _forest(rows, "rating (Elo)", 0.0)


def _scores(standings: Standings) -> str:
    """The first player's score in every game of the test, with its interval."""
    if not standings.tests:
        return ""
    rows = [(test.game, 100 * test.interval[0], 100 * test.score, 100 * test.interval[1]) for test in standings.tests]
    return _forest(rows, f"score of {standings.tests[0].a} (%)", 50.0)


def _forest(rows: list[tuple[str, float, float, float]], label: str, middle: float) -> str:
    """Points with intervals, one above the other, as an SVG element."""
    # Not pyplot, which keeps figures and settings of its own.
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.8 + 0.35 * len(rows)), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    places = list(range(len(rows), 0, -1))
    axes.axvline(middle, color="#bbbbbb", linewidth=1)
    axes.hlines(places, [row[1] for row in rows], [row[3] for row in rows], color=_COLOUR, linewidth=2)
    axes.plot([row[2] for row in rows], places, "o", color=_COLOUR)
    # Dollar signs would be read as formulas.
    axes.set_yticks(places, [row[0].replace("$", r"\$") for row in rows])
    axes.set_ylim(0.4, len(rows) + 0.6)
    axes.set_xlabel(label.replace("$", r"\$"))
    axes.spines[["top", "right", "left"]].set_visible(False)
    buffer = io.StringIO()
    options: dict[str, Any] = {"metadata": {"Date": None, "Creator": None}}
    figure.savefig(buffer, format="svg", **options)
    # From the element on: a page has no use for the XML prologue.
    return re.sub(r"(?s)^.*?(?=<svg)", "", buffer.getvalue())


def _shade(goal: float) -> str:
    """A colour for a mean goal, from white to blue."""
    return f"rgba(42, 111, 151, {max(0.0, min(1.0, goal / 100)) * 0.6:.2f})"
