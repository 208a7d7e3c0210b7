"""Which layout a board gets: what people would draw."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product, takewhile
from math import isqrt, prod

from ludorum.drawing.composites import composite
from ludorum.drawing.faces import Face
from ludorum.drawing.layouts.edges import edges
from ludorum.drawing.layouts.graph import graph
from ludorum.drawing.layouts.grid import grid
from ludorum.drawing.layouts.hexagons import hexagons
from ludorum.drawing.layouts.layout import Coordinates, Layout, side_by_side
from ludorum.drawing.layouts.points import points
from ludorum.drawing.layouts.rings import rings
from ludorum.drawing.layouts.stacks import stacks
from ludorum.drawing.neighbours import Neighbours, Pair, in_columns, is_hexagonal
from ludorum.drawing.ranks import Ranks
from ludorum.drawing.scene import UNIT, Label, Point

_LARGEST_AXIS = 64
# More points than that are no graph that anybody could read.
_MOST_POINTS = 150
# Of a board with so many holes the lines between its points are drawn, if there are any.
_SPARSE = 0.6
# So many cells are a row, and more are several.
_LONGEST_LINE = 8


def arrange(face: Face, neighbours: Neighbours, ranks: Ranks) -> Layout | None:
    """Where the cells of a board lie, None if there is no good way to draw it."""
    if face.is_edges:
        return edges(face.axes[0].values, face.axes[1].values, face.cells)
    if face.stacked is not None:
        return stacks(face.axes[0].values, {}, face.stacked)
    if face.crossing:
        return _crossed(face, ranks)
    if (axes := composite(face, neighbours.rules)) is not None:
        return _composed(face, *axes)
    if len(face.axes) > 2 and (larger := neighbours.on_larger(face)) is not None:
        return _on_larger(face, larger)
    if len(face.axes) == 1 and not face.axes[0].is_ordered and 3 < len(face.cells) <= _MOST_POINTS:
        pairs = neighbours.lines(face)
        if pairs and _branches(pairs, len(face.cells)):
            return graph(sorted(face.cells, key=lambda cell: ranks.words(" ".join(cell))), frozenset(pairs))
    if len(inner_axes := [axis for axis in face.axes if not axis.is_selector]) == 1 and not inner_axes[0].is_ordered:
        return _squarish(face)
    joined = neighbours.pairs(face) if len(face.axes) == 2 else []
    is_open = not any(axis.is_cyclic for axis in face.axes)
    lean = next((found for pairs in joined if is_open and (found := is_hexagonal(face, pairs))), 0)
    sizes = [len(axis.values) for axis in face.axes]
    if joined and is_open and len(face.cells) <= _SPARSE * prod(sizes):
        index = [{value: number for number, value in enumerate(axis.values)} for axis in face.axes]
        places = {cell: (index[0][cell[0]], index[1][cell[1]]) for cell in face.cells}
        return points(dict(sorted(places.items(), key=lambda known: known[1])),
                      neighbours.lines(face), face.axes[0].values, face.axes[1].values)
    inner = [number for number, axis in enumerate(face.axes) if not axis.is_selector]
    outer = [number for number, axis in enumerate(face.axes) if axis.is_selector]
    if len(inner) == 3:
        outer.append(_odd_one(face, inner))
    elif len(inner) > 3:
        outer += inner[:-2]
    inner = [number for number in inner if number not in outer]
    if not inner or any(not 1 <= len(face.axes[number].values) <= _LARGEST_AXIS for number in inner):
        return None
    return _series(face, inner, sorted(outer), lean, joined)


def _branches(pairs: Sequence[Pair], count: int) -> bool:
    """Whether neighbours join all of the cells and make more than a line of them."""
    joined: dict[Coordinates, set[Coordinates]] = {}
    for one, other in pairs:
        joined.setdefault(one, set()).add(other)
        joined.setdefault(other, set()).add(one)
    met = set(list(joined)[:1])
    queue = list(met)
    for cell in queue:
        queue += joined[cell] - met
        met |= joined[cell]
    is_line = all(len(others) <= 2 for others in joined.values()) and any(len(o) == 1 for o in joined.values())
    return len(met) == count and not is_line


def _squarish(face: Face) -> Layout | None:
    """Cells that nothing orders, in rows of about as many as there are rows; a board for every value of a selector."""
    inner = next(number for number, axis in enumerate(face.axes) if not axis.is_selector)
    values = face.axes[inner].values
    across = max(1, isqrt(len(values) - 1) + 1) if len(values) > _LONGEST_LINE else len(values)
    up = -(-len(values) // across)
    columns, rows = [str(i) for i in range(across)], [str(j) for j in range(up)]
    layouts = []
    outer = [number for number in range(len(face.axes)) if number != inner]
    for chosen in product(*(face.axes[number].values for number in outer)):
        def name(column: str, row: str, chosen: tuple[str, ...] = chosen) -> Coordinates:
            number = (up - 1 - int(row)) * across + int(column)
            here = dict(zip(outer, chosen, strict=True)) | {inner: values[number] if number < len(values) else ""}
            return tuple(here[axis] for axis in range(len(face.axes)))

        found = grid(columns, rows, name, face.cells)
        labels = tuple(Label(slot.x, slot.y + 0.38 * UNIT, cell[inner][:7]) for cell, slot in found.slots.items())
        if found.slots:
            layouts.append((" ".join(chosen), replace(found, labels=labels)))
    return side_by_side(layouts) if layouts and len(values) <= _MOST_POINTS else None


def _odd_one(face: Face, inner: list[int]) -> int:
    """Of three axes the one that makes a series: the one that is longer or shorter than two alike, else the last."""
    sizes = [len(face.axes[number].values) for number in inner]
    odd = [number for number, size in zip(inner, sizes, strict=True) if sizes.count(size) == 1]
    return odd[0] if len(odd) == 1 else inner[-1]


def _series(face: Face, inner: list[int], outer: list[int], lean: int,
            pairs: Sequence[frozenset[Pair]]) -> Layout | None:
    layouts = []
    for values in product(*(face.axes[number].values for number in outer)):
        chosen = dict(zip(outer, values, strict=True))
        layout = _flat(face, inner, chosen, lean, pairs)
        if layout.slots:
            title = " ".join(values)
            layouts.append((title, layout))
    if not layouts:
        return None
    if len(outer) == 2:
        # A board in a board: the first of the outer axes runs to the right, the second upwards.
        across, up = (len(face.axes[number].values) for number in outer)
        if len(layouts) == across * up:
            order = [layouts[i * up + j] for j in reversed(range(up)) for i in range(across)]
            return side_by_side([("", layout) for _, layout in order], across)
    root = isqrt(len(layouts))
    return side_by_side(layouts, root if root * root == len(layouts) and root > 1 else None)


def _flat(face: Face, inner: list[int], chosen: dict[int, str], lean: int,
          spoken: Sequence[frozenset[Pair]]) -> Layout:
    columns = face.axes[inner[0]].values
    rows = face.axes[inner[1]].values if len(inner) > 1 else ("",)

    def name(column: str, row: str) -> Coordinates:
        here = {**chosen, inner[0]: column} | ({inner[1]: row} if len(inner) > 1 else {})
        return tuple(here[number] for number in range(len(face.axes)))

    if lean:
        return hexagons(columns, rows, name, face.cells, lean)
    cyclic = [number for number in inner if face.axes[number].is_cyclic]
    if len(inner) == 1 and cyclic:
        return rings(columns, [""], name, face.cells)
    if len(inner) == 2 and len(cyclic) == 1:
        other = next(number for number in inner if number not in cyclic)
        # As many again around as outwards make a circle; a cylinder of squares is drawn unrolled.
        if 2 * len(face.axes[other].values) <= len(face.axes[cyclic[0]].values):
            turned = cyclic[0] != inner[0]
            found = rings(face.axes[cyclic[0]].values, face.axes[other].values,
                          (lambda one, two: name(two, one)) if turned else name, face.cells)
            return replace(found, lines=found.lines + spokes(found, spoken, cyclic[0]))
    is_torus = len(inner) > 1 and all(face.axes[number].is_cyclic for number in inner)
    return grid(columns, rows, name, face.cells, geometry="torus" if is_torus else "grid" if len(inner) > 1 else "line")


def _composed(face: Face, across: tuple[int, int], up: tuple[int, int]) -> Layout:
    """Columns and rows of two arguments each, with thick lines around boxes."""
    def values(axes: tuple[int, int]) -> dict[str, tuple[str, str]]:
        return {f"{coarse}.{fine}": (coarse, fine)
                for coarse in face.axes[axes[0]].values for fine in face.axes[axes[1]].values}

    columns, rows = values(across), values(up)

    def name(column: str, row: str) -> Coordinates:
        here = dict(zip((*across, *up), (*columns[column], *rows[row]), strict=True))
        return tuple(here[number] for number in range(4))

    found = grid(list(columns), list(rows), name, face.cells)
    return replace(found, lines=borders(found, {cell: (cell[across[0]], cell[up[0]]) for cell in found.slots}))


def _on_larger(face: Face, places: Mapping[Coordinates, tuple[str, str]]) -> Layout:
    """Boards that are parts of a larger one, with thick lines between them."""
    at = {place: cell for cell, place in places.items()}
    columns, rows = in_columns(places)
    found = grid(columns, rows, lambda column, row: at.get((column, row), ()), face.cells)
    return replace(found, lines=borders(found, {cell: cell[:-2] for cell in face.cells}))


def _crossed(face: Face, ranks: Ranks) -> Layout:
    """A board whose squares have names of their own."""
    places = {name: place for name, place in face.crossing.items() if (name,) in face.cells}
    in_order = sorted(places, key=ranks.words)
    steps = [(one, other) for one, other in pairwise(in_order)
             if sum(abs(a - b) for a, b in zip(places[one], places[other], strict=True)) == 1]
    # Those that rules name one after the other stand above each other, as a1, a2 and a3.
    if steps and places[steps[0][0]][0] != places[steps[0][1]][0]:
        places = {name: (row, column) for name, (column, row) in places.items()}
    at = {place: name for name, place in places.items()}
    width, height = (max(numbers) + 1 for numbers in zip(*places.values(), strict=True))
    columns = {str(i): i for i in range(width)}
    rows = {str(j): j for j in range(height)}
    found = grid(list(columns), list(rows), lambda column, row: (at.get((columns[column], rows[row]), ""),), face.cells)
    # The names of squares are shown in them where they are needed; numbers at the edge would be of no use.
    return replace(found, labels=_edge_names(places, found))


def _edge_names(places: Mapping[str, tuple[int, int]], layout: Layout) -> tuple[Label, ...]:
    """Names of columns and rows, where those of squares are made of them, as e4 is."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for name, (column, row) in places.items():
        columns[column] = shared_start(columns.get(column, name), name)
        rows[row] = shared_start(rows.get(row, name[::-1]), name[::-1])
    if any(name != columns[column] + rows[row][::-1] for name, (column, row) in places.items()):
        return ()
    across, up = len(columns), len(rows)
    return tuple(Label(label.x, label.y, columns[number] if number < across else rows[number - across][::-1],
                       label.anchor) for number, label in enumerate(layout.labels[:across + up]))


