"""What it helps to know what fluents are worth: a tree search whose first opinion of a state is their sum, and `flux`
by that sum, against plain `mcts` at a tenth of a second a move, until a sequential test has an answer."""

from __future__ import annotations

from experiments import games
from experiments.against import Against
from experiments.plan import Plan

_EXPERIMENT = "fluents_against_mcts"
#: Half of it is for playing from states of random play, on which the worths rest.
_START_CLOCK = 3.0
_PRIOR = Against(_EXPERIMENT, "mcts:prior_visits=64,evaluation=fluents", ("mcts",), (
    games.BREAKTHROUGH, games.KNIGHTTHROUGH, games.CONNECT_FOUR, games.OTHELLO, games.CHECKERS, games.PAWN_WHOPPING,
    games.QUAD, games.SHEEP_AND_WOLF, games.TTCC4, games.SKIRMISH, games.BREAKTHROUGH_SUICIDE, games.MERRILLS,
), start_clock=_START_CLOCK)
_FLUX = Against(_EXPERIMENT, "flux:goals=0,fluents=1", ("mcts",), (
    games.CHECKERS, games.BREAKTHROUGH, games.KNIGHTTHROUGH, games.OTHELLO, games.SKIRMISH, games.PAWN_WHOPPING,
), start_clock=_START_CLOCK)


def run(plan: Plan) -> None:
    for question in (_PRIOR, _FLUX):
        question.run(plan)


def table(plan: Plan) -> str:
    return f"{_PRIOR.table(plan)}\n{_FLUX.table(plan)}"
