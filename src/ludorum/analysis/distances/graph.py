"""Fluent graphs: an edge leads from f to g if g may hold next because f holds now.

Whatever holds after a step has an edge from something that held before it, or from nothing. So no way from one fluent
to another is shorter than the path between them, and the distance from a state to a fluent is a lower bound on the
steps that it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum._core import fluent_distances
from ludorum.errors import UnknownFluent
from ludorum.gdl import parse_term
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.state import State

UNREACHABLE = -1


@dataclass(frozen=True, eq=False)
class FluentGraph:
    """The edges between the fluents of a game, in numbers: `sources[offsets[g]:offsets[g + 1]]` are those that lead to
    fluent g. The number after the last fluent stands for nothing: what needs no fluent at all to hold."""

    fluents: tuple[Term, ...]
    offsets: NDArray[np.uint32]
    sources: NDArray[np.uint32]

    def before(self, fluent: Term | str) -> frozenset[Term | None]:
        """What the edges to a fluent come from: of these, at least one holds before it does. None is nothing."""
        number = self.number(fluent)
        found = self.sources[self.offsets[number] : self.offsets[number + 1]]
        return frozenset(None if source == len(self.fluents) else self.fluents[source] for source in found)

    def edges(self) -> Iterator[tuple[Term | None, Term]]:
        for fluent in self.fluents:
            for source in sorted(self.before(fluent), key=str):
                yield source, fluent

    def distance(self, state: State | Iterable[Term | str], fluent: Term | str) -> int | None:
        """At least so many steps from a state until the fluent holds; None if it never can."""
        held = state.fluents if isinstance(state, State) else state
        row = self.distances_to([self.number(fluent)])[0]
        found = row[[*map(self.number, held), len(self.fluents)]]
        reachable = found[found != UNREACHABLE]
        return int(reachable.min()) if len(reachable) else None

    def distances_to(self, targets: Iterable[int]) -> NDArray[np.int32]:
        """int32 [targets, fluents + 1]: the length of the shortest path from every fluent, and from nothing, to each
        target, all by their numbers; −1 where there is none."""
        return fluent_distances(self.offsets, self.sources, np.fromiter(targets, dtype=np.uint32))

    def distances_from(self, state: State | Iterable[Term | str]) -> NDArray[np.int32]:
        """int32 [fluents]: at least so many steps from a state until each fluent holds; −1 where it never can."""
        count = len(self.fluents)
        held = [*map(self.number, state.fluents if isinstance(state, State) else state), count]
        # With every edge turned round, and one more node that all paths to the state go on to.
        reached = np.repeat(np.arange(count, dtype=np.uint32), np.diff(self.offsets))
        sources = np.concatenate([reached[np.argsort(self.sources, kind="stable")], np.array(held, dtype=np.uint32)])
        sizes = np.append(np.bincount(self.sources, minlength=count + 1), len(held))
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        row = fluent_distances(offsets, sources, np.array([count + 1], dtype=np.uint32))[0, :count]
        return np.where(row == UNREACHABLE, UNREACHABLE, row - 1)

    def longest(self, fluent: Term | str) -> int:
        """The largest distance to a fluent that is not infinite."""
        return int(self.distances_to([self.number(fluent)]).max())

    def number(self, fluent: Term | str) -> int:
        """The number of a fluent; raises UnknownFluent."""
        term = parse_term(fluent) if isinstance(fluent, str) else fluent
        if term not in self._numbers:
            raise UnknownFluent(f"{term} cannot hold in any state of this game")
        return self._numbers[term]

    @cached_property
    def _numbers(self) -> dict[Term, int]:
        return {fluent: number for number, fluent in enumerate(self.fluents)}

    def to_dot(self, fluents: Iterable[Term | str] | None = None) -> str:
        """The graph, or the part of it that lies between some fluents, as Graphviz draws it; loops are left out."""
        shown = set(self.fluents if fluents is None else (self.fluents[self.number(fluent)] for fluent in fluents))
        lines = [f'  "{"∅" if source is None else source}" -> "{target}";' for source, target in self.edges()
                 if target in shown and (source is None or source in shown) and source != target]
        return "\n".join(["digraph fluents {", *(f'  "{fluent}";' for fluent in sorted(shown, key=str)), *lines, "}"])

    def __str__(self) -> str:
        fluents, edges = len(self.fluents), len(self.sources)
        return f"fluent graph: {fluents} {agree(fluents, 'fluent')}, {edges} {agree(edges, 'edge')}"
