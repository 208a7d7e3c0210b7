"""How many steps it takes at least until a fluent holds: fluent graphs and their distances."""

from ludorum.analysis.distances.distances import Distances, distances, fluent_graphs
from ludorum.analysis.distances.graph import UNREACHABLE, FluentGraph
from ludorum.analysis.distances.preconditions import Preference, fluent_graph

__all__ = ["UNREACHABLE", "Distances", "FluentGraph", "Preference", "distances", "fluent_graph", "fluent_graphs"]
