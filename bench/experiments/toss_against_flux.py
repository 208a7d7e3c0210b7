"""The paper on Toss, Table 1: `toss` against `flux` in four games, beside the paper's shares.

The clocks are of the processor, so that matches on a busy machine are as on a quiet one. A match begins with a random
move of each, or the same two players would play the same match again and again.

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
#: With the seconds before the first move, in half of which the evaluations are made.
_GAMES = {games.BREAKTHROUGH: 0.5, games.CONNECT_FOUR: 3.0, games.CONNECT_FIVE: 1.0, games.PAWN_WHOPPING: 0.5}
#: To the same depth everywhere, and with promising moves searched deeper.
_PLAYERS = {"constant": "toss:openings=2", "variable": "toss:openings=2,nonuniform=yes"}
_OPPONENT = "flux:openings=2"
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
    return (f"At {plan.seconds or SECONDS:g} s of the processor a move:\n\n{markdown(heads, rows)}\n"
            f"{total or 'Nothing was played yet'}. CPU time spent: {spent / 60:,.0f} minutes.\n")


def _meetings(plan: Plan) -> Iterator[Meeting]:
    for source, start_clock in _GAMES.items():
        if plan.wants(source.title):
            for depth, player in _PLAYERS.items():
                yield Meeting(f"{player}-flux", source, (depth, player), ("flux", _OPPONENT), plan.matches or MATCHES,
                              plan.seconds or SECONDS, max_steps=MOST_STEPS,
                              start_clock=plan.start_clock or start_clock, clocks_of="processor")
