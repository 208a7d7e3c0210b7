"""A player of games it can see, in a game it cannot: it is shown states that are possible, and their votes count."""

from __future__ import annotations

from collections import Counter

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.move import Move, Role
from ludorum.players.player import Player
from ludorum.search.belief import Belief

# More samples leave each too little time to think.
_SAMPLES = 8


def move_in_doubt(player: Player, belief: Belief, role: Role, deadline: Deadline) -> Move:
    """The move that a player chooses most often in states that are possible; legal in all that are kept, if any is.

    Time is shared by up to eight samples; where the state is known it is all for one. Raises LudorumError if no move is
    legal.
    """
    legal = belief.legal
    if not legal:
        raise LudorumError(f"{role} has no legal move in {belief}")
    if len(legal) == 1:
        return legal[0]
    if len(belief.states) == 1:
        return player.move(belief.states[0], role, deadline)
    votes: Counter[Move] = Counter()
    samples = min(_SAMPLES, len(belief.states))
    for left in range(samples, 0, -1):
        if votes and deadline.passed:
            break
        state = belief.sample()
        if state.is_terminal or not state.legal(role):
            continue
        share = None if deadline.at is None else max(0.0, deadline.remaining / left)
        votes[player.move(state, role, deadline.or_within(share))] += 1
    chosen = [move for move, _ in votes.most_common() if move in legal]
    return chosen[0] if chosen else legal[0]
