"""The player that reads what a state is worth out of the rules.

In the literature: Fluxplayer (Schiffel, Thielscher 2007; Schiffel 2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ludorum.absent import Absent
from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.late_evaluation import LateEvaluation
from ludorum.players.minimax import Minimax, MinimaxPlaying
from ludorum.players.player import MovesOnce
from ludorum.players.pregame import invariants_in_time, late_evaluation, net_in_time
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.invariants import Invariants
    from ludorum.evaluate import StateEvaluation


class Flux(MovesOnce):
    """Searches like `Minimax`, and evaluates states by how true the goals are.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`. The evaluation is made of
    the goal and terminal rules before the first move; `leaves`, `form`, `truth`, `threshold` and `exponent`, and the
    weights of what is added to it, are those of `ludorum.evaluate.EvaluationSettings`; with `fitted` the weights are
    fitted to playouts. With `nonuniform` promising moves are searched deeper than others; if nothing is said, that is
    so in games of one role, where it helps, and not in others, where it overlooks replies. Before step
    `openings` it makes random moves: with a number of states it always plays the same
    otherwise, and so do two of its kind against each other. With `proofs`, what is proved in a start clock of more than
    two seconds is used by the search and by the evaluation: what stays as it is counts for more. With
    evaluation="net" it goes by the net that `ludorum learn` has left instead, or one that learns in a long start clock.
    Where the game is too large for a circuit it plays like `Minimax`, and so it does where the time is too short to
    make the evaluation, until that is there.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 leaves: Literal["binary", "structures", "distances"] = "distances",
                 form: Literal["yager", "product"] = "yager", truth: float = 0.75, threshold: float = 0.55,
                 exponent: float = 15.0, goals: float = 1.0, mobility: float = 0.0, novelty: float = 0.0,
                 goal_values: float = 0.0, termination: float = 0.0, survival: float = 0.0, fluents: float = 0.0,
                 counting: float = 0.0, counting_form: Literal["auto", "goals", "moves"] = "auto",
                 alpha: float = 0.25, power: int = 4, fitted: bool = False, relative: bool = False,
                 nonuniform: bool | None = None, evaluation: Literal["rules", "net"] = "rules", table_mb: int = 64,
                 openings: int = 0, seed: int = 0,
                 proofs: bool = True) -> None:
        said = {name: value for name, value in locals().items() if name != "self"}
        defaults = {**(Flux.__init__.__kwdefaults__ or {}), "seconds": None}
        # As it would be written: the time, and what is not as it is anyway.
        self._said = {name: value for name, value in said.items() if value != defaults[name]}
        # Not before it is needed: importing players must not take as long as importing NumPy.
        from ludorum.evaluate.settings import EvaluationSettings

        self.settings = EvaluationSettings(
            leaves=leaves, form=form, truth=truth, threshold=threshold, exponent=exponent, goals=goals,
            mobility=mobility, novelty=novelty, goal_values=goal_values, termination=termination, survival=survival,
            fluents=fluents, counting=counting, counting_form=counting_form, alpha=alpha, power=power,
            is_fitted=fitted, is_relative=relative)
        if evaluation not in ("rules", "net"):
            raise ValueError(f"evaluation can be rules or net, not {evaluation!r}")
        # As long as it takes where states or depths are counted, for then the same must be found again.
        self.seconds = seconds if depth is None and states is None else None
        self.proofs = proofs
        self.evaluation = evaluation
        #: Those who search, with an evaluation that is made of the rules and without.
        self.informed = Minimax(seconds, depth=depth, states=states, nonuniform=nonuniform, goals=0, mobility=0,
                                table_mb=table_mb, openings=openings, seed=seed, proofs=proofs)
        self.uninformed = Minimax(seconds, depth=depth, states=states, nonuniform=nonuniform, table_mb=table_mb,
                                  openings=openings, seed=seed, proofs=proofs)
        #: Handed over by somebody, for the game that is played next.
        self.given: StateEvaluation | None = None

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> FluxPlaying:
        return FluxPlaying(self, game, game.role(role))

    def evaluate_by(self, evaluation: StateEvaluation) -> None:
        """Takes an evaluation of the game that is played next, whatever the settings are, and need not make one."""
        self.given = evaluation

    def __repr__(self) -> str:
        return f"Flux({', '.join(f'{name}={value!r}' for name, value in self._said.items())})"


class FluxPlaying:
    """What a player of `Flux` has at a match: an evaluation of the game, and a search that asks it."""

    def __init__(self, player: Flux, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._playing: MinimaxPlaying | None = None
        self._late: LateEvaluation | None = None
        #: Whether it is known with which evaluation it plays to the end, or that it plays without.
        self._is_settled = player.given is not None
        #: Why there is no evaluation, in one sentence; None where there is one, or before it is asked for.
        self.why_not: str | None = None
        if player.given is not None:
            self._playing = self._informed(player.given)

    @property
    def info(self) -> SearchInfo | None:
        return None if self._playing is None else self._playing.info

    def prepare(self, deadline: Deadline) -> None:
        """Makes the evaluation, and searches from the initial state in the time that is left."""
        invariants = invariants_in_time(self._game, deadline) if self._player.proofs else None
        self._searching(deadline, invariants).prepare(deadline)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        return self._searching(deadline.or_within(self._player.seconds)).move(state, deadline)

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        """A move when it has looked at so many states; None leaves it to the other limits."""
        return self._searching(deadline.or_within(self._player.seconds)).move_within(state, deadline, work)

    def best_so_far(self, state: State) -> Move | None:
        return None if self._playing is None else self._playing.best_so_far(state)

    def finish(self) -> None:
        if self._playing is not None:
            self._playing.finish()

    def _searching(self, deadline: Deadline, invariants: Invariants | None = None) -> MinimaxPlaying:
        """Who searches: with the evaluation of the game if it is there by now, else without."""
        if self._is_settled and self._playing is not None:
            return self._playing
        made = self._made(deadline, invariants)
        if not isinstance(made, Absent):
            self._is_settled, self.why_not = True, None
            if self._playing is not None:
                self._playing.finish()
            self._playing = self._informed(made)
            return self._playing
        self.why_not = made.reason
        if self._playing is None:
            self._playing = self._player.uninformed.join(self._game, self._role)
        return self._playing

    def _made(self, deadline: Deadline, invariants: Invariants | None) -> StateEvaluation | Absent:
        if self._player.evaluation == "net":
            self._is_settled = True
            return net_in_time(self._game, deadline)
        if self._late is None:
            self._late = late_evaluation(self._game, self._player.settings, invariants)
        made = self._late.by(deadline)
        self._is_settled = self._late.is_settled
        return made

    def _informed(self, evaluation: StateEvaluation) -> MinimaxPlaying:
        self._player.informed.evaluate_by(evaluation.core)
        return self._player.informed.join(self._game, self._role)
