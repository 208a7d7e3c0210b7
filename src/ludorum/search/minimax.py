"""Heuristic search: alpha-beta, max^n and paranoid search with iterative deepening, in the core.

The game tree is expanded in sweeps of the engine, many states at once. What is not over at the limit of the depth is
worth what an evaluation says; terminal values are exact, and what they prove is told apart from estimates.

In the literature: alpha-beta (Knuth, Moore 1975), principal variation search (Marsland, Campbell 1982; NegaScout:
Reinefeld 1983), max^n (Luckhardt, Irani 1986), paranoid search (Sturtevant, Korf
2000).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludorum._core import Minimax as Core
from ludorum._core import MinimaxOptions, PlayoutEvaluation
from ludorum.clock import NEVER, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.errors import NoSimulator
from ludorum.gdl.words import RANDOM
from ludorum.move import Move, Role
from ludorum.search.canonicalization import core_symmetries
from ludorum.search.evaluation import Evaluation, adapted
from ludorum.search.result import MoveResult
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation as CoreEvaluation
    from ludorum._core import Simulator
    from ludorum.analysis.invariants import Invariants
    from ludorum.analysis.symmetry import Symmetries
    from ludorum.game import Game

_NO_STATE_LIMIT = 2**64 - 1
#: An assumption, unless it is proved.
CONSTANT_SUM = "the goals of the two roles always have the same sum"
#: No iteration is deeper.
MAX_DEPTH = 1000
# How long random walks may look at a game before its first search: the part of the time that there is, and the most
# of it. Where there is no clock they all end, for then the same must be found again.
_SURVEY_SHARE, _SURVEY_MAX_S = 0.1, 0.05
# Random matches from what is at the limit of the depth say nothing after so many steps.
_PLAYOUT_STEPS = 500
_SURVEY_WALKS_IN_LANES, _SURVEY_WALKS = 256, 8


@dataclass(frozen=True, slots=True)
class MinimaxResult:
    """What a search found out about a state."""

    role: Role
    #: By role, from 0 to 100; None where the method does not say.
    values: dict[str, float | None]
    #: The best move of the role, None where the game is over.
    move: Move | None
    #: The joint moves that the search expects.
    principal_variation: tuple[dict[str, Move], ...]
    #: Whether the values are exact: all that matters below the state was seen to its end.
    is_proved: bool
    #: The depth of the last iteration that was finished.
    depth: int
    #: States that the search looked at; `generated` counts those found in advance and never looked at, too.
    states: int
    generated: int
    #: How often the engine was asked.
    sweeps: int
    seconds: float
    #: "alpha-beta", "paranoid", "single-player" or "max^n".
    method: str
    #: Roughly how many states need not be looked at because an image of theirs was known.
    spared: int = 0
    #: Whether images were still looked for at the end.
    uses_symmetries: bool = False
    #: What the values rest on beside the rules, in sentences.
    assumes: tuple[str, ...] = ()
    #: With equilibria, where both choose at once: how likely each of the role's moves is to be made.
    probabilities: dict[Move, float] = field(default_factory=dict)
    #: The role's moves, where it has a choice.
    moves: dict[Move, MoveResult] = field(default_factory=dict)


class MinimaxSearch:
    """Searches the tree of a game for a role; what it finds is kept for the states that follow.

    Two roles whose goals have a constant sum are searched by alpha-beta, one role alone likewise, others by max^n;
    `paranoid` assumes instead that all others play against the role. `constant_sum` tells what is known about the
    sum; None means that it is known if it was proved (`invariants`, or those that the game was compiled with);
    otherwise random walks look for a counterexample, and the search gives up the assumption if it meets one. Where
    several roles have a choice they
    choose one after the other, this role first; or with `equilibria`, where two do whose goals have a constant sum,
    neither knows what the other does: every such state is a matrix, solved by a linear program, and the move is drawn
    by the mix (`probabilities`). With `playouts` what random matches from a state end with, so many on average, stands
    in place of an evaluation: Monte Carlo at the leaves.

    An estimate is the mean of the goal values that hold now, of mobility, and of an `evaluation`, by their weights: one
    of `ludorum.evaluate`, which runs in the core, or a function of your own. `nonuniform` searches promising moves
    deeper than others (the equation of Fluxplayer: Schiffel, Thielscher 2007). With `null_windows` alpha-beta asks of a
    move first whether it is better than the best so far, which finds the same in fewer states. The table of states
    takes no more than
    `table_mb`; with the game's `symmetries` a state stands there for all its images, unless that takes longer than it
    saves. `seed` breaks ties.

    Raises NoSimulator if the game's engine has no part in the core.
    """

    def __init__(self, game: Game, role: str | None = None, *, constant_sum: bool | None = None,
                 paranoid: bool = False, nonuniform: bool = False, null_windows: bool = True,
                 equilibria: bool = False, playouts: int = 0, goals: float = 1.0, mobility: float = 1.0,
                 evaluation: Evaluation | CoreEvaluation | None = None,
                 evaluation_weight: float = 1.0, table_mb: int = 64, seed: int = 0,
                 symmetries: Symmetries | None = None, invariants: Invariants | None = None) -> None:
        reasoner = game.reasoner
        if not isinstance(reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine of {game.name} has no part in the core to search with: "
                              f"{game.why}")
        known = game.invariants if invariants is None else invariants
        total = None
        # What is proved is the sum of all goals, those of chance included, of which a search knows nothing.
        if constant_sum is not False and known is not None and RANDOM not in game.roles:
            total = known.constant_sum
            constant_sum = constant_sum if total is None else True
        self.game = game
        self.role = _first_player(game) if role is None else game.role(role)
        self._reasoner = reasoner
        self._chance = game.roles.index(Role(RANDOM)) if RANDOM in game.roles else -1
        self._has_secrets = any(rule.head.name == "sees" for rule in game.rules.rules)
        self._evaluation = None if evaluation is None else adapted(evaluation, game)
        options = MinimaxOptions()
        options.role, options.chance_role = game.roles.index(self.role), self._chance
        options.constant_sum, options.sum = constant_sum, total
        options.paranoid, options.nonuniform, options.null_windows = paranoid, nonuniform, null_windows
        options.equilibria = equilibria
        options.goals, options.mobility, options.evaluation_weight = goals, mobility, evaluation_weight
        options.table_mb, options.seed = table_mb, seed & (2**64 - 1)
        options.symmetries = core_symmetries(symmetries)
        options.survey_walks = survey_walks(game)
        if playouts < 0:
            raise ValueError("playouts cannot be less than 0")
        self._playouts = playouts
        self._options = options
        self._core: Core | None = None
        self._simulator: Simulator | None = None

    def search(self, state: State | None = None, *, seconds: float | None = None, states: int | None = None,
               depth: int | None = None, deadline: Deadline = NEVER) -> MinimaxResult:
        """Search deeper and deeper until the state is solved or a limit is reached.

        The limits are a time, a number of states to look at (the same number finds the same), and a depth. Without one
        it may take for ever; `stop` and Ctrl-C end it.
        """
        state = state or self.game.initial
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"a depth is between 1 and {MAX_DEPTH}")
        if states is not None and states < 1:
            raise ValueError("a search looks at one state at least")
        deadline = deadline.or_within(seconds)
        core = self._prepared(state, deadline)
        found = core.search(self._reasoner.row(state.position), max(0.0, deadline.remaining),
                            _NO_STATE_LIMIT if states is None else states, MAX_DEPTH if depth is None else depth)
        return self._found(found)

    def stop(self) -> None:
        """End the search that is running in another thread; it returns what it has found."""
        if self._core is not None:
            self._core.stop()

    @property
    def progress(self) -> MinimaxResult | None:
        """What the search that is running, or else the last one, has found; None before the first."""
        return None if self._core is None else self._found(self._core.progress)

    @property
    def survey(self) -> dict[str, Any] | None:
        """What random walks showed before the first search: usual numbers of moves, and whether anything spoke against
        a constant sum; None before it."""
        return None if self._core is None else dict(self._core.survey)

    def _mixes(self, method: str) -> bool:
        return self._options.equilibria and method == "alpha-beta"

    def _prepared(self, state: State, deadline: Deadline) -> Core:
        simulator = self._reasoner.simulator(state.position)
        if self._core is None or simulator is not self._simulator:
            self._simulator = simulator
            self._options.survey_seconds = _survey_seconds(deadline)
            evaluation = self._evaluation
            if self._playouts and evaluation is None:
                evaluation = PlayoutEvaluation(simulator, self._playouts, _PLAYOUT_STEPS, self._options.seed)
            self._core = Core(simulator, self._reasoner.row(state.position), evaluation, self._options)
        return self._core

    def _found(self, found: dict[str, Any]) -> MinimaxResult:
        roles, terms = self.game.roles, self._reasoner.moves
        line: tuple[dict[str, Move], ...] = tuple(
            {role: Move(moves[number]) for role, moves, number in zip(roles, terms, joint, strict=True)}
            for joint in found["line"])
        own = terms[roles.index(self.role)]
        moves = {Move(own[number]): MoveResult(value, lower, upper, is_exact=is_exact)
                 for number, value, lower, upper, is_exact, _, _ in found["moves"]}
        likely = {Move(own[number]): probability for number, *_, probability in found["moves"] if probability > 0}
        return MinimaxResult(
            role=self.role, values=dict(zip(roles, found["values"], strict=True)),
            move=line[0][self.role] if line else None, principal_variation=line, is_proved=found["proved"],
            depth=found["depth"], states=found["states"], generated=found["generated"], sweeps=found["sweeps"],
            seconds=found["seconds"], method=found["method"], moves=moves, probabilities=likely,
            spared=found["spared"],
            uses_symmetries=found["uses_symmetries"],
            assumes=() if found["over"] else assumptions(
                found["method"], role=self.role, is_sum_assumed=found["assumes_sum"],
                is_simultaneous=found["simultaneous"] > 0 and not self._mixes(found["method"]),
                has_secrets=self._has_secrets,
                is_merged=self._options.symmetries is not None))


def assumptions(method: str, *, role: str = "", is_sum_assumed: bool = False, is_simultaneous: bool = False,
                has_secrets: bool = False, is_merged: bool = False) -> tuple[str, ...]:
    """What the values of a search rest on beside the rules."""
    is_max_n = method == "max^n"
    assumed = {
        CONSTANT_SUM: is_sum_assumed,
        f"all others play against {role}": method == "paranoid",
        "every role maximises its own goal and takes the first of equally good moves": is_max_n and not is_merged,
        "every role maximises its own goal and takes any of equally good moves": is_max_n and is_merged,
        "roles that move at once choose one after the other, each knowing what was chosen before": is_simultaneous,
        "every role sees the whole state": has_secrets,
    }
    return tuple(sentence for sentence, holds in assumed.items() if holds)


def survey_walks(game: Game) -> int:
    """How many random walks show how many moves the roles of a game usually have: many only where they cost little."""
    return _SURVEY_WALKS_IN_LANES if game.engine == "circuit" else _SURVEY_WALKS


def _survey_seconds(deadline: Deadline) -> float:
    return math.inf if deadline.at is None else min(_SURVEY_MAX_S, _SURVEY_SHARE * max(0.0, deadline.remaining))


def _first_player(game: Game) -> Role:
    return next((role for role in game.roles if role != RANDOM), game.roles[0])
