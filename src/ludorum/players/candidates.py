"""Who may play a game instead of the plain tree search: candidates of the trial before the first move.

Evaluations are made first, each in a part of the time; who needs one that was not made in time is no candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from ludorum.absent import Absent
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.players.choices import Choice
from ludorum.players.flux import Flux
from ludorum.players.mcts import MCTS, Cadia
from ludorum.players.player_selection import Candidate
from ludorum.players.pregame import (
    LEARNING_MIN_CLOCK_S,
    counting_in_time,
    evaluation_in_time,
    fluent_weights_in_time,
    invariants_in_time,
    net_in_time,
    sees_ends,
)

if TYPE_CHECKING:
    from ludorum.evaluate import StateEvaluation
    from ludorum.players.ludorum import Ludorum

#: The evaluations that candidates may need.
EvaluationKind = Literal["net", "fluents", "rules", "counting"]

# The parts of the time left within which evaluations are made, in this order; each takes half of its part at the most.
_SHARES: dict[EvaluationKind, float] = {"net": 0.6, "fluents": 0.6, "rules": 0.4, "counting": 0.2}
# Who wins quick matches by what it knows often does not with more time, when a tree search sees more: in knightthrough
# alpha-beta by fluents won 20 of 20 at 6 ms a move, and 1 of 6 at 40 ms.
_FLUX_ODDS = 8.0
# So it is with playouts that look for replies: in breakthrough they won 16 of 16 at 2 ms, and 1 of 4 at 40 ms.
_REPLIES_ODDS = 4.0
# The part of the choices that are made uniformly in playouts that look for replies.
_REPLIES_EPSILON = 0.4
# Where there is less time than this, in seconds, rules are not made into evaluations, unless who was best needs it.
_RULES_MIN_CLOCK_S = 6.0


@dataclass(frozen=True)
class Recipe:
    """How a candidate is made of the player's options, and of an evaluation if it needs one."""

    name: str
    make: Callable[[Ludorum, StateEvaluation | None], MCTS | Flux]
    needs: EvaluationKind | None = None
    #: Whether its playouts are decisive, where moves that end the game can be told.
    is_decisive: bool = False
    odds: float = 1.0


def _tree(player: Ludorum, evaluation: StateEvaluation | None, *, kind: type[MCTS] = MCTS, decisive: bool = False,
          cutoff: int | None = None, rave: bool = False, replies: bool = False) -> MCTS:
    made = player.mcts(kind)
    if decisive:
        made = made.but(decisive=True)
    if replies:
        made = made.but(policy="replies", epsilon=_REPLIES_EPSILON)
    if rave:
        made = made.but(rave="adaptive")
    return made if evaluation is None else player.with_prior(made, evaluation, cutoff)


def _flux(player: Ludorum, evaluation: StateEvaluation | None) -> Flux:
    assert evaluation is not None
    return player.flux(evaluation)


#: Who plays where nothing is known but that playouts can see some ends: in the games that were measured it was much
#: better than plain tree search or as good.
DECISIVE = "mcts with decisive playouts"
_DECISIVE = partial(_tree, decisive=True)
#: All of them; those that were best most often in the games of the library come first.
RECIPES = (
    Recipe("mcts with a net and decisive playouts", _DECISIVE, "net", is_decisive=True),
    Recipe("mcts with a net", _tree, "net"),
    Recipe("mcts with a net and no playouts", partial(_tree, cutoff=0), "net"),
    Recipe(DECISIVE, _DECISIVE, is_decisive=True),
    Recipe("mcts with a prior and decisive playouts", _DECISIVE, "fluents", is_decisive=True),
    Recipe("mcts with a prior", _tree, "fluents"),
    Recipe("cadia", partial(_tree, kind=Cadia)),
    Recipe("cadia with a prior", partial(_tree, kind=Cadia), "fluents"),
    Recipe("mcts with replies", partial(_tree, replies=True), odds=_REPLIES_ODDS),
    Recipe("mcts with rave", partial(_tree, rave=True)),
    Recipe("flux by a net", _flux, "net", odds=_FLUX_ODDS),
    Recipe("flux by fluents", _flux, "fluents", odds=_FLUX_ODDS),
    Recipe("flux", _flux, "rules", odds=_FLUX_ODDS),
    Recipe("toss", _flux, "counting", odds=_FLUX_ODDS),
)


def candidates(player: Ludorum, game: Game, deadline: Deadline, known: Choice,
               kinds: Sequence[EvaluationKind] = tuple(_SHARES)) -> tuple[list[Candidate], list[str]]:
    """Those that there was time to make, the best by what is known first; and why others are not among them.

    With `kinds`, no other evaluations are made.
    """
    found: dict[EvaluationKind, StateEvaluation] = {}
    told: list[str] = []
    best = next((recipe for recipe in RECIPES if recipe.name == known.name), None)
    for kind in kinds:
        if kind in ("rules", "counting") and deadline.remaining < _RULES_MIN_CLOCK_S \
                and (best is None or best.needs != kind):
            continue
        made = _evaluation(kind, game, deadline)
        if not isinstance(made, Absent):
            found[kind] = made
        elif kind != "net" or deadline.remaining >= LEARNING_MIN_CLOCK_S:
            told.append(made.reason)
    decides = sees_ends(game, deadline)
    chosen = [_candidate(player, recipe, None if recipe.needs is None else found[recipe.needs], known)
              for recipe in RECIPES
              if (recipe.needs is None or recipe.needs in found) and (decides or not recipe.is_decisive)]
    return sorted(chosen, key=lambda candidate: -candidate.share), list(dict.fromkeys(told))


def candidate_named(name: str, player: Ludorum, game: Game, deadline: Deadline) -> MCTS | Flux | None:
    """One of them alone; None if there is none of that name, or what it needs cannot be made in time."""
    for recipe in RECIPES:
        if recipe.name != name:
            continue
        if recipe.needs is None:
            return recipe.make(player, None)
        made = None if deadline.at is None else _evaluation(recipe.needs, game, deadline)
        return None if made is None or isinstance(made, Absent) else recipe.make(player, made)
    return None


def _candidate(player: Ludorum, recipe: Recipe, evaluation: StateEvaluation | None, known: Choice) -> Candidate:
    won, matches = known.before(recipe.name)
    return Candidate(recipe.name, lambda: recipe.make(player, evaluation), known_won=won, known_matches=matches,
                     odds=recipe.odds)


def _evaluation(kind: EvaluationKind, game: Game, deadline: Deadline) -> StateEvaluation | Absent:
    if kind == "net" and deadline.remaining < LEARNING_MIN_CLOCK_S:
        # One that was learned before takes no time.
        return net_in_time(game, deadline)
    within = deadline.part(_SHARES[kind])
    if kind == "net":
        return net_in_time(game, within)
    if kind == "fluents":
        return fluent_weights_in_time(game, within)
    if kind == "counting":
        return counting_in_time(game, within)
    return evaluation_in_time(game, within, invariants=invariants_in_time(game, within))
