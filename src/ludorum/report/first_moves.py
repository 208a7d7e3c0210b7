"""The first moves of a game, as its evaluation and random play see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludorum.clock import Budget
from ludorum.evaluate import evaluation
from ludorum.game import Game
from ludorum.move import Move
from ludorum.report.estimate import Estimate
from ludorum.report.play import work_of_steps

_MOST_MOVES = 200
# So many matches from each tell the mean to within 1, whatever the goals are; fewer where the budget does not suffice.
_MOST_PLAYOUTS, _FEWEST_PLAYOUTS = 10_000, 100
_MAX_STEPS = 2_000


@dataclass(frozen=True)
class FirstMove:
    """A joint move of the initial state."""

    #: The moves of the roles that have a choice, or of all if none has.
    moves: Mapping[str, Move]
    #: For every role what the evaluation says of the state after it, from 0 to 100.
    values: Mapping[str, float]
    #: For every role the mean goal of random matches from there; None if that was too much work or was never defined.
    goals: Mapping[str, Estimate | None]

    def to_json(self) -> dict[str, Any]:
        return {"moves": {role: str(move) for role, move in self.moves.items()}, "evaluation": dict(self.values),
                "mean_goals": {role: None if goal is None else goal.mean for role, goal in self.goals.items()},
                "margins": {role: None if goal is None else goal.margin for role, goal in self.goals.items()}}


def first_moves(game: Game, *, seed: int, budget: Budget) -> tuple[FirstMove, ...]:
    """The joint moves of the initial state, the best for the first role that has a choice first.

    Raises NoCircuit, and TooSlow where the budget is used up.
    """
    evaluated = evaluation(game, budget=budget)
    successors = game.expand(limit=_MOST_MOVES)
    if not successors:
        return ()
    choosing = [role for role in game.roles if len(game.initial.legal(role)) > 1] or list(game.roles)
    values = evaluated.of(state for _, state in successors)
    playouts = _affordable(game, len(successors), seed, budget)
    found = []
    for (joint, state), of_roles in zip(successors, values, strict=True):
        goals: dict[str, Estimate | None] = dict.fromkeys(game.roles)
        if not budget.passed:
            played = game.playouts(playouts, state, seed=seed, max_steps=_MAX_STEPS)
            budget.spend(work_of_steps(game, played.states))
            for number, role in enumerate(game.roles):
                goals[role] = Estimate.of(played.goals[played.goals[:, number] >= 0, number])
        by_role = dict(zip(game.roles, joint, strict=True))
        found.append(FirstMove({role: by_role[role] for role in choosing},
                               dict(zip(game.roles, map(float, of_roles), strict=True)), goals))
    return tuple(sorted(found, key=lambda move: -move.values[choosing[0]]))


def _affordable(game: Game, moves: int, seed: int, budget: Budget) -> int:
    """How many matches can be played from each of so many moves."""
    trial = game.playouts(_FEWEST_PLAYOUTS, seed=seed, max_steps=_MAX_STEPS)
    each = work_of_steps(game, trial.states) / _FEWEST_PLAYOUTS
    budget.spend(each * _FEWEST_PLAYOUTS)
    return int(min(_MOST_PLAYOUTS, max(_FEWEST_PLAYOUTS, budget.work / max(1e-9, moves * each))))
