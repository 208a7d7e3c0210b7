"""Games that are too large as a whole, but where everybody knows now and then what can follow: solved piece by piece.

Where it is common knowledge what can follow, what was seen before is of no more use. So the game from there is a stage
of its own, solved once for all ways that lead to it, and a stage ends where others begin, which are worth what they are
worth. If two players' goals have a constant sum this is the value of the whole game, and plans that are an equilibrium
of every stage are one of the whole.

In the literature: subgames of common knowledge; backward induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ludorum.analysis.idle import without_idle_moves
from ludorum.clock import NEVER, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.equilibrium import linear
from ludorum.equilibrium.solving import Equilibrium, plans_for, solve
from ludorum.equilibrium.tree import MOST_NODES, GameTree, History
from ludorum.errors import TooLarge
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.state import State

#: A game of more stages than this takes too long.
MOST_STAGES = 5_000


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the game: where it begins, how it is played, and which stages may follow."""

    state: State
    found: Equilibrium
    #: Where it ends but the game goes on, by what a role has done and been told since it began: the stage that follows.
    following: dict[Role, dict[History, int]]


@dataclass(frozen=True, slots=True)
class StagedEquilibrium:
    """Plans for all stages; the first is the beginning of the game."""

    stages: tuple[Stage, ...]

    @property
    def values(self) -> dict[Role, float]:
        """What every player gets on average."""
        return self.stages[0].found.values

    @property
    def best_replies(self) -> dict[Role, float]:
        """What every player would get if it alone did what is best in all stages."""
        return self.stages[0].found.best_replies

    @property
    def nash_conv(self) -> float:
        return self.stages[0].found.nash_conv

    @property
    def exploitability(self) -> float:
        return self.stages[0].found.exploitability

    @property
    def constant_sum(self) -> float | None:
        sums = [stage.found.constant_sum for stage in self.stages]
        return sums[0] if None not in sums and np.ptp(np.array(sums, dtype=np.float64)) < 1e-6 else None

    @property
    def is_optimal(self) -> bool:
        return len(self.values) == 1 or (len(self.values) == 2 and self.constant_sum is not None)

    @property
    def method(self) -> str:
        methods = dict.fromkeys(stage.found.method.partition(",")[0] for stage in self.stages)
        return f"{len(self.stages)} stages, {' and '.join(methods)}"

    @property
    def parts(self) -> tuple[tuple[State, Equilibrium], ...]:
        """Where each stage begins, and how it is played."""
        return tuple((stage.state, stage.found) for stage in self.stages)

    @property
    def nodes(self) -> int:
        return sum(stage.found.nodes for stage in self.stages)

    def follower(self, role: Role) -> Callable[[History], dict[Move, float] | None]:
        """Says how likely each move of a role is after what it has done and been told; None where it has no choice."""
        choices = [stage.found.choices(role) for stage in self.stages]

        def follow(history: History) -> dict[Move, float] | None:
            stage, begin = 0, 0
            for end in range(1, len(history) + 1):
                later = self.stages[stage].following[role].get(history[begin:end])
                if later is not None:
                    stage, begin = later, end
            return choices[stage].get(history[begin:])

        return follow


def solve_in_stages(game: Game, deadline: Deadline = NEVER, *, nodes: int = MOST_NODES) -> StagedEquilibrium:
    """Plans for all stages of a game, the last solved first.

    Raises TooLarge if a stage, or all of them together, have too many nodes, or if it may come back to a stage.
    """
    return _Stages(without_idle_moves(game), deadline, nodes).solved()


def solve_small(game: Game, deadline: Deadline = NEVER, *, nodes: int = MOST_NODES) -> Equilibrium | StagedEquilibrium:
    """The game as a whole if it is small enough, else in stages; raises what both raise."""
    try:
        return solve(game, deadline, nodes=nodes)
    except TooLarge as whole:
        try:
            return solve_in_stages(game, deadline, nodes=nodes)
        except TooLarge as stages:
            raise TooLarge(f"{whole}; {stages}") from None


class _Stages:
    """Stages as they are found, each with the numbers of those that may follow."""

    def __init__(self, game: Game, deadline: Deadline, nodes: int) -> None:
        self._game, self._deadline, self._nodes = game, deadline, nodes
        self._trees: list[GameTree] = []
        self._starts: list[State] = []
        self._later: list[list[int]] = []
        self._numbers: dict[bytes, int] = {}

    def solved(self) -> StagedEquilibrium:
        self._grow(self._game.initial)
        grown = 0
        while grown < len(self._trees):
            self._find_following(grown)
            grown += 1
        found: dict[int, Equilibrium] = {}
        for number in self._last_first():
            found[number] = self._solve(number, found)
        return StagedEquilibrium(tuple(
            Stage(self._starts[number], found[number], {role: self._histories(number, role)
                                                        for role in self._trees[number].players})
            for number in range(len(self._trees))))

    def _grow(self, state: State) -> int:
        try:
            tree = GameTree.grow(self._game, nodes=self._nodes, seconds=min(self._deadline.remaining, 1e8), state=state,
                                 cuts=True)
        except TooLarge as error:
            raise TooLarge(f"nor in stages, with {len(self._trees)} of them seen: {error}") from None
        self._nodes -= tree.core.nodes
        self._trees.append(tree)
        self._starts.append(state)
        if len(self._trees) > MOST_STAGES or self._nodes <= 0 or self._deadline.passed:
            raise TooLarge(f"nor in stages: {len(self._trees)} of them were not all, with "
                           f"{sum(tree.core.nodes for tree in self._trees)} nodes")
        return len(self._trees) - 1

    def _find_following(self, number: int) -> None:
        assert isinstance(self._game.reasoner, Simulates)
        later = []
        for row, future in self._trees[number].core.cuts():
            if future not in self._numbers:
                self._numbers[future] = self._grow(State(self._game, row.tobytes()))
            later.append(self._numbers[future])
        self._later.append(later)

    def _last_first(self) -> Iterator[int]:
        """The stages, each after all that may follow it."""
        begun, done = set[int](), set[int]()
        waiting = [0]
        while waiting:
            number = waiting[-1]
            if number in done:
                waiting.pop()
                continue
            if number in begun:
                begun.remove(number)
                done.add(waiting.pop())
                yield number
                continue
            begun.add(number)
            for later in self._later[number]:
                if later in begun:
                    raise TooLarge("nor in stages: it may come back to where it was")
                if later not in done:
                    waiting.append(later)

    def _solve(self, number: int, found: dict[int, Equilibrium]) -> Equilibrium:
        tree, later = self._trees[number], self._later[number]
        players = tree.players
        tree.core.settle([[found[stage].values[role] for role in players] for stage in later])
        total = linear.constant_sum(tree)
        plans, method = plans_for(tree, total, self._deadline)
        values = tree.values(plans)
        # Who replies as well as it can does so in later stages too.
        tree.core.settle([[found[stage].best_replies[role] for role in players] for stage in later])
        return Equilibrium(tree, plans, values, tree.best_replies(plans), method, total)

    def _histories(self, number: int, role: Role) -> dict[History, int]:
        tree, later = self._trees[number], self._later[number]
        return {tree.history(role, view): later[cut] for view, cut in tree.core.cut_views(tree.players.index(role))}
