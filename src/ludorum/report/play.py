"""What random play shows of a game: how long matches last, how many moves there are, what they come to."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples, samples
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.move import Role
from ludorum.reason.playouts import Outcome

_MOST_PLAYOUTS = 2_000
_FIRST_PLAYOUTS = 16
_MORE = 8
_MAX_STEPS = 2_000
_FEWEST = 8


@dataclass(frozen=True, eq=False)
class Play:
    """Figures of random play from the initial state."""

    playouts: int
    #: int [playouts]
    lengths: NDArray[np.int32]
    finished: int
    stuck: int
    cut: int
    #: For every role the mean of its goals, None if none was defined.
    goals: Mapping[Role, float | None]
    #: For every role the steps, from 1, at which it had a choice in at least a few matches, each with the mean number
    #: of moves that it had to choose from.
    branching: Mapping[Role, tuple[tuple[int, float], ...]]
    #: For every role the mean number of legal moves in states where it had a choice, 0 if it never had one.
    choices: Mapping[Role, float]
    #: In what share of the states more than one role had a choice.
    together: float

    def to_json(self) -> dict[str, Any]:
        return {
            "playouts": self.playouts, "finished": self.finished, "stuck": self.stuck, "cut": self.cut,
            "mean_length": float(self.lengths.mean()), "shortest": int(self.lengths.min()),
            "longest": int(self.lengths.max()), "mean_goals": dict(self.goals),
            "branching_factor": dict(self.choices), "choices_together": self.together,
        }


def play(game: Game, *, seed: int, deadline: Deadline) -> Play:
    """Plays matches, many where they are quick and at least a few where they are slow."""
    seen = samples(game, seconds=max(0.1, min(1.0, deadline.remaining / 3)))
    n = _FIRST_PLAYOUTS
    while True:
        start = time.monotonic()
        found = game.playouts(n, seed=seed, max_steps=_MAX_STEPS)
        if n == _MOST_PLAYOUTS or _MORE * (time.monotonic() - start) > deadline.remaining:
            break
        n = min(_MORE * n, _MOST_PLAYOUTS)
    finished, stuck, cut = (int((found.outcomes == outcome).sum())
                            for outcome in (Outcome.FINISHED, Outcome.STUCK, Outcome.CUT))
    goals: dict[Role, float | None] = {}
    for number, role in enumerate(game.roles):
        defined = found.goals[:, number][found.goals[:, number] >= 0]
        goals[role] = float(defined.mean()) if len(defined) else None
    going = np.flatnonzero(~seen.terminal[:-1])
    has_choice = seen.choices[going] > 1
    return Play(len(found.lengths), found.lengths, finished, stuck, cut, goals, _branching(game, seen),
                {role: _mean(seen.choices[going][has_choice[:, number], number])
                 for number, role in enumerate(game.roles)},
                float((has_choice.sum(axis=1) > 1).mean()) if len(going) else 0.0)


def _branching(game: Game, seen: Samples) -> dict[Role, tuple[tuple[int, float], ...]]:
    going = np.flatnonzero(~seen.terminal[:-1])
    found = {}
    for number, role in enumerate(game.roles):
        choices = seen.choices[going, number]
        # Whoever waits for the others to move has nothing to choose from.
        steps, choices = seen.steps[going][choices > 1], choices[choices > 1]
        counts, sums = np.bincount(steps), np.bincount(steps, weights=choices)
        # All matches begin in one state, but later the means of a handful of them would only be noise.
        told = [step for step in np.flatnonzero(counts).tolist() if step == 0 or counts[step] >= _FEWEST]
        found[role] = tuple((step + 1, float(sums[step] / counts[step])) for step in told)
    return found


def _mean(values: NDArray[np.int32]) -> float:
    return float(values.mean()) if len(values) else 0.0
