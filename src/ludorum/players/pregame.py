"""What players find out about a game before the first move, in a part of the start clock.

In the literature: metagaming (Pell 1993).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.clock import Budget, Deadline
from ludorum.errors import BudgetExceeded, CannotLearn, NoCircuit
from ludorum.game import Game
from ludorum.players.background import by_deadline
from ludorum.players.late_evaluation import LateEvaluation

if TYPE_CHECKING:
    from ludorum.analysis.factors import Parts
    from ludorum.analysis.invariants import Invariants
    from ludorum.analysis.symmetry import Symmetries
    from ludorum.evaluate import EvaluationSettings, StateEvaluation

# A start clock of more than these seconds has time to look for symmetries: this part of it, and no more than so many.
# For factors any time will do, since most games are soon known to have none.
_LONG_CLOCK_S, _SYMMETRY_SHARE, _SYMMETRY_MAX_S = 2.0, 0.25, 10.0
# How long looking for factors may take where there is no clock.
_FACTORING_NO_CLOCK_S = 60.0
# And to prove something about the game: that part, and no more than so many.
_PROOF_SHARE, _PROOF_MAX_S = 0.15, 5.0
# Of the time before the first move, or of the first move where there is none before it, the most that the evaluation
# may take; the search has the rest.
_EVALUATION_SHARE = 0.5
#: A start clock of so many seconds has time for a net to learn: this part of it, and no more than so many.
LEARNING_MIN_CLOCK_S = 18.0
_LEARNING_SHARE, _LEARNING_MAX_S = 0.4, 120.0
# The part of the time to find out which moves can end a game.
_ENDS_SHARE = 0.2
# Whatever takes so many times as long as it was to take is broken off; what was found before is kept.
_MAX_OVERRUN = 1.5


def _overrun(deadline: Deadline, seconds: float) -> Deadline:
    """When a piece of preparation is left behind that was to take so many seconds: the match must not wait for it."""
    return deadline if deadline.at is None else deadline.with_margin().or_within(_MAX_OVERRUN * max(0.0, seconds))


def symmetries_in_time(game: Game, deadline: Deadline) -> Symmetries | None:
    """The symmetries of a game, looked for in a part of a start clock; None if there is none, or it is short."""
    if deadline.at is None or deadline.remaining <= _LONG_CLOCK_S:
        return None
    # Not before it is needed: importing players must not take as long as importing NumPy.
    from ludorum.analysis.symmetry import find_symmetries

    seconds = min(_SYMMETRY_MAX_S, _SYMMETRY_SHARE * deadline.remaining)
    return by_deadline(lambda: find_symmetries(game, Budget.within(seconds)), _overrun(deadline, seconds))


def factoring_deadline(deadline: Deadline) -> Deadline:
    """By when it must be known whether a game is really several games."""
    if deadline.at is None:
        return Deadline.within(_FACTORING_NO_CLOCK_S)
    return deadline.or_within(min(_SYMMETRY_MAX_S, _SYMMETRY_SHARE * max(0.0, deadline.remaining)))


def parts_in_time(game: Game, deadline: Deadline) -> Parts | Absent:
    """The parts of a game that is really several, found in a part of the time; or why it is played as a whole."""
    from ludorum.analysis.factors import take_apart

    within = factoring_deadline(deadline)
    found = by_deadline(lambda: take_apart(game, Budget(deadline=within)), _overrun(deadline, within.remaining))
    return Absent("its parts were not found in time") if found is None else found


def invariants_in_time(game: Game, deadline: Deadline) -> Invariants | None:
    """What is known to hold always, or can be proved in a part of a start clock; None if there is none, or it is short.

    A game remembers it for all who play it.
    """
    if game.invariants is not None or deadline.at is None or deadline.remaining <= _LONG_CLOCK_S:
        return game.invariants
    from ludorum.analysis.invariants import invariants

    seconds = min(_PROOF_MAX_S, _PROOF_SHARE * deadline.remaining)
    return by_deadline(lambda: invariants(game, Budget.within(seconds)), _overrun(deadline, seconds))


def evaluation_in_time(game: Game, deadline: Deadline, settings: EvaluationSettings | None = None,
                       invariants: Invariants | None = None) -> StateEvaluation | Absent:
    """What the rules say of states, made in a part of the time; or why there is none, in one sentence."""
    from ludorum.evaluate import evaluation

    try:
        within = deadline if deadline.at is None else deadline.or_within(_EVALUATION_SHARE * deadline.remaining)
        made = by_deadline(lambda: evaluation(game, settings, invariants=invariants, budget=Budget(deadline=within)),
                           _overrun(deadline, within.remaining))
    except (NoCircuit, BudgetExceeded) as error:
        return Absent(str(error))
    return Absent("the evaluation was not made in time") if made is None else made


def late_evaluation(game: Game, settings: EvaluationSettings | None = None,
                    invariants: Invariants | None = None) -> LateEvaluation:
    """What the rules say of states, for who can wait for it while the match goes on."""
    from ludorum.evaluate import evaluation

    return LateEvaluation(lambda budget: evaluation(game, settings, invariants=invariants, budget=budget))


def named_evaluation_in_time(name: str, game: Game, deadline: Deadline) -> StateEvaluation | Absent:
    """The same by its name as an option of players, `fluents`, `counting` or `net`; anything else is the fuzzy one.

    All are fitted to the outcomes of playouts or matches, so that they speak in the unit of goals.
    """
    from ludorum.evaluate import EvaluationSettings

    if name == "fluents":
        return fluent_weights_in_time(game, deadline)
    if name == "net":
        return net_in_time(game, deadline)
    if name == "counting":
        return counting_in_time(game, deadline, EvaluationSettings(goals=0, counting=1, is_fitted=True))
    return evaluation_in_time(game, deadline, EvaluationSettings(is_fitted=True))


def counting_in_time(game: Game, deadline: Deadline,
                     settings: EvaluationSettings | None = None) -> StateEvaluation | Absent:
    """How far the conditions of goals are met, found in a part of the time; or why that is not known."""
    from ludorum.evaluate import EvaluationSettings

    made = evaluation_in_time(game, deadline, settings or EvaluationSettings(goals=0, counting=1))
    if not isinstance(made, Absent) and made.report["counting"].is_empty:
        return Absent("its goals give nothing to count")
    return made


def sees_ends(game: Game, deadline: Deadline) -> bool:
    """Whether playouts can tell of some moves that they end the game at once, as far as it is known in time."""
    from ludorum.engines.abilities import Simulates

    reasoner = game.reasoner
    if not isinstance(reasoner, Simulates):
        return False
    moves = by_deadline(lambda: reasoner.simulator().decisive_moves(), deadline.part(_ENDS_SHARE))
    return moves is not None and moves > 0


def net_in_time(game: Game, deadline: Deadline) -> StateEvaluation | Absent:
    """The net that was learned for a game before, or one that learns in a part of a long start clock; or why not."""
    from ludorum.learn.store import find_net, net_evaluation

    try:
        game.circuit  # noqa: B018 (raises NoCircuit, which says why)
        known = find_net(game)
        if known is not None:
            return net_evaluation(game, *known)
        if deadline.at is None or deadline.remaining < LEARNING_MIN_CLOCK_S:
            return Absent(f"no net was learned for {game.name}")
        from ludorum.learn.learning import learn
        from ludorum.learn.settings import LearnSettings

        seconds = min(_LEARNING_MAX_S, _LEARNING_SHARE * deadline.remaining)
        within = deadline.or_within(seconds)
        run = by_deadline(lambda: learn(game, LearnSettings(gate_every=8, gate_pairs=100), deadline=within),
                          _overrun(deadline, seconds))
    except (NoCircuit, CannotLearn, BudgetExceeded) as error:
        return Absent(str(error))
    if run is None:
        return Absent("the net did not learn in time")
    if not run.progress.champion:
        return Absent("the net learned nothing in time")
    return net_evaluation(game, run.champion, run.told)


def fluent_weights_in_time(game: Game, deadline: Deadline) -> StateEvaluation | Absent:
    """What states are worth by the fluents that hold there, found in a part of the time; or why that is not known."""
    from ludorum.evaluate import EvaluationSettings

    return evaluation_in_time(game, deadline, EvaluationSettings(goals=0, fluents=1))
