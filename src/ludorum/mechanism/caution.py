"""Moves after which nobody can make a role lose, in a small game.

In the literature: constrained zero intelligence (Gode, Sunder 1993) needs no more than this.
"""

from __future__ import annotations

import numpy as np

from ludorum.equilibrium import GameTree
from ludorum.gdl.terms import Term
from ludorum.move import Move

#: The goal of a trader that neither gains nor loses.
BREAK_EVEN = 50.0
# Averages over chance are as exact as this.
_TOLERANCE = 1e-9


def safe_moves(tree: GameTree, role: str) -> dict[tuple[tuple[Move, frozenset[Term]], ...], tuple[Move, ...]]:
    """By what a role has done and been told, the moves after which it can see to it that it does not lose.

    Whatever the others do, and on average over chance. Where there is none, those that lose the least.
    """
    player = tree.players.index(tree.game.role(role))
    sequences, weights, payoffs = tree.core.outcomes()
    worst = np.full(len(tree.core.moves(player)), np.inf)
    np.minimum.at(worst, sequences[:, player], payoffs[:, player] / weights)
    sets = tree.core.sets(player).tolist()
    for parent, first, count, _ in reversed(sets):
        worst[parent] = min(worst[parent], worst[first:first + count].max())
    found = {}
    for known, (_, first, count, _) in zip(tree.information_sets(role), sets, strict=True):
        bar = min(BREAK_EVEN, float(worst[first:first + count].max())) - _TOLERANCE
        found[known.history] = tuple(move for number, move in enumerate(known.moves) if worst[first + number] >= bar)
    return found
