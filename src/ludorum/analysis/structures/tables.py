"""Fluents of one name as a table: a row a fluent, a column an argument."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum.gdl.domains import Place
from ludorum.gdl.terms import Term


@dataclass(frozen=True, eq=False)
class Table:
    """The fluents of one name and number of arguments.

    An argument that is the same function in all of them, such as the `(pos 1 2)` in `(at king (pos 1 2))`, counts as
    the arguments of that function.
    """

    name: str
    arity: int
    #: Where each column is found in a fluent: argument numbers from 1, from the outside in.
    paths: tuple[tuple[int, ...], ...]
    #: The argument position of each column.
    places: tuple[Place, ...]
    #: The fluents, as their numbers among all.
    fluents: NDArray[np.int64]
    #: For every fluent a value a column.
    rows: tuple[tuple[Term, ...], ...]

    @property
    def width(self) -> int:
        return len(self.paths)

    @cached_property
    def values(self) -> tuple[frozenset[Term], ...]:
        """What occurs in each column."""
        return tuple(frozenset(row[column] for row in self.rows) for column in range(self.width))

    def fits(self, fluent: Term) -> bool:
        """Whether a fluent of this name has the functions where the others have them."""
        for path in self.paths:
            inner: object = fluent
            for argument in path:
                if not isinstance(inner, Term) or len(inner.args) < argument:
                    return False
                inner = inner.args[argument - 1]
        return True

    def read(self, fluent: Term) -> tuple[Term, ...]:
        """The values of a fluent of this table, column by column."""
        return tuple(_at(fluent, path) for path in self.paths)

    def label(self, column: int) -> str:
        """How people count the arguments: `2`, or `2.1` for the first argument of the second."""
        return ".".join(map(str, self.paths[column]))

    def groups(self, columns: Sequence[int]) -> NDArray[np.int64]:
        """A number for every fluent, the same for those that agree in these columns."""
        numbers: dict[tuple[Term, ...], int] = {}
        return np.array([numbers.setdefault(tuple(row[column] for column in columns), len(numbers))
                         for row in self.rows], dtype=np.int64)


def tables(fluents: Sequence[Term]) -> tuple[Table, ...]:
    """All fluents by their names and numbers of arguments, in the order in which they first come."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, fluent in enumerate(fluents):
        groups[fluent.name, len(fluent.args)].append(number)
    found = []
    for (name, arity), numbers in groups.items():
        of_name = [fluents[number] for number in numbers]
        paths: list[tuple[int, ...]] = [(i,) for i in range(1, arity + 1)]
        while (unfolded := _unfold(of_name, paths)) is not None:
            paths = unfolded
        places = tuple(_place(of_name[0], path) for path in paths)
        rows = tuple(tuple(_at(fluent, path) for path in paths) for fluent in of_name)
        found.append(Table(name, arity, tuple(paths), places, np.array(numbers, dtype=np.int64), rows))
    return tuple(found)


def _unfold(fluents: Sequence[Term], paths: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
    """The paths with one that leads to the same function everywhere replaced by those of its arguments, if any does."""
    for index, path in enumerate(paths):
        first = _at(fluents[0], path)
        if first.args and all((there.name, len(there.args)) == (first.name, len(first.args))
                              for there in (_at(fluent, path) for fluent in fluents)):
            inner = [(*path, i) for i in range(1, len(first.args) + 1)]
            return [*paths[:index], *inner, *paths[index + 1:]]
    return None


def _at(fluent: Term, path: Sequence[int]) -> Term:
    for argument in path:
        inner = fluent.args[argument - 1]
        assert isinstance(inner, Term)
        fluent = inner
    return fluent


def _place(fluent: Term, path: Sequence[int]) -> Place:
    owner = _at(fluent, path[:-1])
    return Place("function", owner.name, len(owner.args), path[-1])
