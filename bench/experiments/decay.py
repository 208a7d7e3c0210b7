"""NST and MAST with and without decay (Tak, Winands and Björnsson: Decaying Simulation Strategies; tables 1 to 3).

The paper plays at 30 and 40 seconds a move, some thousands of playouts on its machine; here every move gets the same
number of playouts, and nothing is proved. NST chooses greedily but for an epsilon of 0.2, counts sequences seen 7 times
and cuts playouts after 400 moves, MAST chooses by Gibbs' measure with a temperature of 10 (of 100), as there.
"""

from __future__ import annotations

from dataclasses import dataclass

from experiments import games
from experiments.games import Source
from experiments.meetings import Meeting
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents

PLAYOUTS = 500
MATCHES = 40

NST = "mcts:policy=nst,max_steps=400,proofs=false"
MAST = "mcts:policy=mast,choice=gibbs,temperature=0.1,proofs=false"


@dataclass(frozen=True)
class Question:
    """A column of the paper: who against whom."""

    title: str
    a: tuple[str, str]
    b: tuple[str, str]


QUESTIONS = (
    Question("NST 0.6 against NST", ("NST 0.6", f"{NST},decay=0.6"), ("NST", NST)),
    Question("MAST 0.2 against MAST", ("MAST 0.2", f"{MAST},decay=0.2"), ("MAST", MAST)),
    Question("NST against MAST", ("NST", NST), ("MAST", MAST)),
    Question("NST 0.6 against MAST", ("NST 0.6", f"{NST},decay=0.6"), ("MAST", MAST)),
)

#: What the paper found, in per cent, in the order of the questions.
PAPER: dict[Source, tuple[float, float, float, float]] = {
    games.BREAKTHROUGH: (44.6, 53.0, 63.7, 72.3),
    games.KNIGHTTHROUGH: (44.1, 54.3, 47.7, 50.0),
    games.QUBIC: (61.8, 92.4, 73.3, 80.4),
    games.OTHELLO: (49.1, 44.9, 67.4, 67.0),
    games.CONNECT_FIVE: (66.2, 76.4, 70.4, 78.9),
    games.SHEEP_AND_WOLF: (49.0, 51.2, 61.1, 61.3),
    games.PAWN_WHOPPING: (50.0, 50.1, 52.2, 51.3),
    games.CHINOOK: (56.9, 62.0, 73.7, 79.4),
    games.TTCC4: (52.5, 50.4, 85.4, 84.4),
    games.ZHADU: (47.0, 51.2, 74.9, 75.5),
    games.QUAD: (65.3, 77.8, 79.1, 92.3),
    games.BATTLE: (64.5, 50.2, 19.2, 29.8),
    games.CHECKERS: (60.8, 67.4, 68.9, 80.0),
    games.CHINESE_CHECKERS: (51.3, 53.1, 57.6, 55.1),
    games.MERRILLS: (60.7, 54.7, 44.6, 50.9),
    games.SKIRMISH: (55.1, 48.6, 69.6, 70.1),
}


def run(plan: Plan) -> None:
    with plan.archive("decay") as archive:
        for source in PAPER:
            if not plan.wants(source.title):
                continue
            if not source.is_here:
                plan.tell(f"{source.title} is skipped: there is no {source.path}")
                continue
            for question in QUESTIONS:
                plan.tell(str(_meeting(plan, source, question).play(archive, workers=plan.workers)))


def table(plan: Plan) -> str:
    """Win rates beside the paper's."""
    rows, spent, means = [], 0.0, []
    with plan.archive("decay") as archive:
        for source, paper in PAPER.items():
            if not plan.wants(source.title) or not source.is_here:
                continue
            results = [_meeting(plan, source, question).result(archive) for question in QUESTIONS]
            if not any(result.pairs for result in results):
                continue
            spent += sum(result.comparison.cpu_seconds for result in results)
            if all(result.pairs for result in results):
                means.append([*(result.win_rate for result in results), *(share / 100 for share in paper)])
            cells = [f"{percent(result.win_rate)} ({percents(*result.win_interval)}); {theirs}" if result.pairs
                     else f"–; {theirs}" for result, theirs in zip(results, paper, strict=True)]
            rows.append([source.title, *cells, sum(len(result.shares) for result in results)])
    if means:
        average = [sum(column) / len(means) for column in zip(*means, strict=True)]
        rows.append([f"mean of {len(means)}", *(f"{percent(average[place])}; {percent(average[place + 4])}"
                                                for place in range(4)), ""])
    return (markdown(["game", *(question.title for question in QUESTIONS), "matches"], rows)
            + f"\nIn each cell: our win rate in per cent with its 95 % interval; the paper's. "
              f"{plan.playouts or PLAYOUTS:,} playouts a move. CPU time spent: {spent / 60:,.0f} minutes.\n")


def _meeting(plan: Plan, source: Source, question: Question) -> Meeting:
    limit = f",playouts={plan.playouts or PLAYOUTS}"
    return Meeting("decay", source, (question.a[0], question.a[1] + limit), (question.b[0], question.b[1] + limit),
                   plan.matches or MATCHES)
