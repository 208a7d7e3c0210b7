"""The paper on Toss, Table 1: `toss` against `flux` in four games, at a second a move, beside the paper's shares.

In the literature: Kaiser, Stafiniak 2011.
"""

from __future__ import annotations

from collections.abc import Iterator

from experiments import games
from experiments.meetings import Meeting, play_all, played
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents

SECONDS = 1.0
MATCHES = 40
MOST_STEPS = 300
_NAME = "toss_against_flux"
_GAMES = (games.BREAKTHROUGH, games.CONNECT_FOUR, games.CONNECT_FIVE, games.PAWN_WHOPPING)
#: To the same depth everywhere, and with promising moves searched deeper.
_PLAYERS = {"constant": "toss", "variable": "toss:nonuniform=yes"}
#: Won, lost and drawn by the authors' Toss in 20 plays, in per cent.
_PAPER = {"Breakthrough": (95, 5, 0), "Connect-4": (20, 75, 5), "Connect5": (0, 0, 100), "Pawn Whopping": (50, 50, 0)}


def run(plan: Plan) -> None:
    play_all(plan, _NAME, _meetings(plan))


def table(plan: Plan) -> str:
    """What came of every game and depth, and the share of all points."""
    rows, points, matches, spent = [], dict.fromkeys(_PLAYERS, 0.0), dict.fromkeys(_PLAYERS, 0), 0.0
    for meeting, result in played(plan, _NAME, _meetings(plan)):
        found = result.comparison
        depth = meeting.a[0]
        points[depth] += found.score * found.matches
        matches[depth] += found.matches
        spent += found.cpu_seconds
        paper = _PAPER.get(meeting.source.title)
        rows.append([meeting.source.title, depth, "–".join(map(str, result.counts)), percent(found.score),
                     percents(*found.interval), found.matches,
                     "–" if paper is None else f"{paper[0] + paper[2] / 2:g} %", "{} + {}".format(*found.errors),
                     f"{found.cpu_seconds:,.0f}"])
    heads = ["game", "depth", "won–drawn–lost", "score", "95 %", "matches", "the paper's", "faults", "CPU s"]
    total = "; ".join(f"{depth} depth: {percent(points[depth] / matches[depth])} of all points in "
                      f"{matches[depth]} matches" for depth in _PLAYERS if matches[depth])
    return f"{markdown(heads, rows)}\n{total or 'Nothing was played yet'}. CPU time spent: {spent / 60:,.0f} minutes.\n"


def _meetings(plan: Plan) -> Iterator[Meeting]:
    for source in _GAMES:
        if plan.wants(source.title):
            for depth, player in _PLAYERS.items():
                yield Meeting(f"{player}-flux", source, (depth, player), ("flux", "flux"), plan.matches or MATCHES,
                              plan.seconds or SECONDS, max_steps=MOST_STEPS)
