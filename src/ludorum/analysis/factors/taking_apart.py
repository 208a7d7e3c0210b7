"""From a game to the games that can be played instead of it."""

from __future__ import annotations

from ludorum.analysis.factors.ending import NotSeparable, find_ending
from ludorum.analysis.factors.factors import Factors
from ludorum.analysis.factors.finding import NOT_IN_TIME, decompose
from ludorum.analysis.factors.parts import Parts, parts
from ludorum.analysis.samples import Samples, samples
from ludorum.clock import NEVER, Deadline
from ludorum.errors import BudgetExceeded
from ludorum.game import Game

# How many states say whether parts can be played each for its own sake: at least so many, more where matches are long,
# so that there are ends among them, and at most so many. To find them takes a part of the time, and no more than so
# many seconds.
_LEAST_STATES, _STATES_A_STEP, _MOST_STATES = 20_000, 1_000, 200_000
_SHARE, _MOST_SECONDS = 0.5, 5.0
# Random matches that show how long matches are.
_MATCHES, _LONGEST = 64, 1_000


def take_apart(game: Game, *, seconds: float | None = 10.0, deadline: Deadline = NEVER) -> Parts | str:
    """The parts of a game, to be played each for its own sake; or why it is played as a whole, in a sentence.

    A game remembers what was found, but not that there was too little time.
    """
    deadline = deadline.or_within(seconds)
    try:
        found: Parts | str = game.remembered("taken apart", lambda: _taken_apart(game, deadline))
    except BudgetExceeded as error:
        return str(error)
    return found


def _taken_apart(game: Game, deadline: Deadline) -> Parts | str:
    found = decompose(game, deadline=deadline)
    if isinstance(found, Factors):
        if found.why == NOT_IN_TIME:
            raise BudgetExceeded(f"parts of {game.name} were {NOT_IN_TIME}")
        return str(found)
    if found.factors.combination != "product":
        return "its parts are played one at a time"
    try:
        return parts(game, found, find_ending(found, _states(game, deadline)), deadline)
    except NotSeparable as reason:
        return str(reason)


def _states(game: Game, deadline: Deadline) -> Samples:
    length = float(game.playouts(_MATCHES, max_steps=_LONGEST).lengths.mean())
    count = min(_MOST_STATES, max(_LEAST_STATES, int(_STATES_A_STEP * length)))
    return samples(game, count, seconds=min(_MOST_SECONDS, _SHARE * max(0.0, deadline.remaining)))
