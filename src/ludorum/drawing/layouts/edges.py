"""Lines between neighbouring points, each a thing of its own, as in dots and boxes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot
from ludorum.drawing.scene import UNIT, Label, Point

_MARGIN = 0.6 * UNIT
_SPACE = 1.3 * UNIT
_THICK = 0.13 * UNIT


def edges(columns: Sequence[str], rows: Sequence[str], cells: Collection[Coordinates]) -> Layout:
    """Cells that are named by the columns and rows of their two ends."""
    places = points(columns, rows)
    slots = {}
    for cell in sorted(cells, key=lambda cell: (places[cell[0], cell[1]], places[cell[2], cell[3]])):
        (x1, y1), (x2, y2) = places[cell[0], cell[1]], places[cell[2], cell[3]]
        slots[cell] = _bar(x1, y1, x2, y2)
    height = (len(rows) - 1) * _SPACE
    labels = [Label(_MARGIN + 0.3 * UNIT + i * _SPACE, height + 0.85 * UNIT, column[:6])
              for i, column in enumerate(columns)]
    labels += [Label(_MARGIN - 0.15 * UNIT, places[columns[0], row][1], row[:6], "end") for row in rows]
    ends = {cell[:2] for cell in cells} | {cell[2:] for cell in cells}
    dots = tuple(places[end[0], end[1]] for end in sorted(ends))
    return Layout("edges", _MARGIN + (len(columns) - 1) * _SPACE + 0.6 * UNIT, height + 1.1 * UNIT, slots, (),
                  tuple(labels), dots)


def points(columns: Sequence[str], rows: Sequence[str]) -> dict[tuple[str, str], Point]:
    """Where the points are."""
    return {(column, row): (_MARGIN + 0.3 * UNIT + i * _SPACE, 0.3 * UNIT + (len(rows) - 1 - j) * _SPACE)
            for i, column in enumerate(columns) for j, row in enumerate(rows)}


def between(columns: Sequence[str], rows: Sequence[str], cells: Collection[Coordinates]) -> dict[Coordinates, Slot]:
    """Cells between the points: each has the name of its lower left one."""
    places = points(columns, rows)
    half, side = _SPACE / 2, _SPACE / 2 - 2 * _THICK
    found = {}
    for cell in cells:
        x, y = places[cell[0], cell[1]]
        x, y = x + half, y - half
        found[cell] = Slot(x, y, ((x - side, y - side), (x + side, y - side), (x + side, y + side),
                                  (x - side, y + side)))
    return found


def _bar(x1: float, y1: float, x2: float, y2: float) -> Slot:
    """A thin bar with pointed ends, so that those that meet in a point do not cover each other."""
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    length = max(1e-6, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)
    outline: list[Point] = [(x1, y1)]
    for sign, ends in ((1, ((x1, y1, 1), (x2, y2, -1))), (-1, ((x2, y2, -1), (x1, y1, 1)))):
        for px, py, inwards in ends:
            outline.append((px + inwards * _THICK * 1.5 * along[0] + sign * _THICK * across[0],
                            py + inwards * _THICK * 1.5 * along[1] + sign * _THICK * across[1]))
        if sign > 0:
            outline.append((x2, y2))
    return Slot(x, y, tuple(outline))
