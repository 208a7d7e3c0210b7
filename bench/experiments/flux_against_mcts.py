"""`flux` against `mcts` and `cadia`, all as they come, at a tenth of a second a move, until a sequential test has an
answer: what knowing the rules is worth beside playing millions of matches."""

from __future__ import annotations

from experiments import games
from experiments.against import Against

#: Those of the library first, so that a run without the corpus shows something; what takes long comes last.
_QUESTION = Against("flux_against_mcts", "flux", ("mcts", "cadia"), (
    games.CHOMP, games.CONNECT_FOUR, games.KNIGHTTHROUGH, games.BREAKTHROUGH, games.NIM_4, games.PAWN_WHOPPING,
    games.BREAKTHROUGH_SUICIDE, games.QUBIC, games.CHINESE_CHECKERS_2, games.SHEEP_AND_WOLF, games.CONNECT_FIVE,
    games.TTCC4, games.QUAD, games.BATTLE, games.OTHELLO, games.CHECKERS, games.MERRILLS, games.SKIRMISH,
))
run, table = _QUESTION.run, _QUESTION.table
