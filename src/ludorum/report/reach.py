"""How far away every fluent is at first, and the graph that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludorum.analysis.distances import FluentGraph, distances, fluent_graph
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.gdl.terms import Term

# Distances between so many fluents fit into memory, and nobody reads more.
_MOST_FLUENTS = 4_000


@dataclass(frozen=True, eq=False)
class Reach:
    """The fluent graph of a game, and distances from the initial state; no match gets anywhere sooner."""

    graph: FluentGraph
    #: For every fluent the steps that it takes at least until it holds, None if it never can.
    steps: dict[Term, int | None]

    @property
    def furthest(self) -> int:
        return max((steps for steps in self.steps.values() if steps is not None), default=0)

    def to_json(self) -> dict[str, Any]:
        return {"fluents": len(self.graph.fluents), "edges": len(self.graph.sources), "furthest": self.furthest,
                "from_initial": {str(fluent): steps for fluent, steps in self.steps.items()}}


def reach(game: Game, deadline: Deadline) -> Reach:
    """The fluent graph and the distances from the initial state; raises NoCircuit, and TooSlow at the deadline."""
    graph = fluent_graph(game, deadline=deadline)
    targets = range(min(len(graph.fluents), _MOST_FLUENTS))
    rows = distances(game, targets, deadline=deadline).rows
    held = [*map(graph.number, game.initial.fluents), len(graph.fluents)]
    far = np.where(rows[:, held] < 0, np.iinfo(np.int32).max, rows[:, held]).min(axis=1)
    steps = {graph.fluents[target]: None if far[target] == np.iinfo(np.int32).max else int(far[target])
             for target in targets}
    return Reach(graph, steps)
