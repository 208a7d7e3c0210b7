"""What players find out about a game before the first move, in a part of the time that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.clock import Deadline
from ludorum.errors import BudgetExceeded, NoCircuit
from ludorum.game import Game

if TYPE_CHECKING:
    from ludorum.analysis.factors import Parts
    from ludorum.analysis.invariants import Invariants
    from ludorum.analysis.symmetry import Symmetries
    from ludorum.evaluate import EvaluationSettings, StateEvaluation

# A start clock of more than these seconds has time to look for symmetries: this part of it, and no more than so many.
# For factors any time will do, since most games are soon known to have none.
_LONG_CLOCK, _SHARE, _MOST_SECONDS = 2.0, 0.25, 10.0
# How long looking for factors may take where there is no clock.
_UNHURRIED = 60.0
# And to prove something about the game: that part, and no more than so many.
_PROVING, _MOST_PROVING = 0.15, 5.0
# Of the time before the first move, or of the first move where there is none before it, the most that the evaluation
# may take; the search has the rest.
_PART = 0.5


def symmetries_in_time(game: Game, deadline: Deadline) -> Symmetries | None:
    """The symmetries of a game, looked for in a part of a start clock; None if there is none, or it is short."""
    if deadline.at is None or deadline.remaining <= _LONG_CLOCK:
        return None
    # Not before it is needed: importing players must not take as long as importing NumPy.
    from ludorum.analysis.symmetry import find_symmetries

    return find_symmetries(game, seconds=min(_MOST_SECONDS, _SHARE * deadline.remaining))


def factoring_deadline(deadline: Deadline) -> Deadline:
    """By when it must be known whether a game is really several games."""
    if deadline.at is None:
        return Deadline.within(_UNHURRIED)
    return deadline.or_within(min(_MOST_SECONDS, _SHARE * max(0.0, deadline.remaining)))


def parts_in_time(game: Game, deadline: Deadline) -> Parts | str:
    """The parts of a game that is really several, found in a part of the time; or why it is played as a whole."""
    from ludorum.analysis.factors import take_apart

    return take_apart(game, seconds=None, deadline=factoring_deadline(deadline))


def invariants_in_time(game: Game, deadline: Deadline) -> Invariants | None:
    """What is known to hold always, or can be proved in a part of a start clock; None if there is none, or it is short.

    A game remembers it for all who play it.
    """
    if game.invariants is not None or deadline.at is None or deadline.remaining <= _LONG_CLOCK:
        return game.invariants
    from ludorum.analysis.invariants import invariants

    return game.remembered("invariants", lambda: invariants(
        game, seconds=min(_MOST_PROVING, _PROVING * deadline.remaining)))


def evaluation_in_time(game: Game, deadline: Deadline, settings: EvaluationSettings | None = None,
                       invariants: Invariants | None = None) -> StateEvaluation | str:
    """What the rules say of states, made in a part of the time; or why there is none, in one sentence."""
    from ludorum.evaluate import evaluation

    try:
        return evaluation(game, settings, invariants=invariants,
                          deadline=deadline if deadline.at is None else deadline.or_within(_PART * deadline.remaining))
    except (NoCircuit, BudgetExceeded) as error:
        return str(error)


def worths_in_time(game: Game, deadline: Deadline) -> StateEvaluation | str:
    """What states are worth by the fluents that hold there, found in a part of the time; or why that is not known."""
    from ludorum.evaluate import EvaluationSettings

    return evaluation_in_time(game, deadline, EvaluationSettings(goals=0, fluents=1))
