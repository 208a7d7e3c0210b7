"""Heaps: where the stones of a counter lie, in rows of five beside their number."""

from __future__ import annotations

from ludorum.drawing.scene import UNIT, Cell, Point

#: Of more stones nobody finds the right one.
MOST_STONES = 30
#: How far a stone reaches from its middle.
STONE = 0.13 * UNIT
_STEP = 0.3 * UNIT
_ACROSS = 5


def room(most: int) -> Point:
    """How wide and high a counter is that has room for so many stones."""
    return (_ACROSS + 2.7) * _STEP, (max(2, -(-most // _ACROSS)) + 0.9) * _STEP


def stones(cell: Cell, count: int) -> list[Point]:
    """The middles of so many stones, the lowest row first."""
    right, bottom = max(x for x, _ in cell.polygon), max(y for _, y in cell.polygon)
    left = right - (_ACROSS - 0.1) * _STEP
    return [(left + number % _ACROSS * _STEP, bottom - (number // _ACROSS + 0.95) * _STEP) for number in range(count)]


def beside(cell: Cell) -> Point:
    """Where the number of stones is written."""
    return min(x for x, _ in cell.polygon) + 1.2 * _STEP, cell.y
