"""Which of the papers' settings pays here: each against plain UCT, at equal time and at equal playouts.

In the papers' programs a playout takes so long that choosing well costs nothing beside it. Here a plain playout is a
matter of microseconds, so that a policy has to pay for itself.
"""

from __future__ import annotations

from experiments import games
from experiments.meetings import Meeting, Result
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents

GAMES = (games.CONNECT_FOUR, games.KNIGHTTHROUGH, games.OTHELLO, games.BREAKTHROUGH, games.QUBIC)

#: The options of `mcts` that make each.
VARIANTS = {
    "NST": "policy=nst,decay=0.6",
    "MAST, Gibbs": "policy=mast,choice=gibbs,decay=0.2",
    "MAST, epsilon 0.4": "policy=mast,epsilon=0.4,decay=0.2",
    "MAST, epsilon 0.4, adaptive RAVE": "policy=mast,epsilon=0.4,decay=0.2,rave=adaptive",
    "adaptive RAVE": "rave=adaptive",
}

SECONDS, PLAYOUTS = 0.1, 1_000
MATCHES = 16


def run(plan: Plan) -> None:
    with plan.archive("variants") as archive:
        for is_timed in (True, False):
            for source in GAMES:
                for meeting in _meetings(plan, source, is_timed):
                    plan.tell(f"{meeting.play(archive, workers=plan.workers)}; "
                              f"equal {'time' if is_timed else 'playouts'}")


def table(plan: Plan) -> str:
    """Scores of every variant against plain UCT."""
    text, spent = "", 0.0
    wanted = [source for source in GAMES if plan.wants(source.title)]
    with plan.archive("variants") as archive:
        for is_timed in (True, False):
            found = {source.title: [meeting.result(archive) for meeting in _meetings(plan, source, is_timed)]
                     for source in wanted}
            spent += sum(result.comparison.cpu_seconds for results in found.values() for result in results)
            terms = f"{plan.seconds or SECONDS:g} s" if is_timed else f"{plan.playouts or PLAYOUTS:,} playouts"
            text += f"Score of each against `mcts`, in per cent, with its 95 % interval; {terms} a move:\n\n"
            text += markdown(["", *found], ([name, *(_cell(results[place], is_timed) for results in found.values())]
                                            for place, name in enumerate(VARIANTS)))
            text += "\n"
    return text + f"CPU time spent: {spent / 60:,.0f} minutes.\n"


def _meetings(plan: Plan, source: games.Source, is_timed: bool) -> list[Meeting]:
    if not plan.wants(source.title):
        return []
    limit = "" if is_timed else f",playouts={plan.playouts or PLAYOUTS}"
    clock = (plan.seconds or SECONDS) if is_timed else None
    return [Meeting("variants", source, (name, f"mcts:{options}{limit}"), ("mcts", f"mcts:{limit.lstrip(',')}"),
                    plan.matches or MATCHES, clock) for name, options in VARIANTS.items()]


def _cell(result: Result, is_timed: bool) -> str:
    if not result.pairs:
        return "–"
    cell = f"{percent(result.win_rate)} ({percents(*result.win_interval)})"
    if is_timed and (rate := result.rate("mcts")):
        cell += f" at {100 * result.rate(result.a) / rate:.0f} % of its playouts"
    return cell