def shared_start(one: str, other: str) -> str:
    """The beginning that two words share."""
    return "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def spokes(layout: Layout, joined: Sequence[frozenset[Pair]], around: int) -> tuple[tuple[Point, Point], ...]:
    """Lines from ring to ring where cells are neighbours."""
    ends = sorted({tuple(sorted(pair)) for pairs in joined for pair in pairs
                   if pair[0][around] == pair[1][around] and set(pair) <= layout.slots.keys()})
    return tuple(((layout.slots[one].x, layout.slots[one].y), (layout.slots[other].x, layout.slots[other].y))
                 for one, other in ends)


def borders(layout: Layout, parts: Mapping[Coordinates, Hashable]) -> tuple[tuple[Point, Point], ...]:
    """Lines between neighbouring squares of different parts, and around them all."""
    at = {(round(slot.x), round(slot.y)): cell for cell, slot in layout.slots.items()}
    lines = []
    half = UNIT / 2
    for cell, slot in layout.slots.items():
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = at.get((round(slot.x + dx * UNIT), round(slot.y + dy * UNIT)))
            if other is None or (parts[other] != parts[cell] and (dx > 0 or dy > 0)):
                x, y = slot.x + dx * half, slot.y + dy * half
                lines.append(((x - abs(dy) * half, y - abs(dx) * half), (x + abs(dy) * half, y + abs(dx) * half)))
    return tuple(lines)
