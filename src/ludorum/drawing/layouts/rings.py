"""Cells in a circle, and circles inside circles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import cos, pi, sin

from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot, disc
from ludorum.drawing.scene import UNIT, Label, Point


def rings(around: Sequence[str], outwards: Sequence[str], name: Callable[[str, str], Coordinates],
          cells: Collection[Coordinates]) -> Layout:
    """The cells of a cyclic axis, from the top clockwise, on a ring for every value of the other axis."""
    inmost = max(1.3 * UNIT, 1.15 * UNIT * len(around) / (2 * pi))
    step = 1.25 * UNIT
    outmost = inmost + step * (len(outwards) - 1)
    middle = outmost + 0.9 * UNIT
    slots: dict[Coordinates, Slot] = {}
    lines: list[tuple[Point, Point]] = []
    labels = []
    for j, ring in enumerate(outwards):
        points: list[Point | None] = []
        for i, value in enumerate(around):
            angle = 2 * pi * i / len(around) - pi / 2
            x, y = middle + (inmost + step * j) * cos(angle), middle + (inmost + step * j) * sin(angle)
            cell = name(value, ring)
            points.append((x, y) if cell in cells else None)
            if cell in cells:
                slots[cell] = disc(x, y, 0.42 * UNIT)
        for i, point in enumerate(points):
            following = points[(i + 1) % len(points)]
            if point is not None and following is not None:
                lines.append((point, following))
    for i, value in enumerate(around):
        angle = 2 * pi * i / len(around) - pi / 2
        reach = outmost + 0.68 * UNIT
        labels.append(Label(middle + reach * cos(angle), middle + reach * sin(angle), value[:6]))
    return Layout("rings" if len(outwards) > 1 else "ring", 2 * middle, 2 * middle, slots, tuple(lines), tuple(labels))
