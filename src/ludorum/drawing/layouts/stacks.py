"""Things on other things, as columns: where each lies depends on the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot
from ludorum.drawing.scene import UNIT, Label

_WIDTH, _HEIGHT = 3.4 * UNIT, 0.6 * UNIT


def stacks(things: Sequence[str], lies_on: Mapping[str, str], sizes: Mapping[str, float]) -> Layout:
    """What lies on nothing stands in a row; everything else lies on what it lies on. Sizes are from 0 to 1."""
    above: dict[str, list[str]] = {}
    for thing in things:
        if thing in lies_on:
            above.setdefault(lies_on[thing], []).append(thing)
    bases = [thing for thing in things if thing not in lies_on]
    level: dict[str, tuple[float, int]] = {}
    width = 0.0
    for base in bases:
        column = [(base, 0)]
        for thing, height in column:
            if thing not in level:
                level[thing] = (width + _WIDTH / 2, height)
                # Two on one thing would lie in one place; the second goes a step higher.
                column += [(other, height + 1 + number) for number, other in enumerate(above.get(thing, ()))]
        width += _WIDTH + 0.3 * UNIT
    # A circle of things that lie on each other has no foot; they stand beside the others.
    for thing in things:
        if thing not in level:
            level[thing] = (width + _WIDTH / 2, 0)
            width += _WIDTH + 0.3 * UNIT
    # As high as all of it together, so that a column that grows does not move the board.
    highest = len(things)
    slots: dict[Coordinates, Slot] = {}
    labels = []
    for thing in things:
        x, height = level[thing]
        y = (highest - height - 0.5) * _HEIGHT
        half = _WIDTH / 2 * (0.3 + 0.7 * sizes.get(thing, 1.0))
        slots[thing,] = Slot(x, y, ((x - half, y - 0.45 * _HEIGHT), (x + half, y - 0.45 * _HEIGHT),
                                    (x + half, y + 0.45 * _HEIGHT), (x - half, y + 0.45 * _HEIGHT)), height == 0)
        labels.append(Label(x, y, thing[:12]))
    return Layout("stacks", max(_WIDTH, width - 0.3 * UNIT), highest * _HEIGHT + 0.2 * UNIT, slots, (), tuple(labels))
