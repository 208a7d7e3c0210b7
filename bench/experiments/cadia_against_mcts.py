"""`cadia` against `mcts`, both as they come, at a tenth of a second a move, until a sequential test has an answer."""

from __future__ import annotations

from experiments import games
from experiments.meetings import Meeting, play_all, played
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents, rounded
from ludorum.sequential import Hypotheses

#: Those of the library first, so that a run without the corpus shows something; what takes long comes last.
GAMES = (
    games.CHOMP, games.CONNECT_FOUR, games.KNIGHTTHROUGH, games.BREAKTHROUGH, games.QUBIC, games.OTHELLO,
    games.PAWN_WHOPPING, games.SHEEP_AND_WOLF, games.CONNECT_FIVE, games.TTCC4, games.ZHADU, games.CHINOOK,
    games.CHINESE_CHECKERS, games.QUAD, games.BATTLE, games.CHECKERS, games.MERRILLS, games.SKIRMISH,
)

SECONDS = 0.1
MATCHES = 60
HYPOTHESES = Hypotheses()


def run(plan: Plan) -> None:
    play_all(plan, "cadia_against_mcts", _meetings(plan))


def table(plan: Plan) -> str:
    """What came of every game, and what it took."""
    rows, spent, verdicts = [], 0.0, []
    for meeting, result in played(plan, "cadia_against_mcts", _meetings(plan)):
        found = result.comparison
        verdicts.append(found.verdict)
        spent += found.cpu_seconds
        rows.append([meeting.source.title, "–".join(map(str, result.counts)), percent(found.score),
                     percents(*found.interval), found.matches, found.verdict, rounded(result.rate("cadia")),
                     rounded(result.rate("mcts")), sum(found.errors), f"{found.cpu_seconds:,.0f}"])
    return (markdown(["game", "won–drawn–lost", "score", "95 %", "matches", "`cadia` is", "playouts/s `cadia`",
                      "playouts/s `mcts`", "faults", "CPU s"], rows)
            + f"\n{verdicts.count('better')} games better, {verdicts.count('not better')} not better, "
              f"{verdicts.count('open')} open. CPU time spent: {spent / 60:,.0f} minutes.\n")


def _meetings(plan: Plan) -> list[Meeting]:
    return [Meeting("cadia-mcts", source, ("cadia", "cadia"), ("mcts", "mcts"), plan.matches or MATCHES,
                    plan.seconds or SECONDS, HYPOTHESES) for source in GAMES if plan.wants(source.title)]
