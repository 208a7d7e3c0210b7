"""The player that searches the game tree for the best it can enforce."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.apart import ByParts
from ludorum.players.knowing import invariants_in_time, parts_in_time, symmetries_in_time
from ludorum.players.random import Random
from ludorum.players.thoughts import Thoughts
from ludorum.reason.abilities import Simulates
from ludorum.search.belief import hides
from ludorum.search.minimax import MOST_DEPTH, Found
from ludorum.search.minimax import Minimax as Search
from ludorum.search.plain import Plain
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.analysis.invariants import Invariants
    from ludorum.analysis.symmetry import Symmetries


class Minimax:
    """Alpha-beta, max^n or paranoid search with iterative deepening.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`; whichever is reached
    first, but the seconds only count if neither of the others is given. A move that is proved to be best is made at
    once. `goals` and `mobility` are the weights of the two estimates; see `ludorum.search.minimax.Minimax` for the
    other options. In a start clock that is long enough it looks for the `symmetries` of the game, and with `proofs` for
    what holds always: whether the goals have a constant sum is then known instead of assumed. With
    `factors` it looks for parts of the game that can be played each for its own sake, and searches each of them apart.
    Before step `openings` it makes random moves: with a number of states it always plays the same otherwise, and so do
    two of its kind against each other.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 paranoid: bool = False, nonuniform: bool = False, goals: float = 1.0, mobility: float = 1.0,
                 table_mb: int = 64, seed: int = 0, symmetries: bool = True, proofs: bool = True,
                 factors: bool = False, openings: int = 0) -> None:
        if seconds <= 0 or (states is not None and states < 1):
            raise ValueError("seconds and states must be more than 0")
        if depth is not None and not 1 <= depth <= MOST_DEPTH:
            raise ValueError(f"depth is between 1 and {MOST_DEPTH}, not {depth}")
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
        self._wants_proofs = proofs
        self._wants_factors = factors
        self._openings = openings
        self._random = Random(seed)
        #: Who plays the parts of the game that is played; None if it is played as a whole.
        self._apart: tuple[Game, ByParts | None] | None = None
        #: Of the game that is played, once they are known.
        self._symmetries: tuple[Game, Symmetries] | None = None
        self._invariants: tuple[Game, Invariants] | None = None
        self._evaluation: Evaluation | None = None
        self._search: Search | None = None
        self._thoughts: Thoughts | None = None

    @property
    def thoughts(self) -> Thoughts | None:
        return self._thoughts

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Fills the table of states from the initial state, if there is a clock."""
        if isinstance(game.reasoner, Simulates):
            apart = self._taking_apart(game, deadline)
            if apart is not None:
                if deadline.at is not None and self._seconds is not None:
                    apart.prepare(game, game.role(role), deadline.with_margin())
                return
            self._look_for_proofs(game, deadline)
            self._look_for_symmetries(game, deadline)
            search = self._searching(game, game.role(role))
            if deadline.at is not None and self._seconds is not None:
                search.search(game.initial, deadline=deadline.with_margin())

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        if state.step is not None and state.step < self._openings:
            self._thoughts = Thoughts(method="a random opening")
            return self._random.move(state, role, deadline)
        return self.move_within(state, role, deadline, self._states)

    def move_within(self, state: State, role: str, deadline: Deadline, work: int | None) -> Move:
        """A move when it has looked at so many states; None leaves it to the other limits."""
        role = state.game.role(role)
        legal = state.legal(role)
        if len(legal) == 1:
            self._thoughts = Thoughts(method="the only move")
            return legal[0]
        begin = time.monotonic()
        deadline = deadline.or_within(self._seconds).with_margin()
        if isinstance(state.game.reasoner, Simulates):
            apart = self._taking_apart(state.game, deadline)
            chosen = None if apart is None else apart.move(state, role, deadline, work)
            if chosen is not None:
                self._thoughts = replace(chosen.thoughts, seconds=time.monotonic() - begin)
                return chosen.move
            found = self._searching(state.game, role).search(state, states=work, depth=self._depth, deadline=deadline)
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

    def _taking_apart(self, game: Game, deadline: Deadline) -> ByParts | None:
        """Who plays the parts of a game; None if it is played as a whole, as it is with an evaluation of the whole."""
        if not self._wants_factors or self._evaluation is not None or len(game.roles) == 1 or hides(game):
            return None
        if self._apart is None or self._apart[0] is not game:
            parts = parts_in_time(game, deadline)
            self._apart = game, None if isinstance(parts, str) else ByParts(
                parts, [self._alone() for _ in parts.games], lambda thoughts: thoughts.states)
        return self._apart[1]

    def _alone(self) -> Minimax:
        """A player with the same options for a part of the game."""
        player = Minimax(depth=self._depth, states=self._states, paranoid=self._paranoid, nonuniform=self._nonuniform,
                         goals=self._goals, mobility=self._mobility, table_mb=self._table_mb, seed=self._seed,
                         symmetries=False, proofs=False)
        # How long it may think is told with every part.
        player._seconds = None
        return player

    def finish(self) -> None:
        """There is nothing to end: it thinks only when it is asked."""

    def _look_for_proofs(self, game: Game, deadline: Deadline) -> None:
        self._invariants = None
        known = invariants_in_time(game, deadline) if self._wants_proofs else None
        if known is not None:
            self._invariants, self._search = (game, known), None

    def evaluate_by(self, evaluation: Evaluation | None) -> None:
        """Adds an evaluation of the core, of the game that is played next, to the estimates, with weight 1."""
        self._evaluation = evaluation
        self._search = None

    def _searching(self, game: Game, role: Role) -> Search:
        if self._search is None or self._search.game is not game or self._search.role != role:
            known = self._symmetries[1] if self._symmetries is not None and self._symmetries[0] is game else None
            proved = self._invariants[1] if self._invariants is not None and self._invariants[0] is game else None
            self._search = Search(game, role, paranoid=self._paranoid, nonuniform=self._nonuniform, goals=self._goals,
                                  mobility=self._mobility, evaluation=self._evaluation, table_mb=self._table_mb,
                                  seed=self._seed, symmetries=known, invariants=proved)
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
