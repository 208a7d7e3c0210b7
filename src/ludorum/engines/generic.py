"""Playouts, successors and counts by asking any engine one question after the other.

This is for engines that have no faster way of their own (`abilities`), and for comparing those that do.
"""

from __future__ import annotations

from itertools import islice, product
from math import prod
from random import Random

from ludorum.engines.playouts import UNDEFINED, Outcome, Playouts
from ludorum.engines.protocol import Position, Reasoner
from ludorum.gdl.terms import Term


def playouts(reasoner: Reasoner, n: int, position: Position, *, seed: int = 0,
             max_steps: int = 10_000) -> Playouts:
    """Play n matches where every role chooses uniformly; the same seed gives the same matches."""
    import numpy as np

    random = Random(seed)
    goals = np.empty((n, len(reasoner.roles)), dtype=np.int16)
    lengths = np.empty(n, dtype=np.int32)
    outcomes = np.empty(n, dtype=np.uint8)
    for i in range(n):
        last, lengths[i], outcomes[i] = _playout(reasoner, position, random, max_steps)
        goals[i] = [UNDEFINED if goal is None else goal for goal in reasoner.goals(last)]
    return Playouts(tuple(map(str, reasoner.roles)), goals, lengths, outcomes)


def _playout(reasoner: Reasoner, position: Position, random: Random,
             max_steps: int) -> tuple[Position, int, Outcome]:
    length = 0
    while not reasoner.is_terminal(position):
        legal = reasoner.legal(position)
        if not all(legal):
            return position, length, Outcome.STUCK
        if length == max_steps:
            return position, length, Outcome.CUT
        position = reasoner.after(position, [random.choice(moves) for moves in legal])
        length += 1
    return position, length, Outcome.FINISHED


def expand(reasoner: Reasoner, position: Position,
           limit: int | None = None) -> list[tuple[tuple[Term, ...], Position]]:
    """Every joint move with its successor, none for a terminal position; at most `limit` if given."""
    if reasoner.is_terminal(position):
        return []
    joints = islice(product(*reasoner.legal(position)), limit)
    return [(joint, reasoner.after(position, joint)) for joint in joints]


def perft(reasoner: Reasoner, position: Position, depth: int) -> list[int]:
    """The numbers of sequences of joint moves of lengths 1 to `depth`."""
    # Level by level, with the number of ways into each position: transpositions are expanded once.
    level: dict[Position, int] = {position: 1}
    counts = []
    for remaining in range(depth, 0, -1):
        following: dict[Position, int] = {}
        count = 0
        for here, ways in level.items():
            if reasoner.is_terminal(here):
                continue
            legal = reasoner.legal(here)
            count += ways * prod(map(len, legal))
            if remaining > 1:
                for joint in product(*legal):
                    there = reasoner.after(here, joint)
                    following[there] = following.get(there, 0) + ways
        counts.append(count)
        level = following
    return counts
