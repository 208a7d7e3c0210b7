"""The first moves of a game, as its evaluation and random play see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludorum.clock import Deadline
from ludorum.evaluate import evaluation
from ludorum.game import Game
from ludorum.move import Move, Role

_MOST_MOVES = 200
_PLAYOUTS = 100
_MAX_STEPS = 2_000


@dataclass(frozen=True)
class FirstMove:
    """A joint move of the initial state."""

    #: The moves of the roles that have a choice, or of all if none has.
    moves: Mapping[Role, Move]
    #: For every role what the evaluation says of the state after it, from 0 to 100.
    values: Mapping[Role, float]
    #: For every role the mean goal of random matches from there; None if that took too long or was never defined.
    goals: Mapping[Role, float | None]

    def to_json(self) -> dict[str, Any]:
        return {"moves": {role: str(move) for role, move in self.moves.items()}, "evaluation": dict(self.values),
                "mean_goals": dict(self.goals)}


def first_moves(game: Game, *, seed: int, deadline: Deadline) -> tuple[FirstMove, ...]:
    """The joint moves of the initial state, the best for the first role that has a choice first.

    Raises NoCircuit, and TooSlow at the deadline.
    """
    evaluated = evaluation(game, deadline=deadline)
    successors = game.expand(limit=_MOST_MOVES)
    if not successors:
        return ()
    choosing = [role for role in game.roles if len(game.initial.legal(role)) > 1] or list(game.roles)
    values = evaluated.of(state for _, state in successors)
    found = []
    for (joint, state), of_roles in zip(successors, values, strict=True):
        goals: dict[Role, float | None] = dict.fromkeys(game.roles)
        if not deadline.passed:
            ended = game.playouts(_PLAYOUTS, state, seed=seed, max_steps=_MAX_STEPS).goals
            for number, role in enumerate(game.roles):
                defined = ended[ended[:, number] >= 0, number]
                goals[role] = float(defined.mean()) if len(defined) else None
        by_role = dict(zip(game.roles, joint, strict=True))
        found.append(FirstMove({role: by_role[role] for role in choosing},
                               dict(zip(game.roles, map(float, of_roles), strict=True)), goals))
    return tuple(sorted(found, key=lambda move: -move.values[choosing[0]]))
