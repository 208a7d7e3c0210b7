"""The player that searches the game tree for the best it can enforce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.knowing import symmetries_in_time
from ludorum.players.thoughts import Thoughts
from ludorum.reason.abilities import Simulates
from ludorum.search.minimax import Found
from ludorum.search.minimax import Minimax as Search
from ludorum.search.plain import Plain
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.analysis.symmetry import Symmetries


class Minimax:
    """Alpha-beta, max^n or paranoid search with iterative deepening.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`; whichever is reached
    first, but the seconds only count if neither of the others is given. A move that is proved to be best is made at
    once. `goals` and `mobility` are the weights of the two estimates; see `ludorum.search.minimax.Minimax` for the
    other options. With `symmetries` it looks for those of the game in the start clock, if that is long enough.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 paranoid: bool = False, nonuniform: bool = False, goals: float = 1.0, mobility: float = 1.0,
                 table_mb: int = 64, seed: int = 0, symmetries: bool = True) -> None:
        if seconds <= 0 or (depth is not None and depth < 1) or (states is not None and states < 1):
            raise ValueError("seconds, depth and states must be more than 0")
        if goals < 0 or mobility < 0 or table_mb < 0:
            raise ValueError("weights and table_mb cannot be less than 0")
        self._seconds = seconds if depth is None and states is None else None
        self._depth = depth
        self._states = states
        self._paranoid = paranoid
        self._nonuniform = nonuniform
        self._goals = goals
        self._mobility = mobility
        self._table_mb = table_mb
        self._seed = seed
        self._wants_symmetries = symmetries
        #: Of the game that is played, once they are known.
        self._symmetries: tuple[Game, Symmetries] | None = None
        self._evaluation: Evaluation | None = None
        self._search: Search | None = None
        self._thoughts: Thoughts | None = None

    @property
    def thoughts(self) -> Thoughts | None:
        return self._thoughts

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Fills the table of states from the initial state, if there is a clock."""
        if isinstance(game.reasoner, Simulates):
            self._look_for_symmetries(game, deadline)
            search = self._searching(game, game.role(role))
            if deadline.at is not None and self._seconds is not None:
                search.search(game.initial, deadline=deadline.with_margin())

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        role = state.game.role(role)
        legal = state.legal(role)
        if len(legal) == 1:
            self._thoughts = Thoughts(method="the only move")
            return legal[0]
        deadline = deadline.or_within(self._seconds).with_margin()
        if isinstance(state.game.reasoner, Simulates):
            found = self._searching(state.game, role).search(state, states=self._states, depth=self._depth,
                                                             deadline=deadline)
        else:
            # An engine without a part in the core is asked step by step, and that may take for ever.
            found = Plain(state, role).search(depth=self._depth, deadline=deadline.or_within(self._seconds or 10))
        self._thoughts = _thoughts(found)
        return found.move if found.move in legal and found.move is not None else legal[0]

    def _look_for_symmetries(self, game: Game, deadline: Deadline) -> None:
        self._symmetries = None
        found = symmetries_in_time(game, deadline) if self._wants_symmetries else None
        if found is not None:
            self._symmetries, self._search = (game, found), None

    def evaluate_by(self, evaluation: Evaluation | None) -> None:
        """Adds an evaluation of the core, of the game that is played next, to the estimates, with weight 1."""
        self._evaluation = evaluation
        self._search = None

    def _searching(self, game: Game, role: Role) -> Search:
        if self._search is None or self._search.game is not game or self._search.role != role:
            known = self._symmetries[1] if self._symmetries is not None and self._symmetries[0] is game else None
            self._search = Search(game, role, paranoid=self._paranoid, nonuniform=self._nonuniform, goals=self._goals,
                                  mobility=self._mobility, evaluation=self._evaluation, table_mb=self._table_mb,
                                  seed=self._seed, symmetries=known)
        return self._search

    def __repr__(self) -> str:
        budget = {"seconds": self._seconds, "depth": self._depth, "states": self._states}
        return f"Minimax({', '.join(f'{key}={value}' for key, value in budget.items() if value is not None)})"


def _thoughts(found: Found) -> Thoughts:
    exact = {move: known for move, known in found.moves.items() if known.is_exact or known.is_proved}
    return Thoughts(
        values={move: known.value for move, known in exact.items()},
        proved=frozenset(move for move, known in exact.items() if known.is_proved),
        principal_variation=found.principal_variation, method=found.method, states=found.states, depth=found.depth,
        seconds=found.seconds)
