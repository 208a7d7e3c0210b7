"""Distances to many fluents, each by the fluent graph that says most about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.distances.graph import UNREACHABLE
from ludorum.analysis.distances.preconditions import Preference, fluent_graph
from ludorum.analysis.samples import samples
from ludorum.clock import NEVER, Deadline
from ludorum.errors import TooSlow
from ludorum.game import Game

#: Graphs are compared by the distances of so many states, out of so many that random play finds, in a few moments.
STATES = 200
_SAMPLES, _SECONDS = 20_000, 0.5
# Arguments further right are those of descriptions with all the game in one fluent.
_MOST_ARGUMENTS = 6


@dataclass(frozen=True, eq=False)
class Distances:
    """How far it is to some fluents: `rows[i]` are the distances to `targets[i]`, as in `FluentGraph.distances_to`."""

    targets: tuple[int, ...]
    rows: NDArray[np.int32]
    #: Which graph each row comes from.
    preferences: tuple[Preference, ...]


def distances(game: Game, targets: Sequence[int], *, deadline: Deadline = NEVER) -> Distances:
    """The distances to fluents, given by their numbers.

    All that fluent graphs say is a lower bound, so of several the best is the one that says most: here the one by which
    the states of random play are furthest away on average. The first is that of the thesis, the others prefer one
    argument each. At the deadline those that are there must do; raises TooSlow if there is none, and NoCircuit.
    """
    graphs = {Preference(): fluent_graph(game, deadline=deadline)}
    arities = [len(fluent.args) for fluent in game.fluents or ()]
    for argument in range(min(max(arities, default=0), _MOST_ARGUMENTS)):
        try:
            graphs[Preference(argument)] = fluent_graph(game, Preference(argument), deadline=deadline)
        except TooSlow:
            break
    rows = np.stack([graph.distances_to(targets) for graph in graphs.values()])
    best = _furthest(game, rows, deadline) if len(targets) else np.zeros(0, dtype=np.int64)
    preferences = tuple(graphs)
    return Distances(tuple(targets), rows[best, np.arange(len(targets))], tuple(preferences[i] for i in best))


def _furthest(game: Game, rows: NDArray[np.int32], deadline: Deadline) -> NDArray[np.int64]:
    """For every target the graph by which it is furthest away; the first of equals."""
    found = samples(game, _SAMPLES, seconds=min(_SECONDS, max(0.0, deadline.remaining) / 2))
    chosen = np.unique(np.linspace(0, len(found) - 1, STATES).astype(np.int64))
    bits = np.ones((len(chosen), rows.shape[2]), dtype=bool)
    bits[:, :-1] = found.bits[chosen]
    # The fluents of one state after the other, and where each state begins; nothing holds everywhere.
    _, held = np.nonzero(bits)
    begins = np.concatenate([[0], np.cumsum(bits.sum(axis=1))[:-1]])
    beyond = rows.max(axis=(0, 2)) + 1
    far = np.where(rows == UNREACHABLE, beyond[None, :, None], rows)
    means = [np.minimum.reduceat(of_graph[:, held], begins, axis=1).mean(axis=1) for of_graph in far]
    best: NDArray[np.int64] = np.argmax(np.stack(means), axis=0)
    return best
