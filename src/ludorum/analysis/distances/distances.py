"""Distances to many fluents, each by the fluent graph that says most about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.distances.graph import UNREACHABLE, FluentGraph
from ludorum.analysis.distances.preconditions import Preference, fluent_graph
from ludorum.analysis.invariants import Invariants
from ludorum.analysis.samples import samples
from ludorum.clock import Budget
from ludorum.errors import TooLarge, TooSlow
from ludorum.game import Game

#: Graphs are compared by the distances of so many states, out of so many that random play finds.
STATES = 200
_SAMPLES = 20_000
# With many targets and large states fewer must do, so that no more than so many distances are looked at.
_LOOKED_AT, _FEWEST_STATES = 1_000_000_000, 4
# Targets are taken in blocks with so many distances by one graph; all rows that are kept have no more than so many.
_BLOCK, _MOST = 4_000_000, 250_000_000
# Arguments further right are those of descriptions with all the game in one fluent.
_MOST_ARGUMENTS = 6


@dataclass(frozen=True, eq=False)
class Distances:
    """How far it is to some fluents: `rows[i]` are the distances to `targets[i]`, as in `FluentGraph.distances_to`."""

    targets: tuple[int, ...]
    rows: NDArray[np.int32]
    #: Which graph each row comes from.
    preferences: tuple[Preference, ...]


def fluent_graphs(game: Game, *, invariants: Invariants | None = None,
                  budget: Budget | None = None) -> dict[Preference, FluentGraph]:
    """The fluent graph of the thesis, and those that prefer one argument each.

    Where the budget is used up, those that are there must do; raises TooSlow if there is none, and NoCircuit.
    """
    budget = budget or Budget()
    graphs = {Preference(): fluent_graph(game, invariants=invariants, budget=budget)}
    arities = [len(fluent.args) for fluent in game.fluents or ()]
    for argument in range(min(max(arities, default=0), _MOST_ARGUMENTS)):
        try:
            graphs[Preference(argument)] = fluent_graph(game, Preference(argument), invariants=invariants,
                                                        budget=budget)
        except TooSlow:
            break
    return graphs


def distances(game: Game, targets: Sequence[int], *, invariants: Invariants | None = None,
              budget: Budget | None = None) -> Distances:
    """The distances to fluents, given by their numbers.

    All that fluent graphs say is a lower bound, so of several the best is the one that says most: here the one by which
    the states of random play are furthest away on average. Raises as `fluent_graphs` does, and TooLarge.
    """
    budget = budget or Budget()
    graphs = fluent_graphs(game, invariants=invariants, budget=budget)
    width = len(game.fluents or ()) + 1
    if len(targets) * width > _MOST:
        raise TooLarge(f"distances to {len(targets):,} fluents from {width:,} others are too many to be kept")
    rows, preferences = np.empty((len(targets), width), dtype=np.int32), list[Preference]()
    states = _states(game, len(graphs) * len(targets), budget) if len(targets) else []
    size = max(1, _BLOCK // width)
    for start in range(0, len(targets), size):
        by_graph = [graph.distances_to(targets[start : start + size]) for graph in graphs.values()]
        best = _furthest(np.stack(by_graph), states)
        rows[start : start + size] = [by_graph[graph][row] for row, graph in enumerate(best)]
        preferences += [tuple(graphs)[graph] for graph in best]
    return Distances(tuple(targets), rows, tuple(preferences))


def _states(game: Game, rows: int, budget: Budget) -> list[NDArray[np.int64]]:
    """What holds in some states of random play, to look up so many rows of distances; nothing holds everywhere."""
    found = samples(game, _SAMPLES, budget=budget.share(0.5))
    chosen = np.unique(np.linspace(0, len(found) - 1, STATES).astype(np.int64))
    states = [np.append(np.flatnonzero(bits), len(bits)) for bits in found.bits[chosen]]
    affordable = max(_FEWEST_STATES, _LOOKED_AT // max(1, rows * sum(map(len, states)) // len(states)))
    return states[:: -(-len(states) // affordable)]


def _furthest(rows: NDArray[np.int32], states: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """For every target the graph by which it is furthest away; the first of equals."""
    beyond = rows.max(axis=(0, 2)) + 1
    far = np.where(rows == UNREACHABLE, beyond[None, :, None], rows)
    best: NDArray[np.int64] = np.argmax(sum(far[:, :, held].min(axis=2).astype(np.int64) for held in states), axis=0)
    return best
