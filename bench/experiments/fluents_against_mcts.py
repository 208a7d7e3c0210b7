"""What it helps to know what fluents are worth: a tree search whose first opinion of a state is their sum, against
plain `mcts` at a tenth of a second a move, until a sequential test has an answer."""

from __future__ import annotations

from experiments import games
from experiments.against import Against

#: A start clock of three seconds, of which the weights of fluents take one at most.
_QUESTION = Against("fluents_against_mcts", "mcts:prior_visits=64,evaluation=fluents", ("mcts",), (
    games.BREAKTHROUGH, games.KNIGHTTHROUGH, games.CONNECT_FOUR, games.OTHELLO, games.CHECKERS, games.PAWN_WHOPPING,
    games.QUAD, games.SHEEP_AND_WOLF, games.TTCC4, games.SKIRMISH, games.BREAKTHROUGH_SUICIDE, games.MERRILLS,
), start_clock=3.0)
run, table = _QUESTION.run, _QUESTION.table
