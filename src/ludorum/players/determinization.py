"""A player of games it can see, in a game it cannot: it is shown states that are possible, and the mean counts.

In the literature: determinization, or perfect-information Monte Carlo (Ginsberg 2001; Long et al. 2010).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.move import Move, Role
from ludorum.players.player import Playing, PlaysInDoubt

if TYPE_CHECKING:
    from ludorum.belief import Belief

# More samples leave each too little time to think.
_MAX_SAMPLES = 8


def determinized_move(playing: Playing, belief: Belief, role: Role, deadline: Deadline,
                      worth: dict[Move, float] | None = None) -> Move:
    """The move that is worth the most on average in states that are possible; legal in all that are kept, if any is.

    Somebody who plays by beliefs is asked instead. Each state counts by how likely it is. A player that does not tell
    what moves are worth is taken to find the one that it chooses worth everything.
    Time is shared by up to eight states; where the state is known it is all for one.
    Who wants to know how moves stand while it thinks hands over `worth`. Raises LudorumError if no move is legal.
    """
    legal = belief.legal
    if not legal:
        raise LudorumError(f"{role} has no legal move in {belief}")
    if len(legal) == 1:
        return legal[0]
    if isinstance(playing, PlaysInDoubt):
        return playing.move_in_doubt(belief, deadline)
    if len(belief) == 1:
        return playing.move(belief.states[0], deadline)
    worth = {} if worth is None else worth
    worth |= dict.fromkeys(legal, 0.0)
    samples = belief.samples(_MAX_SAMPLES)
    for number, (state, weight) in enumerate(samples):
        if number and deadline.passed:
            break
        if state.is_terminal or not state.legal(role):
            continue
        share = None if deadline.at is None else max(0.0, deadline.remaining / (len(samples) - number))
        chosen = playing.move(state, deadline.or_within(share))
        info = playing.info
        values = {chosen: 100.0} if info is None or chosen not in info.values else info.values
        for move, value in values.items():
            if move in worth:
                worth[move] += weight * value
    return max(legal, key=worth.__getitem__)
