"""How far fluents are from being true by what they are there for: quantities and boards (sections 5.3.2 and 5.3.3).

A quantity is as far from a value as the order of its values says. A piece is as far from a cell as the coordinates are
apart; where there are several such pieces, their mean distance counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ludorum.analysis.structures import FluentStructure, Structures
from ludorum.evaluate.leaves import AnyLeaf, MeanLeaf, by_values
from ludorum.gdl.terms import Term

Row = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Nearness:
    """The fluents that say how far away one fluent is, each with what it says, from 0 to 1.

    Of a quantity at most one of them holds. Of a board several may, and their mean counts.
    """

    parts: tuple[tuple[Fraction, int], ...]
    is_mean: bool

    def leaf(self, fluent: int, *, true: float, most: float) -> AnyLeaf:
        """Equation 5.9: the further away the less it is worth, from `most` down to 0."""
        parts = tuple((most * float(1 - distance), plane) for distance, plane in self.parts if plane != fluent)
        if self.is_mean:
            return MeanLeaf(fluent, true, parts, 0.0, true, most)
        return by_values([(true, fluent), *parts], 0.0, least_true=true, most_false=most)


def nearness(structures: Structures, fluents: Sequence[int]) -> dict[int, Nearness]:
    """For every one of the fluents, by their numbers, that belongs to a quantity or an ordered board."""
    wanted = set(fluents)
    found: dict[int, Nearness] = {}
    for structure in structures.fluents:
        ordered = {column for column, order in enumerate(structure.orders) if order is not None}
        if structure.kind == "control":
            continue
        if ordered & set(structure.output_columns):
            changing, same, is_mean = structure.output_columns, structure.input_columns, False
        elif ordered & set(structure.input_columns) and structure.output_columns:
            changing, same, is_mean = structure.input_columns, structure.output_columns, True
        else:
            continue
        found |= _of_table(structure, changing, same, wanted, is_mean=is_mean)
    return found


def _of_table(structure: FluentStructure, changing: Sequence[int], same: Sequence[int], wanted: set[int], *,
              is_mean: bool) -> dict[int, Nearness]:
    table = structure.table
    alike: defaultdict[Row, list[tuple[int, Row]]] = defaultdict(list)
    for number, row in zip(table.fluents.tolist(), table.rows, strict=True):
        alike[tuple(row[column] for column in same)].append((number, row))
    found = {}
    for group in alike.values():
        for number, row in group:
            if number in wanted:
                found[number] = Nearness(tuple((_apart(structure, changing, other, row), plane)
                                               for plane, other in group), is_mean)
    return found


def _apart(structure: FluentStructure, columns: Sequence[int], one: Row, other: Row) -> Fraction:
    """The mean over some columns of how far apart the values are, each measured by the number of values there are;
    values without an order are 1 apart if they differ."""
    total = Fraction(0)
    for column in columns:
        order = structure.orders[column]
        if one[column] == other[column]:
            continue
        steps = order.hasse.apart(one[column], other[column]) if order is not None else None
        total += 1 if steps is None else min(Fraction(1), Fraction(steps, len(structure.table.values[column])))
    return total / len(columns)
