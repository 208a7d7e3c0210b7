"""The player that reads what a state is worth out of the rules: Fluxplayer, as its author's thesis describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.knowing import evaluation_in_time, invariants_in_time
from ludorum.players.minimax import Minimax
from ludorum.players.thoughts import Thoughts
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.invariants import Invariants
    from ludorum.evaluate import StateEvaluation


class Flux:
    """Searches like `Minimax`, promising moves deeper than others, and evaluates states by how true the goals are.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`. The evaluation is made of
    the goal and terminal rules before the first move; `leaves`, `form`, `truth`, `threshold` and `exponent`, and the
    weights of what is added to it, are those of `ludorum.evaluate.EvaluationSettings`; with `fitted` the weights are
    fitted to playouts. Before step `openings` it makes random moves: with a number of states it always plays the same
    otherwise, and so do two of its kind against each other. With `proofs`, what is proved in a start clock of more than
    two seconds is used by the search and by the evaluation: what stays as it is counts for more. Where the game is too
    large for a circuit, or the time too short to make the evaluation, it plays like `Minimax`.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 leaves: Literal["binary", "structures", "distances"] = "distances",
                 form: Literal["yager", "product"] = "yager", truth: float = 0.75, threshold: float = 0.55,
                 exponent: float = 15.0, goals: float = 1.0, mobility: float = 0.0, novelty: float = 0.0,
                 goal_values: float = 0.0, termination: float = 0.0, survival: float = 0.0, fluents: float = 0.0,
                 fitted: bool = False, nonuniform: bool = True, table_mb: int = 64, openings: int = 0, seed: int = 0,
                 proofs: bool = True) -> None:
        said = {name: value for name, value in locals().items() if name != "self"}
        defaults = {**(Flux.__init__.__kwdefaults__ or {}), "seconds": None}
        # As it would be written: the time, and what is not as it is anyway.
        self._said = {name: value for name, value in said.items() if value != defaults[name]}
        # Not before it is needed: importing players must not take as long as importing NumPy.
        from ludorum.evaluate.settings import EvaluationSettings

        self._settings = EvaluationSettings(
            leaves=leaves, form=form, truth=truth, threshold=threshold, exponent=exponent, goals=goals,
            mobility=mobility, novelty=novelty, goal_values=goal_values, termination=termination, survival=survival,
            fluents=fluents, is_fitted=fitted)
        self._seconds = seconds
        self._with = Minimax(seconds, depth=depth, states=states, nonuniform=nonuniform, goals=0, mobility=0,
                             table_mb=table_mb, openings=openings, seed=seed, proofs=proofs)
        self._without = Minimax(seconds, depth=depth, states=states, nonuniform=nonuniform, table_mb=table_mb,
                                openings=openings, seed=seed, proofs=proofs)
        self._wants_proofs = proofs
        self._game: Game | None = None
        self._evaluation: StateEvaluation | None = None
        #: Why there is no evaluation, in one sentence; None where there is one.
        self.why_not: str | None = None

    @property
    def thoughts(self) -> Thoughts | None:
        return self._searcher.thoughts

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Makes the evaluation, and searches from the initial state in the time that is left."""
        self._know(game, deadline, invariants_in_time(game, deadline) if self._wants_proofs else None)
        self._searcher.prepare(game, role, deadline)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        if self._game is not state.game:
            self._know(state.game, deadline.or_within(self._seconds))
        return self._searcher.move(state, role, deadline)

    def _know(self, game: Game, deadline: Deadline, invariants: Invariants | None = None) -> None:
        """Makes the evaluation of a game, or notes why there is none."""
        if self._game is game:
            return
        made = evaluation_in_time(game, deadline, self._settings, invariants)
        if isinstance(made, str):
            self._game, self._evaluation, self.why_not = game, None, made
        else:
            self.evaluate_by(made)

    def evaluate_by(self, evaluation: StateEvaluation) -> None:
        """Takes an evaluation of the game that is played next, whatever the settings are, and need not make one."""
        self._game, self._evaluation, self.why_not = evaluation.game, evaluation, None
        self._with.evaluate_by(evaluation.core)

    @property
    def _searcher(self) -> Minimax:
        return self._without if self._evaluation is None else self._with

    def __repr__(self) -> str:
        return f"Flux({', '.join(f'{name}={value!r}' for name, value in self._said.items())})"
