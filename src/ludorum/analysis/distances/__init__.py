"""How many steps it takes at least until a fluent holds: fluent graphs and their distances."""

from ludorum.analysis.distances.distances import Distances, distances
from ludorum.analysis.distances.graph import FluentGraph
from ludorum.analysis.distances.preconditions import Preference, fluent_graph

__all__ = ["Distances", "FluentGraph", "Preference", "distances", "fluent_graph"]
