"""What counting is worth: `toss`, and a tree search whose first opinion of a state is how far goals are met, against
plain `mcts` on twelve games at a tenth of a second a move, until a sequential test has an answer. The clocks are of the
processor, so that matches on a busy machine are as on a quiet one."""

from __future__ import annotations

from experiments import games
from experiments.against import Against
from experiments.plan import Plan

_GAMES = (games.BREAKTHROUGH, games.KNIGHTTHROUGH, games.CONNECT_FOUR, games.CONNECT_FIVE, games.OTHELLO,
          games.CHECKERS, games.PAWN_WHOPPING, games.QUAD, games.SHEEP_AND_WOLF, games.TTCC4, games.SKIRMISH,
          games.MERRILLS)
#: A start clock of three seconds, of which making the evaluation takes half at most.
_QUESTIONS = tuple(Against("counting_against_mcts", player, ("mcts",), _GAMES, start_clock=3.0, clocks_of="processor")
                   for player in ("toss", "mcts:prior_visits=64,evaluation=counting"))


def run(plan: Plan) -> None:
    for question in _QUESTIONS:
        question.run(plan)


def table(plan: Plan) -> str:
    return "\n".join(f"`{question.player}` against `mcts`:\n\n{question.table(plan)}" for question in _QUESTIONS)
