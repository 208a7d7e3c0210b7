"""Rare ends: a match to an end that random play meets with only now and then.

Playouts tell how they end, but not by which moves, and there may be a hundred ordinary ends for one of the kind that is
looked for. So they start late in matches that are known, where they are short and often differ in nothing but the end;
and where some end as wanted, the state is followed by those of its successors from which they still do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.proof import JointMove
from ludorum.clock import Budget
from ludorum.engines.playouts import Outcome
from ludorum.game import Game
from ludorum.state import State

#: For the goals of ends, int16 [ends, roles], which of them are wanted.
Wanted = Callable[[NDArray[np.int16]], NDArray[np.bool_]]

# So many steps before the end of a match that is known, so many playouts.
_BEFORE_THE_END = (4, 8, 16)
_PLAYOUTS = 64
_MOST_SUCCESSORS = 1_000
_MAX_STEPS = 1_000
# The work of a step of a playout in a game that is too large for a circuit.
_A_STEP = 1e-3


def reach_rare_outcome(game: Game, matches: Iterable[tuple[JointMove, ...]], wanted: Wanted,
           budget: Budget) -> tuple[JointMove, ...] | None:
    """A match that ends with goals that are wanted, if one is found near the ends of these matches with the budget."""
    pursuit = _Pursuit(game, wanted, budget)
    for match in matches:
        for steps in _BEFORE_THE_END:
            if budget.passed:
                return None
            start = match[: max(0, len(match) - steps)]
            found = pursuit.follow(start)
            if found is not None:
                return found
    return None


class _Pursuit:
    def __init__(self, game: Game, wanted: Wanted, budget: Budget) -> None:
        self._game = game
        self._wanted = wanted
        self._budget = budget
        self._random = Random(0)
        self._seeds = count()

    def follow(self, moves: tuple[JointMove, ...]) -> tuple[JointMove, ...] | None:
        """The moves and those that lead on from there to an end that is wanted."""
        state = self._game.replay(moves)
        if not self._is_near(state):
            return None
        while not state.is_terminal:
            successors = self._game.expand(state, limit=_MOST_SUCCESSORS)
            self._random.shuffle(successors)
            for joint, later in successors:
                if self._budget.passed:
                    return None
                if self._is_near(later):
                    state, moves = later, (*moves, joint)
                    break
            else:
                # It was so rare that nobody came across it again.
                return None
        return moves

    def _is_near(self, state: State) -> bool:
        """Whether the state is such an end, or random play met with one from there."""
        if state.is_terminal:
            goals = [-1 if goal is None else goal for goal in state.goals.values()]
            return bool(self._wanted(np.array([goals], dtype=np.int16))[0])
        ends = self._game.playouts(_PLAYOUTS, state, seed=next(self._seeds), max_steps=_MAX_STEPS)
        self._budget.spend(_A_STEP * ends.states)
        return bool((self._wanted(ends.goals) & (ends.outcomes == Outcome.FINISHED)).any())
