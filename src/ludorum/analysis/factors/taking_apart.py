"""From a game to the games that can be played instead of it."""

from __future__ import annotations

from ludorum.absent import Absent
from ludorum.analysis.factors.ending import find_ending
from ludorum.analysis.factors.factors import Factors
from ludorum.analysis.factors.finding import NOT_IN_TIME, WORK, decompose
from ludorum.analysis.factors.parts import Parts, parts
from ludorum.analysis.samples import Samples, samples
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded, NotSeparable
from ludorum.findings import Slot
from ludorum.game import Game

# How many states say whether parts can be played each for its own sake: at least so many, more where matches are long,
# so that there are ends among them, and at most so many. To find them takes a part of the budget.
_LEAST_STATES, _STATES_A_STEP, _MOST_STATES = 20_000, 1_000, 200_000
_SHARE = 0.5
# Random matches that show how long matches are.
_MATCHES, _LONGEST = 64, 1_000


def take_apart(game: Game, budget: Budget | None = None) -> Parts | Absent:
    """The parts of a game, to be played each for its own sake; or why it is played as a whole, in a sentence.

    A game remembers what was found, but not that the budget was too small.
    """
    budget = budget or Budget(WORK)
    try:
        return game.findings.find(_PARTS, budget, lambda _: (_taken_apart(game, budget), True))
    except BudgetExceeded as error:
        return Absent(str(error))


_PARTS: Slot[Parts | Absent] = Slot("parts")


def _taken_apart(game: Game, budget: Budget) -> Parts | Absent:
    found = decompose(game, budget)
    if isinstance(found, Factors):
        if found.why == NOT_IN_TIME:
            raise BudgetExceeded(f"parts of {game.name} were {NOT_IN_TIME}")
        return Absent(str(found))
    if found.factors.combination != "product":
        return Absent("its parts are played one at a time")
    try:
        return parts(game, found, find_ending(found, _states(game, budget)), budget)
    except NotSeparable as reason:
        return Absent(str(reason))


def _states(game: Game, budget: Budget) -> Samples:
    length = float(game.playouts(_MATCHES, max_steps=_LONGEST).lengths.mean())
    count = min(_MOST_STATES, max(_LEAST_STATES, int(_STATES_A_STEP * length)))
    return samples(game, count, budget=budget.share(_SHARE))
