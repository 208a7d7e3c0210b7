"""What random play shows of a game: how long matches last, how many moves there are, what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples, samples
from ludorum.clock import Budget
from ludorum.engines.playouts import Outcome
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.report.estimate import Estimate

# So many tell the mean of a goal to within 1.
_MOST_PLAYOUTS = 10_000
_FIRST_PLAYOUTS = 16
_MORE = 8
_MAX_STEPS = 2_000
_FEWEST = 8
# The work of a step: with a circuit, for every input of its gates, and without one.
_A_STEP, _AN_INPUT, _A_STEP_OF_RELATIONS = 1e-8, 4e-12, 1e-3


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
    goals: Mapping[str, Estimate | None]
    #: For every role how many matches that finished gave it no goal, or several: they count for nothing in the means.
    undefined: Mapping[str, int]
    #: For every role the steps, from 1, at which it had a choice in at least a few matches, each with the mean number
    #: of moves that it had to choose from.
    branching: Mapping[str, tuple[tuple[int, float], ...]]
    #: For every role the mean number of legal moves in states where it had a choice, 0 if it never had one.
    choices: Mapping[str, float]
    #: In what share of the states more than one role had a choice.
    together: float

    @property
    def missing_goals(self) -> str:
        """Which share of the matches that finished gave whom no goal, in a sentence; nothing if all had theirs."""
        told = [f"{role} in {count / max(1, self.finished):.1%}" for role, count in self.undefined.items() if count]
        at_the_end = f"no rule gives exactly one goal at the end: {', '.join(told)} of the matches that finished"
        return at_the_end if told else ""

    def to_json(self) -> dict[str, Any]:
        return {
            "playouts": self.playouts, "finished": self.finished, "stuck": self.stuck, "cut": self.cut,
            "mean_length": float(self.lengths.mean()), "shortest": int(self.lengths.min()),
            "longest": int(self.lengths.max()),
            "mean_goals": {role: None if goal is None else goal.mean for role, goal in self.goals.items()},
            "undefined_goals": dict(self.undefined),
            "branching_factor": dict(self.choices), "choices_together": self.together,
        }


def play(game: Game, *, seed: int, budget: Budget) -> Play:
    """Plays matches, many where they are quick and at least a few where they are slow."""
    # Before the samples, which are asked for more often and may take all there is.
    playing, n = budget.share(0.5), _FIRST_PLAYOUTS
    while True:
        found = game.playouts(n, seed=seed, max_steps=_MAX_STEPS)
        work = work_of_steps(game, found.states)
        playing.spend(work)
        if n == _MOST_PLAYOUTS or playing.work < _MORE * work or playing.is_late:
            break
        n = min(_MORE * n, _MOST_PLAYOUTS)
    seen = samples(game, budget=budget)
    finished, stuck, cut = (int((found.outcomes == outcome).sum())
                            for outcome in (Outcome.FINISHED, Outcome.STUCK, Outcome.CUT))
    ended = found.goals[found.outcomes == Outcome.FINISHED]
    goals: dict[str, Estimate | None] = {
        role: Estimate.of(ended[ended[:, number] >= 0, number]) for number, role in enumerate(game.roles)}
    undefined: dict[str, int] = {
        role: int((ended[:, number] < 0).sum()) for number, role in enumerate(game.roles) if role != RANDOM}
    going = np.flatnonzero(~seen.terminal[:-1])
    has_choice = seen.choices[going] > 1
    return Play(len(found.lengths), found.lengths, finished, stuck, cut, goals, undefined, _branching(game, seen),
                {role: _mean(seen.choices[going][has_choice[:, number], number])
                 for number, role in enumerate(game.roles)},
                float((has_choice.sum(axis=1) > 1).mean()) if len(going) else 0.0)


def work_of_steps(game: Game, steps: int) -> float:
    """The work of so many steps of random matches."""
    if game.engine == "circuit":
        return steps * (_A_STEP + _AN_INPUT * game.circuit.inputs)
    return steps * _A_STEP_OF_RELATIONS


def _branching(game: Game, seen: Samples) -> dict[str, tuple[tuple[int, float], ...]]:
    going = np.flatnonzero(~seen.terminal[:-1])
    found: dict[str, tuple[tuple[int, float], ...]] = {}
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
