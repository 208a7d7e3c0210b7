"""Points on a grid with many holes, and lines between neighbours, as a board of nine men's morris is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludorum.drawing.layouts.layout import Coordinates, Layout, disc
from ludorum.drawing.scene import UNIT, Label, Point

_MARGIN = 0.8 * UNIT


def points(places: Mapping[Coordinates, tuple[int, int]], pairs: Sequence[tuple[Coordinates, Coordinates]],
           columns: Sequence[str], rows: Sequence[str]) -> Layout:
    """Cells by their columns and rows from 0; of lines that pass through a point only the parts are drawn."""
    # Where columns and rows are both even or both odd, every other place is left out, and cells come closer.
    parities = {(column + row) % 2 for column, row in places.values()}
    space = (0.65 * UNIT if len(parities) == 1 else UNIT, UNIT)
    slots = {cell: disc(_MARGIN + column * space[0], _MARGIN + (len(rows) - 1 - row) * space[1])
             for cell, (column, row) in places.items()}
    taken = set(places.values())
    lines: dict[tuple[Point, Point], None] = {}
    for one, other in pairs:
        if not _passes(places[one], places[other], taken):
            first, second = sorted((slots[one], slots[other]), key=lambda slot: (slot.x, slot.y))
            lines[(first.x, first.y), (second.x, second.y)] = None
    width, height = 2 * _MARGIN + (len(columns) - 1) * space[0], 2 * _MARGIN + (len(rows) - 1) * space[1]
    labels = [Label(_MARGIN + i * space[0], height - 0.1 * UNIT, column[:4]) for i, column in enumerate(columns)]
    labels += [Label(0.25 * UNIT, _MARGIN + (len(rows) - 1 - j) * space[1], row[:4]) for j, row in enumerate(rows)]
    return Layout("graph", width, height, slots, tuple(sorted(lines)), tuple(labels))


def _passes(one: tuple[int, int], other: tuple[int, int], taken: set[tuple[int, int]]) -> bool:
    """Whether there is a cell on the way from one to the other."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    steps = max(abs(dx), abs(dy))
    return any((one[0] + dx * k // steps, one[1] + dy * k // steps) in taken for k in range(1, steps)
               if dx * k % steps == 0 and dy * k % steps == 0)
