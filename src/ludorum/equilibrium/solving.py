"""What a small game with secrets is worth when everybody plays well, and how that is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum._core import RegretMatching
from ludorum.analysis.idle import without_idle_moves
from ludorum.clock import NEVER, Deadline
from ludorum.equilibrium import linear, pure
from ludorum.equilibrium.tree import MOST_NODES, GameTree, History, Plans
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.state import State

#: Regret matching ends when all players together could gain no more than this many points.
NASH_CONV = 1e-3
# It is asked for that after so many rounds, then twice as many, and so on; and ends after the most in any case.
_FIRST_ROUNDS, _MOST_ROUNDS = 128, 1 << 20
# After so many rounds the kind of regret matching that leaves more to gain is given up: which depends on the game.
_TRIAL_ROUNDS = 256
# With less time than this there is none for a linear program, whose solver takes long to load.
_LINEAR_MIN_S = 3.0
# The part of the time in which replies to replies have to come to an end.
_PURE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Plans of all players, what they are worth, and how much could be gained by leaving them."""

    tree: GameTree
    plans: Plans
    values: dict[Role, float]
    best_replies: dict[Role, float]
    method: str
    #: What the goals of the players add up to in every match, None if that differs.
    constant_sum: float | None

    @property
    def nash_conv(self) -> float:
        """How much all players together would gain if each alone changed to a best reply."""
        return max(0.0, sum(self.best_replies[role] - value for role, value in self.values.items()))

    @property
    def exploitability(self) -> float:
        """How much a player gains on average by changing to a best reply."""
        return self.nash_conv / len(self.values)

    @property
    def parts(self) -> tuple[tuple[State, Equilibrium], ...]:
        """Where each part of the solution begins, and the part: here one, the whole."""
        return ((self.tree.game.initial, self),)

    def choices(self, role: Role) -> dict[History, dict[Move, float]]:
        """How likely each move of a role is, by what it has done and been told, wherever it has a choice."""
        sets = self.tree.information_sets(role)
        plan = self.plans[self.tree.players.index(role)]
        return {info.history: parts for info, parts in zip(sets, self.tree.choices(role, plan), strict=True)}

    def follower(self, role: Role) -> Callable[[History], dict[Move, float] | None]:
        """Says how likely each move of a role is after what it has done and been told; None where it has no choice."""
        return self.choices(role).get

    @property
    def nodes(self) -> int:
        """How many nodes the game has."""
        return self.tree.core.nodes

    @property
    def is_optimal(self) -> bool:
        """Whether the values are those of optimal play: one player, or two with a constant sum."""
        return len(self.values) == 1 or (len(self.values) == 2 and self.constant_sum is not None)


def solve(game: Game, deadline: Deadline = NEVER, *, nodes: int = MOST_NODES) -> Equilibrium:
    """Plans against which nobody gains much.

    One player gets the best plan there is. Two whose goals have a constant sum get an equilibrium: by a linear program
    where it is small enough and SciPy is installed, else by regret matching. Others get an equilibrium without dice
    where replies to replies lead to one; else regret matching promises nothing, and what could be gained is told all
    the same. Of moves that come to the same only one is considered. Raises what `GameTree.grow` raises.
    """
    seconds = 1e8 if deadline.at is None else max(0.0, deadline.remaining)
    tree = GameTree.grow(without_idle_moves(game), nodes=nodes, seconds=seconds)
    total = linear.constant_sum(tree)
    plans, method = plans_for(tree, total, deadline)
    return Equilibrium(tree, plans, tree.values(plans), tree.best_replies(plans), method, total)


def plans_for(tree: GameTree, total: float | None, deadline: Deadline) -> tuple[list[NDArray[np.float64]], str]:
    """Plans of all players, and how they were found; `total`: what goals add up to, None if that differs."""
    if len(tree.players) == 1:
        return [tree.core.best_reply(0, list(tree.uniform()))[1]], "dynamic programming"
    sequences = sum(len(tree.core.moves(player)) for player in range(len(tree.players)))
    if len(tree.players) == 2 and total is not None and sequences <= linear.MOST_SEQUENCES \
            and linear.is_available() and deadline.remaining >= _LINEAR_MIN_S:
        found = linear.equilibrium(tree, 1e6 if deadline.at is None else deadline.remaining / 2)
        if found is not None:
            return found, "linear program"
    if total is None or len(tree.players) > 2:
        settled = pure.equilibrium(tree, deadline.part(_PURE_SHARE))
        if settled is not None:
            return settled, "best replies"
    return _by_regrets(tree, deadline)


def _by_regrets(tree: GameTree, deadline: Deadline) -> tuple[list[NDArray[np.float64]], str]:
    """Plans that leave little to gain; after the first rounds by the kind of regret matching that leaves less."""
    kinds = {"CFR+": RegretMatching(tree.core), "PCFR+": RegretMatching(tree.core, predictive=True)}
    rounds = _FIRST_ROUNDS
    while True:
        gains = {}
        for name, regrets in kinds.items():
            regrets.run(rounds - regrets.rounds)
            gains[name] = tree.nash_conv(regrets.average())
        best = min(gains, key=gains.__getitem__)
        if gains[best] <= NASH_CONV or rounds >= _MOST_ROUNDS or deadline.passed:
            return kinds[best].average(), f"{best}, {kinds[best].rounds} rounds"
        if rounds >= _TRIAL_ROUNDS:
            kinds = {best: kinds[best]}
        rounds *= 2
