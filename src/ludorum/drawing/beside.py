"""What has a value but no board: heaps, stores, scores and other things, each as a counter beside the boards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ludorum.analysis.structures import FluentStructure, Structures
from ludorum.analysis.structures.boards import Layer
from ludorum.drawing.faces import Face, FaceAxis, Reader, axis_values, counts
from ludorum.drawing.layouts.heaps import MOST_STONES, room
from ludorum.drawing.layouts.layout import Coordinates, Layout, Slot
from ludorum.drawing.neighbours import Neighbours
from ludorum.drawing.ranks import Ranks
from ludorum.drawing.scene import UNIT, Label

_WIDTH, _HEIGHT = 1.6 * UNIT, 1.2 * UNIT
_GAP = 0.3 * UNIT
_ACROSS = 10
_FEWEST_PAIRS = 3
# More things than that are a table, which nobody wants to see as counters.
_MOST = 60


def counters(known: Structures, ranks: Ranks,
             link: Callable[[object], int | None], neighbours: Neighbours) -> Iterator[tuple[Face, Layout]]:
    """Fluents that give things a value each, or tell one value at all times."""
    for fluent in sorted(known.fluents, key=lambda fluent: ranks.of(fluent.name)):
        if fluent.kind not in ("quantity", "variable") or not fluent.table.width:
            continue
        face = _face(fluent, ranks, link)
        if len(face.cells) <= _MOST:
            yield face, _layout(face, _opposite(face, neighbours))


def _face(fluent: FluentStructure, ranks: Ranks, link: Callable[[object], int | None]) -> Face:
    table = fluent.table
    layer = Layer(table, fluent.input_columns, fluent.output_columns)
    cells = frozenset(tuple(map(str, layer.cell(row))) for row in table.rows)
    axes = tuple(FaceAxis(axis_values(tuple(table.values[column]), is_ordered=False, ranks=ranks),
                          link=link(table.places[column])) for column in layer.coordinates)
    reader = Reader((layer,), cells)
    fluents: dict[str, list[int]] = defaultdict(list)
    for number, row in zip(table.fluents, table.rows, strict=True):
        fluents[" ".join(layer.words(row))].append(int(number))
    return Face(table.name, axes, cells, reader, {words: tuple(numbers) for words, numbers in fluents.items()},
                counts=counts(fluent, layer), is_beside=True)


def _opposite(face: Face, neighbours: Neighbours) -> dict[Coordinates, Coordinates]:
    """For pits that rules pair up those of the other row: each has one opposite, and nearly all have."""
    if len(face.axes) != 1 or not face.counts:
        return {}
    for pairs in neighbours.pairs(face):
        found: dict[Coordinates, Coordinates] = {}
        for one, other in sorted(pairs):
            if one not in found.values():
                found[one] = other
        rows = {*found, *found.values()}
        if len(found) >= _FEWEST_PAIRS and len(rows) == 2 * len(found) and len(face.cells) - len(rows) <= 2 and all(
                found.get(one) == other or found.get(other) == one for one, other in pairs):
            return found
    return {}


def _room(face: Face) -> tuple[float, float]:
    """How wide and high counters are: larger where there are stones to count."""
    most = max(face.counts.values(), default=0)
    if len(face.cells) < 2 or not 1 < most <= MOST_STONES:
        return _WIDTH, _HEIGHT
    width, height = room(most)
    return max(width, _WIDTH), max(height, _HEIGHT)


def _layout(face: Face, opposite: Mapping[Coordinates, Coordinates]) -> Layout:
    def key(cell: Coordinates) -> tuple[int, ...]:
        return tuple(axis.values.index(value) for axis, value in zip(face.axes, cell, strict=True))

    slots: dict[Coordinates, Slot] = {}
    labels = []
    width, height = _room(face)
    in_order = sorted(face.cells, key=key)
    at: dict[Coordinates, tuple[float, float]] = {
        cell: (number % _ACROSS, number // _ACROSS) for number, cell in enumerate(in_order)}
    if opposite:
        # Those that the rules name first lie below, their opposites above them, and stores at the ends.
        below = sorted((min(pair, key=key) for pair in opposite.items()), key=key)
        other = {**opposite, **{two: one for one, two in opposite.items()}}
        at = {cell: (number + 1, 1) for number, cell in enumerate(below)}
        at |= {other[cell]: (number + 1, 0) for number, cell in enumerate(below)}
        stores = [cell for cell in in_order if cell not in at]
        at |= {cell: (0 if number else len(below) + 1, 0.5) for number, cell in enumerate(stores)}
    for cell in in_order:
        x = at[cell][0] * (width + _GAP)
        y = at[cell][1] * (height + _GAP + 0.4 * UNIT) + 0.4 * UNIT
        outline = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        slots[cell] = Slot(x + width / 2, y + height / 2, outline)
        labels.append(Label(x + width / 2, y - 0.2 * UNIT, (" ".join(cell) or face.name)[:11]))
    across, rows = 1 + max(x for x, _ in at.values()), 1 + max(y for _, y in at.values())
    if face.axes:
        labels.append(Label(0, 0, face.name[:20], "start"))
        labels, slots = [replace(label, y=label.y + 0.4 * UNIT) for label in labels], {
            cell: slot.moved(0, 0.4 * UNIT) for cell, slot in slots.items()}
    return Layout("counters", across * (width + _GAP) - _GAP,
                  rows * (height + _GAP + 0.4 * UNIT) + 0.4 * UNIT, slots, (), tuple(labels))
