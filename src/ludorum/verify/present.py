"""What a role knows now, in the middle of a match: by its own moves and what it was told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from ludorum.belief import Belief
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.verify.formulas import Formula, roles_that_know
from ludorum.verify.points import Points, points
from ludorum.verify.strategies import surely
from ludorum.verify.truth import Evaluation, memory_of
from ludorum.verify.twins import one_moment
from ludorum.verify.vocabulary import resolve
from ludorum.verify.world import world

#: It knows that it is so; that it is not; neither; or that cannot be told.
Answer = Literal["so", "not so", "not known", "unknown"]
#: A turn as a role knows it: its move, and what it was told.
Turns = Sequence[tuple[Move, Collection[Term]]]

_MOST_POINTS = 200_000


def known_now(game: Game, role: str, belief: Belief, formula: str | Formula, *, budget: Budget | None = None) -> Answer:
    """Whether a role, which believes this, knows that a formula holds now, or knows that it does not.

    Of the state itself the belief tells. What others know, and what may come, takes all points of the game, which may
    be too many: then it is `unknown`. Raises InvalidFormula.
    """
    asked = resolve(formula, game)
    budget = budget or Budget(5.0)
    try:
        if one_moment(asked) and not roles_that_know(asked) and not memory_of(asked):
            return _in_states(game, belief, asked)
        return _at_points(game, role, belief.history, asked, budget)
    except BudgetExceeded:
        return "unknown"


def _in_states(game: Game, belief: Belief, asked: Formula) -> Answer:
    """By the states that are possible; a sample of them can only show that something is not known."""
    here = world(game)
    rows = belief.thinned(len(belief))[0]
    count = len(rows)
    place = np.arange(count)
    nothing = np.zeros((count, 0), dtype=np.int64)
    found = Points(here, (), (), rows, place, nothing.astype(bool), nothing, place[:0], place[:0], place, nothing)
    held = Evaluation(found, Budget()).holds(asked)
    if held.any() and not held.all():
        return "not known"
    if not belief.is_exact or not belief.is_consistent:
        return "unknown"
    return "so" if held.all() else "not so"


def _at_points(game: Game, role: str, history: Turns | None, asked: Formula, budget: Budget) -> Answer:
    """By all points of the game: those that look to the role like the present one."""
    if history is None:
        return "unknown"
    roles = list(map(str, game.roles))
    seat = roles.index(role)
    seats = sorted({seat, *(roles.index(other) for other in roles_that_know(asked))})
    # What comes later matters to formulas of time alone.
    depth = None if not one_moment(asked) else len(history)
    every = points(world(game), seats, memory_of(asked), budget, most=_MOST_POINTS, depth=depth, labelled=True)
    now = _following(every, seat, history)
    held = Evaluation(every, budget, surely).holds(asked)[now]
    return "so" if held.all() else "not known" if held.any() else "not so"


def _following(every: Points, seat: int, history: Turns) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The points that look to a role as its moves and percepts say."""
    column, width = every.seats.index(seat), len(every.seats)
    now = np.zeros(1, dtype=np.int64)
    for move, percepts in history:
        assert every.labels is not None
        number = every.world.number(seat, move.term)
        told = every.world.percept_row(seat, percepts)
        heard = {row: place for place, row in enumerate(every.heard)}.get(np.ascontiguousarray(told[0]).tobytes(), -1)
        fits = (np.isin(every.origins, now) & (every.labels[:, column] == number)
                & (every.labels[:, 2 * width + column] == heard))
        now = np.unique(every.targets[fits])
        if not len(now):
            raise BudgetExceeded("what was told cannot be")
    return now
