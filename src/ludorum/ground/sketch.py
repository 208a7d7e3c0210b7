"""The sizes of relations before the game is grounded: a sketch from its rules.

What is the same in all states is known exactly. Of the other relations only the values that each argument can
have are known; every combination of them is taken to be possible, which is too many but tells what is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ludorum.asp.encoding import Symbol, identifier, symbol
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.guards import Position, places, positions_of
from ludorum.gdl.terms import Term, Variable, variables
from ludorum.ground.sizes import Extent, Measured, Row


class _Function(NamedTuple):
    """Any term with this function at the top."""

    name: str
    arity: int


Values = dict[Position, set[Symbol | _Function]]


class Sketch:
    """Exact sizes of static relations, upper bounds of the others."""

    def __init__(self, clauses: Sequence[Clause], tables: Mapping[Relation, tuple[int, Sequence[Row]]],
                 static: frozenset[Relation]) -> None:
        self._static = static
        self._measured = Measured(tables, static)
        self._values: Values = {}
        self._extents: dict[Term, Extent] = {}
        for relation, (_, some) in tables.items():
            for position, value in _placed(relation, some):
                self._values.setdefault(position, set()).add(value)
        self._propagate([clause for clause in clauses if relation_of(clause.head) not in static])

    def is_static(self, relation: Relation) -> bool:
        return relation in self._static

    def extent(self, atom: Term) -> Extent:
        if atom not in self._extents:
            self._extents[atom] = self._extent(atom)
        return self._extents[atom]

    def _extent(self, atom: Term) -> Extent:
        if self.is_static(relation_of(atom)):
            return self._measured.extent(atom)
        counts: dict[str, float] = {variable.name: float("inf") for variable in variables(atom)}
        for position, value in places(atom):
            if isinstance(value, Variable):
                counts[value.name] = min(counts[value.name], self._count(position, ()))
        return Extent(prod(counts.values()), counts)

    def _propagate(self, clauses: Sequence[Clause]) -> None:
        """Adds what the heads of these clauses can put at each position, until nothing is new."""
        flows: list[tuple[Position, list[Position]]] = []
        for clause in clauses:
            for position, value in places(clause.head):
                if isinstance(value, Variable):
                    flows.append((position, list(positions_of(value.name, clause.positive))))
                else:
                    self._values.setdefault(position, set()).add(
                        _Function(identifier(value.name), len(value.args)) if value.args else symbol(value))
        changed = True
        while changed:
            changed = False
            for position, sources in flows:
                here = self._values.setdefault(position, set())
                size = len(here)
                here |= set.intersection(*(self._values.get(source, set()) for source in sources))
                changed |= len(here) > size

    def _count(self, position: Position, above: tuple[Position, ...]) -> float:
        """How many terms can stand at a position; a function inside itself is not followed."""
        total = 0.0
        for value in self._values.get(position, ()):
            if not isinstance(value, _Function):
                total += 1.0
            elif position not in above:
                total += prod(self._count(("function", value.name, value.arity, i), (*above, position))
                              for i in range(value.arity))
        return total


def _placed(relation: Relation, rows: Iterable[Row]) -> Iterator[tuple[Position, Symbol | _Function]]:
    """What stands where in the rows of a relation."""
    name, arity = relation
    # The fluents of `init` are those of `true`, as in `guards`.
    kind = ("relation", "true" if relation == ("init", 1) else name)
    stack: list[tuple[Position, Symbol]] = [((*kind, arity, i), value)
                                            for row in rows for i, value in enumerate(row)]
    while stack:
        position, value = stack.pop()
        if isinstance(value, tuple):
            function, *arguments = value
            assert isinstance(function, str)
            yield position, _Function(function, len(arguments))
            stack.extend((("function", function, len(arguments), i), inner)
                         for i, inner in enumerate(arguments))
        else:
            yield position, value
