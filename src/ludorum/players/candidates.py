"""Who may play a game instead of the plain tree search: candidates of the trial before the first move.

Evaluations are made first, each in a part of the time; who needs one that was not made in time is no candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.players.mcts import Cadia
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
    from ludorum.players.ludorum import Ludorum

# The parts of the time left within which evaluations are made; each takes half of its part at the most.
_NET_SHARE, _WEIGHTS_SHARE, _RULES_SHARE, _COUNTING_SHARE = 0.6, 0.6, 0.4, 0.2
# Where there is less time than this, in seconds, the rules are not made into an evaluation.
_RULES_MIN_CLOCK_S = 6.0


def candidates(player: Ludorum, game: Game, deadline: Deadline, first: str | None) -> tuple[list[Candidate], list[str]]:
    """Those that there was time to make, who was best before first; and why others are not among them."""
    made: list[Candidate] = []
    told: list[str] = []
    has_time_to_learn = deadline.remaining >= LEARNING_MIN_CLOCK_S
    net = net_in_time(game, deadline.part(_NET_SHARE) if has_time_to_learn else deadline)
    if not isinstance(net, Absent):
        made += [Candidate("mcts with a net", lambda: player.with_prior(player.mcts(), net)),
                 Candidate("mcts with a net and no playouts",
                           lambda: player.with_prior(player.mcts(), net, cutoff=0)),
                 Candidate("flux by a net", lambda: player.flux(net))]
    elif has_time_to_learn:
        told.append(net.reason)
    weights = fluent_weights_in_time(game, deadline.part(_WEIGHTS_SHARE))
    if isinstance(weights, Absent):
        told.append(weights.reason)
    else:
        made += [Candidate("mcts with a prior", lambda: player.with_prior(player.mcts(), weights)),
                 Candidate("flux by fluents", lambda: player.flux(weights))]
    if sees_ends(game):
        made.append(Candidate("mcts with decisive playouts", lambda: player.mcts().but(decisive=True)))
    made.append(Candidate("cadia", lambda: player.mcts(Cadia)))
    if not isinstance(weights, Absent):
        made.append(Candidate("cadia with a prior", lambda: player.with_prior(player.mcts(Cadia), weights)))
    if deadline.remaining >= _RULES_MIN_CLOCK_S or first == "flux":
        within = deadline.part(_RULES_SHARE)
        rules = evaluation_in_time(game, within, invariants=invariants_in_time(game, within))
        if isinstance(rules, Absent):
            told.append(rules.reason)
        else:
            made.append(Candidate("flux", lambda: player.flux(rules)))
        counted = counting_in_time(game, deadline.part(_COUNTING_SHARE))
        if isinstance(counted, Absent):
            told.append(counted.reason)
        else:
            made.append(Candidate("toss", lambda: player.flux(counted)))
    return sorted(made, key=lambda candidate: candidate.name != first), list(dict.fromkeys(told))
