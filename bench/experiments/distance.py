"""Distances by fluent graphs against what the evaluation knows without them, as in Figure 6.7 of the thesis.

There Fluxplayer with its new distances met itself without them, at equal time. Here both look at the same number of
states a move, so that only what they know counts; the cost of knowing it is measured by bench/evaluation.py. Of its 19
games the text names the seven that come first here, all others made no difference; which they were only the picture
says, so the rest are games of the papers that the corpus has, to make 19. Fixed numbers of states make the same moves
every time, so matches begin with four random ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from experiments import games
from experiments.meetings import Meeting, by_game, play_all, scores
from experiments.plan import Plan

GAMES = (games.BREAKTHROUGH, games.KNIGHTTHROUGH, games.NIM_4, games.PAWN_WHOPPING, games.BREAKTHROUGH_SUICIDE,
         games.CHINESE_CHECKERS_2, games.BATTLE, games.CONNECT_FOUR, games.CHOMP, games.BLOCKER, games.SHEEP_AND_WOLF,
         games.QUAD, games.TTCC4, games.CHINOOK, games.CONNECT_FIVE, games.SKIRMISH, games.MERRILLS, games.OTHELLO,
         games.CHECKERS)
#: What the thesis found, as far as its text says.
FOUND = {"Breakthrough": "better", "Battle": "better", "Pawn Whopping": "better", "nim4": "worse", "Knightthrough":
         "worse", "chinesecheckers2": "worse", "breakthrough_suicide": "worse"}
#: The evaluations that distances meet, by the option `leaves`.
OTHERS = ("structures", "binary")

STATES = 2_000
MATCHES = 40
MOST_STEPS = 200


def run(plan: Plan) -> None:
    play_all(plan, "distance", _meetings(plan))


def table(plan: Plan) -> str:
    """The score of distances in every game, beside what the thesis found."""
    heads = [*(f"against `{other}`" for other in OTHERS), "the thesis, at equal time"]
    found = by_game(plan, "distance", _meetings(plan))
    states = f"{plan.playouts or STATES:,} states a move"
    return (f"Score of `flux:leaves=distances`, in per cent, with its 95 % interval; {states}:\n\n"
            f"{scores(found, heads, lambda title: [FOUND.get(title, '–')])}")


def _meetings(plan: Plan) -> Iterator[Meeting]:
    limit = f"states={plan.playouts or STATES},openings=4"
    for source in GAMES:
        if plan.wants(source.title):
            for other in OTHERS:
                yield Meeting("distance", source, ("distances", f"flux:leaves=distances,{limit}"),
                              (other, f"flux:leaves={other},{limit}"), plan.matches or MATCHES, max_steps=MOST_STEPS)

