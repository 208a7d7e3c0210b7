"""The player that searches the game tree for the best it can enforce.

In the literature: alpha-beta (Knuth, Moore 1975), max^n (Luckhardt, Irani 1986), paranoid search (Sturtevant, Korf
2000).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.belief import hides
from ludorum.clock import NEVER, Deadline, now
from ludorum.engines.abilities import Simulates
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.factored import FactoredPlayer
from ludorum.players.player import MovesOnce
from ludorum.players.pregame import invariants_in_time, parts_in_time, symmetries_in_time
from ludorum.players.random import Random
from ludorum.players.search_info import SearchInfo
from ludorum.search.minimax import MAX_DEPTH, MinimaxResult, MinimaxSearch
from ludorum.search.python_maxn import PythonMaxN
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.analysis.invariants import Invariants
    from ludorum.analysis.symmetry import Symmetries

# How long an engine is asked step by step where nobody says how long it may take, in seconds.
_STEPWISE_MAX_S = 10.0


class Minimax(MovesOnce):
    """Alpha-beta, max^n or paranoid search with iterative deepening.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`; whichever is reached
    first, but the seconds only count if neither of the others is given. A move that is proved to be best is made at
    once. `goals` and `mobility` are the weights of the two estimates; `nonuniform=None` means that promising moves are
    searched deeper in games of one role only; `ludorum.search.minimax.MinimaxSearch` tells
    of the other options. In a start clock that is long enough it looks for the `symmetries` of the game, and with
    `proofs` for what holds always: whether the goals have a constant sum is then known instead of assumed. With
    `factors` it looks for parts of the game that can be played each for its own sake, and searches each of them
    apart. With `equilibria` it mixes where both choose at once; with `playouts` leaves are worth what so many random
    matches end with. Before step `openings` it makes random moves: with a number of states it always plays the same
    otherwise, and so do two of its kind against each other.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 paranoid: bool = False, nonuniform: bool | None = False, goals: float = 1.0, mobility: float = 1.0,
                 table_mb: int = 64, seed: int = 0, symmetries: bool = True, proofs: bool = True,
                 factors: bool = False, equilibria: bool = False, playouts: int = 0, openings: int = 0) -> None:
        if seconds <= 0 or (states is not None and states < 1):
            raise ValueError("seconds and states must be more than 0")
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth is between 1 and {MAX_DEPTH}, not {depth}")
        if goals < 0 or mobility < 0 or table_mb < 0:
            raise ValueError("weights and table_mb cannot be less than 0")
        self._options = _Options(
            seconds=seconds if depth is None and states is None else None, depth=depth, states=states,
            paranoid=paranoid, nonuniform=nonuniform, goals=goals, mobility=mobility, table_mb=table_mb, seed=seed,
            symmetries=symmetries, proofs=proofs, factors=factors, equilibria=equilibria, playouts=playouts,
            openings=openings)
        self._evaluation: Evaluation | None = None

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> MinimaxPlaying:
        return MinimaxPlaying(self._options, game, game.role(role), self._evaluation)

    def evaluate_by(self, evaluation: Evaluation | None) -> None:
        """Adds an evaluation of the core, of the game that is played next, to the estimates, with weight 1."""
        self._evaluation = evaluation

    def __repr__(self) -> str:
        options = self._options
        budget = {"seconds": options.seconds, "depth": options.depth, "states": options.states}
        return f"Minimax({', '.join(f'{key}={value}' for key, value in budget.items() if value is not None)})"


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of a `Minimax`; without `seconds` it is told how long it may think, or counts."""

    seconds: float | None
    depth: int | None
    states: int | None
    paranoid: bool
    nonuniform: bool | None
    goals: float
    mobility: float
    table_mb: int
    seed: int
    symmetries: bool
    proofs: bool
    factors: bool
    equilibria: bool
    playouts: int
    openings: int


class MinimaxPlaying:
    """What a player of `Minimax` has at a match: its search with the table of states, and what is known of the game."""

    def __init__(self, options: _Options, game: Game, role: Role, evaluation: Evaluation | None) -> None:
        self._options = options
        self._game = game
        self._role = role
        self._evaluation = evaluation
        self._random = Random(options.seed)
        self._symmetries: Symmetries | None = None
        self._invariants: Invariants | None = None
        #: Who plays the parts of the game; None if it is played as a whole, as it is with an evaluation of the whole.
        self._factored: FactoredPlayer | None = None
        self._is_whole = not options.factors or evaluation is not None or len(game.roles) == 1 or hides(game)
        self._search: MinimaxSearch | None = None
        #: The state that is thought about.
        self._state: State | None = None
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """Finds out about the game, and fills the table of states from the initial state, if there is a clock."""
        if not isinstance(self._game.reasoner, Simulates):
            return
        thinks = deadline.at is not None and self._options.seconds is not None
        factored = self._taking_apart(deadline)
        if factored is not None:
            if thinks:
                factored.prepare(deadline.with_margin())
            return
        if self._search is None:
            self._invariants = invariants_in_time(self._game, deadline) if self._options.proofs else None
            self._symmetries = symmetries_in_time(self._game, deadline) if self._options.symmetries else None
        search = self._searching()
        if thinks:
            search.search(self._game.initial, deadline=deadline.with_margin())

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        if state.step is not None and state.step < self._options.openings:
            self._info = SearchInfo(method="a random opening")
            return self._random.move(state, self._role, deadline)
        return self.move_within(state, deadline, self._options.states)

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        """A move when it has looked at so many states; None leaves it to the other limits."""
        options, role, legal = self._options, self._role, state.legal(self._role)
        if len(legal) == 1:
            self._info = SearchInfo(method="the only move")
            return legal[0]
        begin = now()
        deadline = deadline.or_within(options.seconds).with_margin()
        if isinstance(self._game.reasoner, Simulates):
            factored = self._taking_apart(deadline)
            chosen = None if factored is None else factored.move(state, deadline, work)
            if chosen is not None:
                self._info = replace(chosen.info, seconds=now() - begin)
                return chosen.move
            search, self._state = self._searching(), state
            found = search.search(state, states=work, depth=options.depth, deadline=deadline)
        else:
            # An engine without a part in the core is asked step by step, and that may take for ever.
            within = deadline.or_within(options.seconds or _STEPWISE_MAX_S)
            found = PythonMaxN(state, role).search(depth=options.depth, deadline=within)
        self._info = _search_info(found)
        return found.move if found.move in legal and found.move is not None else legal[0]

    def best_so_far(self, state: State) -> Move | None:
        """The best move of the last iteration that was finished."""
        if self._factored is not None:
            return self._factored.best_so_far(state)
        found = None if self._search is None or self._state != state else self._search.progress
        if found is None or found.move is None or not found.depth or found.move not in state.legal(self._role):
            return None
        return found.move

    def finish(self) -> None:
        self._search = self._state = None
        if self._factored is not None:
            self._factored.finish()

    def _searching(self) -> MinimaxSearch:
        if self._search is None:
            options = self._options
            nonuniform = len(self._game.roles) == 1 if options.nonuniform is None else options.nonuniform
            self._search = MinimaxSearch(
                self._game, self._role, paranoid=options.paranoid, nonuniform=nonuniform,
                equilibria=options.equilibria, playouts=options.playouts, goals=options.goals,
                mobility=options.mobility, evaluation=self._evaluation, table_mb=options.table_mb, seed=options.seed,
                symmetries=self._symmetries, invariants=self._invariants)
        return self._search

    def _taking_apart(self, deadline: Deadline) -> FactoredPlayer | None:
        if self._factored is None and not self._is_whole:
            parts = parts_in_time(self._game, deadline)
            self._is_whole = isinstance(parts, Absent)
            if not isinstance(parts, Absent):
                # How long it may think is told with every part.
                alone = replace(self._options, seconds=None, symmetries=False, proofs=False, factors=False, openings=0)
                self._factored = FactoredPlayer(
                    parts, self._role, [MinimaxPlaying(alone, part, self._role, None) for part in parts.games],
                    lambda info: info.states)
        return self._factored


def _search_info(found: MinimaxResult) -> SearchInfo:
    exact = {move: known for move, known in found.moves.items() if known.is_exact or known.is_proved}
    return SearchInfo(
        values={move: known.value for move, known in exact.items()},
        proved=frozenset(move for move, known in exact.items() if known.is_proved),
        principal_variation=found.principal_variation, method=found.method, states=found.states, depth=found.depth,
        seconds=found.seconds)
