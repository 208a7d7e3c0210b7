"""What an opponent can do at once, which players overlook who only try moves out or look one step ahead.

In the literature: decisive and anti-decisive moves (Teytaud, Teytaud 2010).
"""

from __future__ import annotations

from math import inf

from ludorum.clock import NEVER, Deadline
from ludorum.gdl.words import RANDOM
from ludorum.joint import goes_on
from ludorum.move import Role
from ludorum.state import State


def payoff(state: State, role: Role) -> float:
    """What the end of a game brings a role; where the rules do not say, nothing."""
    return float(state.goals[role] or 0)


def worst_reply(state: State, role: Role, *, limit: int, deadline: Deadline = NEVER) -> float:
    """The lowest goal that a reply of a single opponent ends the game with, infinite if none ends it.

    Of more replies than the limit the first are looked at.
    """
    if not goes_on(state):
        return inf
    deciding = state.choosers
    if len(deciding) > 1 or role in deciding or RANDOM in deciding:
        return inf
    worst = inf
    for _, reply in state.game.expand(state, limit=limit):
        if deadline.passed:
            break
        if not goes_on(reply):
            worst = min(worst, payoff(reply, role))
    return worst
