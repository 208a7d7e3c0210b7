"""What a small game is worth: exact values by role, found by searching until nothing is left open."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.reason.abilities import Simulates
from ludorum.search.minimax import Found, Minimax
from ludorum.search.plain import Plain
from ludorum.state import State


@dataclass(frozen=True, slots=True)
class Values:
    """What a state is worth to every role if all play as well as can be."""

    values: dict[Role, float]
    #: Joint moves to the end of the game that bring these values.
    principal_variation: tuple[dict[Role, Move], ...]
    #: "alpha-beta", "single-player" or "max^n".
    method: str
    #: What the values rest on beside the rules, in sentences; empty where they are beyond doubt.
    assumes: tuple[str, ...]
    states: int
    seconds: float


def solve_values(game: Game, deadline: Deadline = NEVER, *, state: State | None = None,
                 constant_sum: bool | None = None, table_mb: int = 256) -> Values | None:
    """The values of a state (the initial one if none is given), or None if they are not proved before the deadline.

    With two roles and `constant_sum` not known, that the goals have a constant sum is an assumption that `assumes`
    tells unless a counterexample turns up. For roles that move at once the value is that of the game where they
    choose one after the other, which is not the value of the game itself; `assumes` says so.
    """
    begin = time.monotonic()
    state = state or game.initial
    search = _Search(game, constant_sum, table_mb)
    found = first = search(state, deadline)
    if not found.is_proved:
        return None
    line = []
    states = found.states
    # Every step is solved anew, which the table makes short: it may have lost a part of the line.
    while found.principal_variation:
        line.append(found.principal_variation[0])
        state = state.after(line[-1])
        found = search(state, deadline)
        states += found.states
        if not found.is_proved:
            return None
    values = {role: 0.0 if value is None else value for role, value in first.values.items()}
    return Values(values, tuple(line), first.method, first.assumes, states, time.monotonic() - begin)


class _Search:
    """By the core if the engine has a part in it, else step by step."""

    def __init__(self, game: Game, constant_sum: bool | None, table_mb: int) -> None:
        self._core: Minimax | None = None
        if isinstance(game.reasoner, Simulates):
            # Only the ends count, so nothing is spent on estimates.
            self._core = Minimax(game, constant_sum=constant_sum, goals=0, mobility=0, table_mb=table_mb)

    def __call__(self, state: State, deadline: Deadline) -> Found:
        if self._core is not None:
            return self._core.search(state, deadline=deadline)
        return Plain(state, state.game.roles[0]).search(deadline=deadline)
