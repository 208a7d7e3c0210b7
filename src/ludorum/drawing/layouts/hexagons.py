"""Boards of hexagons: every row is shifted by half a cell against the one below."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import cos, pi, sin, sqrt

from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot
from ludorum.drawing.scene import UNIT, Label

_MARGIN = 0.6 * UNIT
_SIDE = UNIT / sqrt(3)


def hexagons(columns: Sequence[str], rows: Sequence[str], name: Callable[[str, str], Coordinates],
             cells: Collection[Coordinates], lean: int) -> Layout:
    """The cells of these columns and rows; going up, rows lean to the right for 1 and to the left for −1."""
    shift = UNIT / 2
    start = _MARGIN + (shift * (len(rows) - 1) if lean < 0 else 0.0)
    height = (len(rows) - 1) * 1.5 * _SIDE + 2 * _SIDE
    slots: dict[Coordinates, Slot] = {}
    labels = []
    for j, row in enumerate(rows):
        y = height - _SIDE - j * 1.5 * _SIDE
        for i, column in enumerate(columns):
            cell = name(column, row)
            x = start + (i + 0.5) * UNIT + lean * shift * j
            if cell in cells:
                slots[cell] = hexagon(x, y)
        labels.append(Label(start + lean * shift * j - 0.2 * UNIT, y, row[:6], "end"))
    labels += [Label(start + (i + 0.5) * UNIT, height + 0.3 * UNIT, column[:6]) for i, column in enumerate(columns)]
    width = _MARGIN + len(columns) * UNIT + shift * (len(rows) - 1)
    return Layout("hexagons", width, height + _MARGIN, slots, (), tuple(labels))


def hexagon(x: float, y: float, side: float = _SIDE) -> Slot:
    """A hexagon that stands on a corner."""
    return Slot(x, y, tuple((x + side * cos(pi / 6 + pi / 3 * k), y + side * sin(pi / 6 + pi / 3 * k))
                            for k in range(6)))
