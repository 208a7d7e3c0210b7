"""How many rows a relation has, and an estimate of how many a join of relations gives.

`Uniform` knows nothing: every variable has the same number of values. `Measured` has seen the relations
themselves, from a grounding of the same game.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from operator import itemgetter
from typing import Protocol

from ludorum.asp.encoding import Symbol, identifier, symbol
from ludorum.gdl.dependencies import Relation
from ludorum.gdl.terms import Argument, Term, Variable, variables

Row = tuple[Symbol, ...]


class Table:
    """Some rows of a relation, each for `weight` of them, and how many differ in some of the columns."""

    def __init__(self, rows: Sequence[Row], weight: float) -> None:
        self._rows = rows
        self._weight = weight
        self._counts: dict[tuple[int, ...], float] = {}

    def different(self, columns: tuple[int, ...]) -> float:
        if columns not in self._counts:
            count = len(set(map(itemgetter(*columns), self._rows))) if columns else 1
            # Where hardly anything occurs twice, the rows that are missing would be different as well.
            self._counts[columns] = count * self._weight if count > 0.9 * len(self._rows) else count
        return self._counts[columns]


@dataclass(frozen=True, slots=True)
class Extent:
    """A relation between variables: how many rows it has, and how many values each variable."""

    rows: float
    values: Mapping[str, float]
    #: The rows themselves where they are known; the columns are the variables of `values`.
    table: Table | None = None
    #: What it was joined from, if it was.
    joined: Sequence[Extent] = ()

    def combinations(self, names: Collection[str]) -> float:
        """How many combinations of values these variables take, at most."""
        if len(names) == len(self.values):
            return self.rows
        if self.table is not None:
            return self.table.different(tuple(i for i, name in enumerate(self.values) if name in names))
        if self.joined:
            return min(self.rows, combinations(self.joined, names))
        return min(self.rows, prod(self.values[name] for name in names))

    def renamed(self, names: Sequence[str]) -> Extent:
        return Extent(self.rows, dict(zip(names, self.values.values(), strict=True)), self.table)

    def projected(self, names: Sequence[str]) -> Extent:
        rows = self.combinations(names)
        return Extent(rows, {name: min(rows, self.values[name]) for name in names})


class Sizes(Protocol):
    def extent(self, atom: Term) -> Extent:
        """The part of a relation that matches an atom."""

    def is_static(self, relation: Relation) -> bool:
        """Whether a relation is the same in all states, so that it does not occur in ground rules."""


class Uniform:
    """Every variable has ten values and every combination of them occurs."""

    def __init__(self, static: frozenset[Relation]) -> None:
        self._static = static

    def is_static(self, relation: Relation) -> bool:
        return relation in self._static

    def extent(self, atom: Term) -> Extent:
        names = dict.fromkeys(variable.name for variable in variables(atom))
        return Extent(10.0 ** len(names), dict.fromkeys(names, 10.0))


class Measured:
    """The relations as a grounding found them: how many rows there are, and some of them."""

    def __init__(self, tables: Mapping[Relation, tuple[int, Sequence[Row]]],
                 static: frozenset[Relation]) -> None:
        self._tables = tables
        self._static = static
        self._known: dict[Term, Extent] = {}

    def is_static(self, relation: Relation) -> bool:
        return relation in self._static

    def extent(self, atom: Term) -> Extent:
        names = tuple(dict.fromkeys(variable.name for variable in variables(atom)))
        numbers = {name: str(i) for i, name in enumerate(names)}
        pattern = _renamed(atom, numbers)
        assert isinstance(pattern, Term)
        if pattern not in self._known:
            total, some = self._tables.get((atom.name, len(atom.args)), (0, ()))
            rows = _matching(pattern, some)
            weight = total / max(len(some), 1)
            table = Table(rows, weight)
            values = {str(i): table.different((i,)) for i in range(len(names))}
            self._known[pattern] = Extent(len(rows) * weight, values, table)
        return self._known[pattern].renamed(names)


def join(extents: Sequence[Extent]) -> Extent:
    """An estimate of the rows that satisfy all of these at once, by the usual assumption of independence."""
    rest = sorted(extents, key=lambda extent: extent.rows)
    joined: list[Extent] = []
    rows = 1.0
    values: dict[str, float] = {}
    while rest:
        # The one that makes the result grow least comes next.
        taken = 0
        grown = math.inf
        before: dict[frozenset[str], float] = {}
        for i, extent in enumerate(rest):
            size = rows * extent.rows
            shared = frozenset(extent.values.keys() & values.keys())
            if shared:
                if shared not in before:
                    before[shared] = min(rows, combinations(joined, shared))
                size /= max(before[shared], extent.combinations(shared), 1.0)
            if size < grown:
                taken, grown = i, size
        rows, extent = grown, rest.pop(taken)
        joined.append(extent)
        for name, count in extent.values.items():
            values[name] = min(values.get(name, count), count)
    return Extent(rows, {name: min(count, rows) for name, count in values.items()}, joined=joined)


def combinations(joined: Sequence[Extent], names: Collection[str]) -> float:
    """How many combinations of values these variables take in a join, at most."""
    # Variables of one relation have fewer combinations than the product of their values.
    product = 1.0
    left = set(names)
    while left:
        part = max(joined, key=lambda extent: len(extent.values.keys() & left))
        covered = {name for name in left if name in part.values}
        product *= part.combinations(covered)
        left -= covered
    return product


def _renamed(argument: Argument, names: Mapping[str, str]) -> Argument:
    if isinstance(argument, Variable):
        return Variable(names[argument.name])
    return Term(argument.name, tuple(_renamed(inner, names) for inner in argument.args))


def _matching(pattern: Term, table: Sequence[Row]) -> list[Row]:
    """For every row that matches, the values of the variables, which are numbered from 0 as they occur."""
    checks: list[tuple[tuple[int, ...], str, object]] = []
    first: dict[str, tuple[int, ...]] = {}
    stack: list[tuple[tuple[int, ...], Argument]] = []
    stack.extend([((i,), inner) for i, inner in enumerate(pattern.args)][::-1])
    while stack:
        path, argument = stack.pop()
        if isinstance(argument, Variable):
            if argument.name in first:
                checks.append((path, "same", first[argument.name]))
            else:
                first[argument.name] = path
        elif argument.args:
            checks.append((path, "function", (identifier(argument.name), len(argument.args) + 1)))
            stack.extend([((*path, i + 1), inner) for i, inner in enumerate(argument.args)][::-1])
        else:
            checks.append((path, "constant", symbol(argument)))
    paths = list(first.values())
    return [tuple([_at(row, path) for path in paths]) for row in table if _passes(row, checks)]


def _passes(row: Row, checks: Sequence[tuple[tuple[int, ...], str, object]]) -> bool:
    for path, kind, wanted in checks:
        value = _at(row, path)
        if kind == "constant":
            if value != wanted:
                return False
        elif kind == "function":
            if not isinstance(value, tuple) or (value[0], len(value)) != wanted:
                return False
        else:
            assert isinstance(wanted, tuple)
            if value != _at(row, wanted):
                return False
    return True


def _at(row: Row, path: tuple[int, ...]) -> Symbol:
    value: Symbol = row
    for i in path:
        assert isinstance(value, tuple)
        value = value[i]
    return value
