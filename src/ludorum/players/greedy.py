"""The player that looks one step ahead."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf

from ludorum.clock import NEVER, Deadline, now
from ludorum.gdl.words import RANDOM
from ludorum.joint import goes_on
from ludorum.move import Move, Role
from ludorum.players.replies import payoff, worst_reply
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

# Where there are more joint moves than this, looking at each would cost more than it helps.
_MAX_JOINT_MOVES = 4096


@dataclass(slots=True)
class _Prospect:
    """What a move leads to: the mean over what the others may do at the same time."""

    total: float = 0.0
    count: int = 0
    #: The worst that an opponent can do to us by ending the game with the next move.
    ceiling: float = inf
    #: Whether every successor is the end of the game.
    is_certain: bool = True

    @property
    def value(self) -> float:
        return min(self.total / self.count, self.ceiling)


class Greedy:
    """Makes the move with the best state after it.

    The end of the game is worth its goal; other states the goal value that holds, if any, and mobility, by their
    weights. It takes a win that one move brings, and leaves a move to which a single opponent has a reply that ends
    the game badly. Ties are broken by the seed.
    """

    def __init__(self, *, goals: float = 1.0, mobility: float = 1.0, seed: int | None = None) -> None:
        if goals < 0 or mobility < 0:
            raise ValueError("weights cannot be less than 0")
        self._goals = goals
        self._mobility = mobility
        self._seed = seed
        self._random = random.Random(seed)
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        begin = now()
        role = state.game.role(role)
        prospects = self._prospects(state, role, deadline)
        if not prospects:
            self._info = SearchInfo(method="greedy")
            return self._random.choice(state.legal(role))
        best = max(prospect.value for prospect in prospects.values())
        # Sorted, so that the seed alone decides.
        move = self._random.choice(sorted(move for move, prospect in prospects.items() if prospect.value == best))
        self._info = SearchInfo(
            values={move: prospect.value for move, prospect in prospects.items()},
            proved=frozenset(move for move, prospect in prospects.items() if prospect.is_certain),
            principal_variation=({role: move},), method="greedy",
            states=sum(prospect.count for prospect in prospects.values()), depth=1, seconds=now() - begin)
        return move

    def _prospects(self, state: State, role: Role, deadline: Deadline) -> dict[Move, _Prospect]:
        number = state.game.roles.index(role)
        prospects: dict[Move, _Prospect] = {}
        successors = state.game.expand(state, limit=_MAX_JOINT_MOVES)
        self._random.shuffle(successors)
        for joint, successor in successors:
            if deadline.passed:
                break
            prospect = prospects.setdefault(joint[number], _Prospect())
            prospect.count += 1
            if not goes_on(successor):
                prospect.total += payoff(successor, role)
            else:
                prospect.total += self._estimate(successor, role)
                prospect.is_certain = False
        for prospect, successor in [(prospects[joint[number]], successor) for joint, successor in successors
                                    if joint[number] in prospects]:
            if deadline.passed:
                break
            worst = worst_reply(successor, role, limit=_MAX_JOINT_MOVES, deadline=deadline)
            prospect.ceiling = min(prospect.ceiling, worst)
        return prospects

    def _estimate(self, state: State, role: Role) -> float:
        """From just above 0 to just below 100, so that an end that is won or lost counts more."""
        goal = state.goals[role]
        own = len(state.legal(role))
        others = [len(state.legal(other)) for other in state.game.roles if other not in (role, RANDOM)]
        theirs = sum(others) / len(others) if others else own
        weighted = self._goals * (goal or 0) + self._mobility * (50 + 50 * (own - theirs) / (own + theirs))
        weights = self._goals + self._mobility
        return min(max(weighted / weights if weights else 50.0, 1.0), 99.0)

    def __repr__(self) -> str:
        return "Greedy()" if self._seed is None else f"Greedy(seed={self._seed})"
