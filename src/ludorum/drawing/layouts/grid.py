"""Boards of squares: columns run to the right and rows upwards, as on a chess board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot, square
from ludorum.drawing.scene import UNIT, Geometry, Label

_MARGIN = 0.6 * UNIT
_LONGEST = 6


def grid(columns: Sequence[str], rows: Sequence[str], name: Callable[[str, str], Coordinates],
         cells: Collection[Coordinates], *, geometry: Geometry = "grid") -> Layout:
    """The cells that there are of these columns and rows; `name` tells the coordinates of a column and a row."""
    slots: dict[Coordinates, Slot] = {}
    for j, row in enumerate(rows):
        for i, column in enumerate(columns):
            cell = name(column, row)
            if cell in cells:
                slots[cell] = square(_MARGIN + (i + 0.5) * UNIT, (len(rows) - j - 0.5) * UNIT,
                                     is_dark=(i + j) % 2 == 0)
    height = len(rows) * UNIT
    labels = [Label(_MARGIN + (i + 0.5) * UNIT, height + 0.3 * UNIT, column[:_LONGEST])
              for i, column in enumerate(columns)]
    if len(rows) > 1:
        labels += [Label(_MARGIN - 0.15 * UNIT, height - (j + 0.5) * UNIT, row[:_LONGEST], "end")
                   for j, row in enumerate(rows)]
    return Layout(geometry, _MARGIN + len(columns) * UNIT, height + _MARGIN, slots, (), tuple(labels))
