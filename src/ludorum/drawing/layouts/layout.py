"""A layout: for every cell its middle and its outline, the lines between cells, and words at the edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from ludorum.drawing.scene import UNIT, Geometry, Label, Point

Coordinates = tuple[str, ...]

_GAP = 0.6 * UNIT
# The widest a row of boards gets before the next begins.
_WIDTH = 22 * UNIT


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a cell is."""

    x: float
    y: float
    polygon: tuple[Point, ...]
    is_dark: bool = False

    def moved(self, x: float, y: float) -> Slot:
        return Slot(self.x + x, self.y + y, tuple((px + x, py + y) for px, py in self.polygon), self.is_dark)


@dataclass(frozen=True, slots=True)
class Layout:
    """Cells in a frame that begins at 0, 0."""

    geometry: Geometry
    width: float
    height: float
    slots: Mapping[Coordinates, Slot]
    lines: tuple[tuple[Point, Point], ...] = ()
    labels: tuple[Label, ...] = ()
    dots: tuple[Point, ...] = ()

    def moved(self, x: float, y: float) -> Layout:
        return Layout(self.geometry, self.width, self.height,
                      {cell: slot.moved(x, y) for cell, slot in self.slots.items()},
                      tuple(((a + x, b + y), (c + x, d + y)) for (a, b), (c, d) in self.lines),
                      tuple(Label(label.x + x, label.y + y, label.text, label.anchor) for label in self.labels),
                      tuple((px + x, py + y) for px, py in self.dots))


def square(x: float, y: float, *, is_dark: bool = False, size: float = UNIT) -> Slot:
    """A square cell around a point."""
    half = size / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Slot(x, y, outline, is_dark)


def disc(x: float, y: float, radius: float = 0.42 * UNIT, corners: int = 16) -> Slot:
    """A round cell around a point, as a polygon of many corners."""
    outline = tuple((x + radius * cos(2 * pi * k / corners), y + radius * sin(2 * pi * k / corners))
                    for k in range(corners))
    return Slot(x, y, outline)


def side_by_side(layouts: Sequence[tuple[str, Layout]], across: int | None = None) -> Layout:
    """Several layouts with their titles in rows, as one; so many across, or as many as fit."""
    widest = max(layout.width for _, layout in layouts)
    highest = max(layout.height for _, layout in layouts)
    has_titles = any(title for title, _ in layouts)
    above = 0.5 * UNIT if has_titles else 0.0
    across = across or max(1, min(len(layouts), int(_WIDTH // (widest + _GAP))))
    slots: dict[Coordinates, Slot] = {}
    lines: list[tuple[Point, Point]] = []
    labels: list[Label] = []
    for number, (title, layout) in enumerate(layouts):
        x, y = (number % across) * (widest + _GAP), (number // across) * (highest + above + _GAP)
        moved = layout.moved(x, y + above)
        slots |= moved.slots
        lines += moved.lines
        labels += moved.labels
        if title:
            labels.append(Label(x + layout.width / 2, y + above / 2, title))
    rows = -(-len(layouts) // across)
    return Layout(layouts[0][1].geometry, across * (widest + _GAP) - _GAP, rows * (highest + above + _GAP) - _GAP,
                  slots, tuple(lines), tuple(labels))
