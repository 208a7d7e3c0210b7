"""What a solver hands back: a plan, what it is worth, whether more is possible, and how it was found."""

from __future__ import annotations

from dataclasses import dataclass

from ludorum.errors import LudorumError, WrongPlan
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.state import State


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves of the only role to the end of the game, and the goal value there."""

    goal: int
    moves: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one method did."""

    method: str
    seconds: float
    #: The goal value of its best plan, None if it found none.
    goal: int | None
    #: How it ended, in a few words.
    outcome: str


@dataclass(frozen=True, slots=True)
class Solution:
    """The best plan that was found.

    `proved` says that no play reaches a higher goal value: it is the highest of the rules, or whatever could be better
    was searched or refuted. A game that never ends has no plan: its `goal` is None.
    """

    goal: int | None
    plan: tuple[Move, ...]
    proved: bool
    #: The method that found the plan; of those that found none, the one that proved that there is none.
    method: str
    seconds: float
    tried: tuple[Attempt, ...]


def check(state: State, plan: Plan) -> None:
    """Replays a plan by the rules of the game; raises WrongPlan if it is not worth what it claims."""
    (role,) = state.game.roles
    try:
        for move in plan.moves:
            state = state.after({role: move})
    except LudorumError as error:
        raise WrongPlan(f"a plan for {state.game.name} fails: {error}") from error
    if not state.is_terminal:
        raise WrongPlan(f"a plan for {state.game.name} stops before the game ends")
    if (state.goals[role] or 0) != plan.goal:
        raise WrongPlan(f"a plan for {state.game.name} reaches {state.goals[role]} instead of {plan.goal}")
