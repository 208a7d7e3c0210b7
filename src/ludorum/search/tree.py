"""Monte-Carlo tree search, in the core: what it is told, and what it says.

In the literature: UCT (Kocsis, Szepesvári 2006); proved values as MCTS-Solver (Winands, Björnsson, Saito 2008) with
bounds (Cazenave, Saffidine 2010).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ludorum import _core
from ludorum.clock import NEVER, Deadline
from ludorum.engines.abilities import RunsInLanes, Simulates
from ludorum.engines.protocol import Position
from ludorum.errors import GameOver, LudorumError, NoLegalMove
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.move import Move, Role
from ludorum.search.canonicalization import core_symmetries
from ludorum.search.evaluation import Evaluation, adapted
from ludorum.search.minimax import survey_walks
from ludorum.search.result import MoveResult
from ludorum.search.settings import TreeSettings
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation as CoreEvaluation
    from ludorum.analysis.symmetry import Symmetries

# How long random walks may look at a game to learn how many moves are usual in it: with a seed so long that they end,
# for then the same must be found again, but no more than this part of the time that there is.
_SURVEY_MAX_S, _SURVEY_SEEDED_MAX_S, _SURVEY_SHARE = 0.05, 10.0, 0.25


@dataclass(frozen=True, slots=True)
class TreeResult:
    """What a search knows of a state, at any time."""

    state: State
    #: For every role that has a choice its moves.
    moves: dict[str, dict[Move, MoveResult]]
    #: What is proved of the goals of the state, if everybody plays for their own.
    lower: dict[str, float]
    upper: dict[str, float]
    #: The joint moves that are expected.
    principal_variation: tuple[dict[str, Move], ...]
    #: Whether nothing is left to find out about the choice.
    is_solved: bool
    visits: int
    playouts: int
    #: Joint moves that were made in them.
    steps: int
    nodes: int
    memory_mb: float
    #: The part of the lanes' steps that were of use.
    utilisation: float
    deepest: int

    def best(self, role: str) -> Move:
        """The move to make: what is proved best, else what was tried most, unless a proved value is better."""
        moves = self.moves[role]
        certain = max((found.lower for found in moves.values()), default=0.0)
        # What cannot be better than a certain value is out of the question.
        open_moves = {move: found for move, found in moves.items()
                      if not found.is_proved and found.upper > certain}
        sure = [move for move, found in moves.items() if found.lower == certain and (found.is_proved or certain)]
        tried = max(open_moves, key=lambda move: (open_moves[move].visits, open_moves[move].value), default=None)
        if tried is None or (sure and certain >= open_moves[tried].value):
            return max(sure or moves, key=lambda move: (moves[move].is_proved, moves[move].visits))
        return tried

    def proved_best(self, role: Role) -> list[Move]:
        """The moves that are proved to be as good as any; none if that is not certain."""
        moves = self.moves[role]
        certain = max((found.lower for found in moves.values()), default=0.0)
        if any(found.upper > certain for found in moves.values()):
            return []
        return [move for move, found in moves.items() if found.lower == certain]


class TreeSearch:
    """Monte-Carlo tree search in a game; what it learns is kept from state to state.

        with TreeSearch(game, TreeSettings(seed=1)) as search:
            result = search.think(game.initial, playouts=10_000)

    `begin` lets it think in the background until `halt`; `result` can be asked meanwhile. The `evaluation` is what
    `prior_visits` and `cutoff` ask: one of `ludorum.evaluate`, a function of your own, or if none is given the mean of
    the goal values that hold now and of mobility. With the game's `symmetries`, states that they make of each other are
    one node; but not where moves have statistics of their own (RAVE and policies), which that would mix up. Raises
    LudorumError for a game whose engine has no part in the core.
    """

    def __init__(self, game: Game, settings: TreeSettings | None = None, *,
                 evaluation: Evaluation | CoreEvaluation | None = None, symmetries: Symmetries | None = None) -> None:
        if not isinstance(game.reasoner, Simulates):
            raise LudorumError(f"the {game.engine} engine of {game.name} cannot be searched in the core: {game.why}")
        self.game = game
        self._reasoner = game.reasoner
        self._settings = settings or TreeSettings()
        self._seed = random.getrandbits(63) if self._settings.seed is None else self._settings.seed
        self._symmetries = None if self._settings.has_statistics else core_symmetries(symmetries)
        self._evaluation = None if evaluation is None else adapted(evaluation, game)
        self._core: _core.TreeSearch | None = None
        self._simulator: _core.Simulator | None = None
        self._root: State | None = None

    def think(self, state: State, *, playouts: int | None = None, deadline: Deadline = NEVER) -> TreeResult:
        """Search from a state until it is solved, or so many playouts were made, or the deadline has come.

        Raises GameOver or NoLegalMove where there is nothing to choose.
        """
        if playouts is None and deadline.at is None:
            raise ValueError("a search needs a number of playouts or a deadline")
        self.look_at(state, deadline)
        assert self._core is not None
        self._core.think(-1 if playouts is None else playouts, max(0.0, min(deadline.remaining, inf)))
        return self.result

    def look_at(self, state: State, deadline: Deadline = NEVER) -> None:
        """Search from this state from now on; what is known of it already is kept.

        What must be learned of the game first takes a part of the time until the deadline.
        """
        if self._root is not None and state == self._root:
            if self._core is not None:
                self._core.halt()
            return
        if state.is_terminal:
            raise GameOver(f"{state.describe()} is over")
        for role in self.game.roles:
            if not state.legal(role):
                raise NoLegalMove(f"{role} has no legal move in {state.describe()}")
        core = self._core_for(state.position, deadline)
        core.set_root(self._reasoner.row(state.position), self._root is not None)
        self._root = state

    def begin(self) -> None:
        """Think on in the background."""
        if self._core is not None:
            self._core.begin()

    def halt(self) -> None:
        """End what `begin` began."""
        if self._core is not None:
            self._core.halt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.halt()

    def result_at(self, state: State) -> TreeResult | None:
        """What is known of a state now, if it is the one that is searched from; may be asked from another thread."""
        if self._root is None or self._root != state:
            return None
        result = self.result
        # The root may have changed meanwhile.
        return result if result.state == state and self._root == state else None

    @property
    def result(self) -> TreeResult:
        """What is known now; may be asked while it thinks, from another thread."""
        if self._core is None or self._root is None:
            raise LudorumError("the search has not begun")
        report = self._core.report()
        roles, moves = self.game.roles, self._reasoner.moves
        found: dict[str, dict[Move, MoveResult]] = {}
        for seat, number, visits, mean, low, high in report["moves"]:
            found.setdefault(roles[seat], {})[Move(moves[seat][number])] = MoveResult(
                100 * mean, _percent(low), _percent(high), visits)
        line = report["variation"]
        return TreeResult(
            state=self._root, moves=found,
            lower={role: _percent(low) for role, low in zip(roles, report["low"], strict=True)},
            upper={role: _percent(high) for role, high in zip(roles, report["high"], strict=True)},
            principal_variation=tuple(
                {role: Move(moves[seat][line[first + seat]]) for seat, role in enumerate(roles)}
                for first in range(0, len(line), len(roles))),
            is_solved=report["is_solved"], visits=report["visits"], playouts=report["playouts"],
            steps=report["steps"], nodes=report["nodes"], memory_mb=report["memory"] / 2**20,
            utilisation=report["steps"] / report["lane_steps"] if report["lane_steps"] else 0.0,
            deepest=report["deepest"])

    def _core_for(self, position: Position, deadline: Deadline) -> _core.TreeSearch:
        # The image of a state that can be reached is one that perhaps cannot, and play goes on from it.
        simulator = self._reasoner.simulator(position if self._symmetries is None else None)
        if self._core is None or simulator is not self._simulator:
            options = self._settings.for_core()
            options.seed = self._seed & (2**64 - 1)
            if not options.lanes and isinstance(self._reasoner, RunsInLanes):
                options.lanes = self._reasoner.lanes(position, is_repeatable=self._settings.seed is not None)
            options.symmetries = self._symmetries
            options.chance_role = self.game.roles.index(Role(RANDOM)) if RANDOM in self.game.roles else -1
            evaluation = self._evaluation
            if evaluation is None and self._settings.needs_evaluation:
                evaluation = self._usual_evaluation(simulator, position, options.chance_role, deadline)
            self._core, self._simulator = _core.TreeSearch(simulator, evaluation, options), simulator
            self._root = None
        return self._core

    def _usual_evaluation(self, simulator: _core.Simulator, position: Position, chance_role: int,
                          deadline: Deadline) -> CoreEvaluation:
        seconds = min(_SURVEY_MAX_S if self._settings.seed is None else _SURVEY_SEEDED_MAX_S,
                      _SURVEY_SHARE * max(0.0, deadline.remaining))
        usual = _core.usual_moves(simulator, self._reasoner.row(position), chance_role, survey_walks(self.game),
                                  self._seed & (2**64 - 1), seconds)
        return _core.WeightedEvaluation([(1.0, _core.GoalEvaluation()), (1.0, _core.MobilityEvaluation(usual))])


def _percent(value: float) -> float:
    # The core's numbers have 24 bits; goals are whole.
    return round(100 * value, 4)
