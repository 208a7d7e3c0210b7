"""`ludorum`, which picks how to play in a start clock of half a minute, against `mcts`, at a tenth of a second a move,
until a sequential test has an answer: is it worth while to try out others than `mcts`?"""

from __future__ import annotations

from experiments import games
from experiments.against import Against

#: In turns games of which `cadia_against_mcts` says that there is something to pick, and others.
_QUESTION = Against("ludorum_against_mcts", "ludorum", ("mcts",), (
    games.OTHELLO, games.CONNECT_FOUR, games.PAWN_WHOPPING, games.BREAKTHROUGH, games.CHINOOK, games.QUAD, games.TTCC4,
    games.KNIGHTTHROUGH, games.CHINESE_CHECKERS, games.CONNECT_FIVE, games.CHECKERS, games.SHEEP_AND_WOLF,
), start_clock=30.0, picks=True)
run, table = _QUESTION.run, _QUESTION.table
