"""How far away every fluent is at first, and the graph that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludorum.analysis.distances import UNREACHABLE, FluentGraph, Preference, fluent_graphs
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.gdl.terms import Term


@dataclass(frozen=True, eq=False)
class Reach:
    """The fluent graph of a game, and distances from the initial state; no match gets anywhere sooner."""

    graph: FluentGraph
    #: For every fluent the steps that it takes at least until it holds, None if it never can.
    steps: dict[Term, int | None]

    @property
    def furthest(self) -> int:
        return max((steps for steps in self.steps.values() if steps is not None), default=0)

    def __str__(self) -> str:
        return f"{self.graph}; the furthest fluent is at least {self.furthest} step{'s' * (self.furthest != 1)} away"

    def to_json(self) -> dict[str, Any]:
        return {"fluents": len(self.graph.fluents), "edges": len(self.graph.sources), "furthest": self.furthest,
                "from_initial": {str(fluent): steps for fluent, steps in self.steps.items()}}


def reach(game: Game, budget: Budget) -> Reach:
    """The fluent graph and the distances from the initial state; raises NoCircuit and TooSlow."""
    graphs = fluent_graphs(game, budget=budget)
    # Every graph is right, so the one that says most is best; what one of them never reaches is never reached.
    by_graph = np.stack([graph.distances_from(game.initial) for graph in graphs.values()])
    most, never = by_graph.max(axis=0), (by_graph == UNREACHABLE).any(axis=0)
    graph = graphs[Preference()]
    return Reach(graph, {fluent: None if never[number] else int(most[number])
                         for number, fluent in enumerate(graph.fluents)})
