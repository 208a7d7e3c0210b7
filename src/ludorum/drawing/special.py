"""Boards that are no grid of cells: lines between points, things on things, and squares that pieces name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from ludorum.analysis.structures import FluentStructure, Structures
from ludorum.analysis.structures.boards import Layer
from ludorum.drawing.faces import Face, FaceAxis, Read, Reader, axis_values
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.drawing.ranks import Ranks
from ludorum.gdl.terms import Term

Link = Callable[[object], int | None]

# A few may be otherwise.
_NEARLY_ALL = 0.9
# A place for every piece is no board to walk on.
_FEWEST_SQUARES = 6
_MOST_MARKED = 3
_SHORTEST_ROW = 3


def special_faces(known: Structures, ranks: Ranks, link: Link) -> Iterator[Face]:
    """The boards of a game that are no grids."""
    for fluent in sorted(known.fluents, key=lambda fluent: ranks.of(fluent.name)):
        if fluent.kind in ("control", "step counter", "flag", "unknown"):
            continue
        face = _edges(fluent, ranks, link) or _stacks(fluent, ranks, link) or _squares(fluent, ranks, link) or (
            _row(fluent, link))
        if face is not None:
            yield face


def marked_faces(known: Structures, taken: frozenset[str], known_links: Collection[tuple[int | None, ...]],
                 ranks: Ranks, link: Link) -> Iterator[Face]:
    """Places that only marks speak of, such as `(blank a)` and `(cross a)`, and at last flags, such as `light`.

    What goes by the links of a board that is drawn already tells of its cells.
    """
    # What speaks of the same places goes together, also where no variable leads from one to the other.
    groups: dict[tuple[frozenset[Term], ...], list[FluentStructure]] = defaultdict(list)
    for fluent in sorted(known.fluents, key=lambda fluent: ranks.of(fluent.name)):
        if fluent.kind == "marks" and fluent.name not in taken and fluent.table.width <= _MOST_MARKED:
            groups[fluent.table.values].append(fluent)
    found = False
    for fluents in groups.values():
        links = tuple(link(place) for place in fluents[0].table.places)
        if links in known_links or (len(fluents) < 2 and len(fluents[0].table.rows) < _FEWEST_SQUARES):
            continue
        width = fluents[0].table.width
        columns = tuple(range(width))
        values = [frozenset().union(*(fluent.table.values[column] for fluent in fluents)) for column in columns]
        layers = tuple(Layer(fluent.table, columns, ()) for fluent in fluents)
        cells = frozenset(tuple(map(str, layer.cell(row))) for layer in layers for row in layer.table.rows)
        names = {fluent.name: tuple(map(int, fluent.table.fluents)) for fluent in fluents}
        shortest = min(columns, key=lambda column: len(values[column]))
        axes = tuple(FaceAxis(axis_values(tuple(values[column]), is_ordered=False, ranks=ranks), link=links[column],
                              is_selector=width > 1 and column == shortest) for column in columns)
        found = True
        yield Face(fluents[0].name, axes, cells, Reader(layers, cells), names)
    flags = sorted((fluent.name for fluent in known.fluents if fluent.kind == "flag"), key=ranks.of)
    if not found and not taken and len(flags) > 1:
        numbers = {fluent.name: tuple(map(int, fluent.table.fluents)) for fluent in known.fluents}
        yield Face("", (FaceAxis(tuple(flags)),), frozenset((flag,) for flag in flags), _read_flag(frozenset(flags)),
                   {"true": tuple(number for flag in flags for number in numbers[flag])})


def _read_flag(flags: frozenset[str]) -> Read:
    return lambda fluent: ((fluent.name,), "true") if not fluent.args and fluent.name in flags else None


def _edges(fluent: FluentStructure, ranks: Ranks, link: Link) -> Face | None:
    """Fluents such as `(line 1 1 1 2)`: two points that are neighbours nearly always."""
    table = fluent.table
    links = [link(place) for place in table.places]
    if table.width < 4 or None in links[:4] or links[:2] != links[2:4]:
        return None
    axes = []
    for column in (0, 1):
        values = table.values[column] | table.values[column + 2]
        order = fluent.orders[column]
        line = None if order is None else order.in_order(values)
        axes.append(axis_values(line or tuple(values), is_ordered=line is not None, ranks=ranks))
    index = [{value: number for number, value in enumerate(axis)} for axis in axes]
    apart = [sum(abs(index[i][str(row[i])] - index[i][str(row[i + 2])]) for i in (0, 1)) for row in table.rows]
    if sum(steps == 1 for steps in apart) < _NEARLY_ALL * len(apart):
        return None
    return _face(fluent, (0, 1, 2, 3), link, tuple(axes[i % 2] for i in range(4)), is_edges=True)


def _stacks(fluent: FluentStructure, ranks: Ranks, link: Link) -> Face | None:
    """Fluents such as `(on a b)`: a thing that lies on another one."""
    table = fluent.table
    links = [link(place) for place in table.places]
    if table.width != 2 or links[0] is None or links[0] != links[1] or fluent.input_columns != (0,):
        return None
    values = table.values[0] | table.values[1]
    # Something is never under anything, or lies on nothing: else it is a permutation.
    if not table.values[0] & table.values[1] or len(values) < 3 or all(str(value).isdecimal() for value in values):
        return None
    if not any(claim.arguments == (table.label(1),) for claim in fluent.inputs):
        return None
    things = axis_values(tuple(values), is_ordered=False, ranks=ranks)
    order = fluent.orders[0] or fluent.orders[1]
    line = None if order is None else order.in_order(table.values[0])
    sizes = {} if line is None else {str(thing): number / max(1, len(line) - 1) for number, thing in enumerate(line)}
    face = _face(fluent, (0,), link, (things,))
    cells = frozenset((thing,) for thing in things)
    return replace(face, cells=cells, read=Reader((Layer(table, (0,), (1,)),), cells), stacked=sizes)


def _squares(fluent: FluentStructure, ranks: Ranks, link: Link) -> Face | None:
    """Fluents such as `(piece white 3 e2)` that put pieces on squares with names: the square alone tells the piece."""
    table = fluent.table
    if fluent.kind not in ("board", "variable") or len(fluent.output_columns) != 1 or table.width < 2:
        return None
    column, = fluent.output_columns
    pieces = {tuple(row[i] for i in fluent.input_columns) for row in table.rows}
    squares = table.values[column]
    if (len(squares) < max(_FEWEST_SQUARES, len(pieces) + 1) or fluent.orders[column] is not None
            or not any(claim.arguments == (table.label(column),) for claim in fluent.inputs)):
        return None
    return _face(fluent, (column,), link, (axis_values(tuple(squares), is_ordered=False, ranks=ranks),))


def _row(fluent: FluentStructure, link: Link) -> Face | None:
    """One fluent such as `(order p5 p3 p6 p1)` that tells of things in a row, a place an argument."""
    table = fluent.table
    links = {link(place) for place in table.places}
    values = frozenset().union(*table.values)
    if (fluent.kind != "variable" or fluent.input_columns or table.width < _SHORTEST_ROW or len(links) > 1
            or None in links or any(order is not None for order in fluent.orders)
            or all(str(value).isdecimal() for value in values)):
        return None
    names = tuple(str(column + 1) for column in range(table.width))

    def read(told: Term) -> tuple[tuple[Coordinates, str], ...]:
        if (told.name, len(told.args)) != (table.name, table.arity) or not table.fits(told):
            return ()
        return tuple(((name,), str(value)) for name, value in zip(names, table.read(told), strict=True))

    fluents: dict[str, list[int]] = defaultdict(list)
    for number, row in zip(table.fluents, table.rows, strict=True):
        for value in row:
            fluents[str(value)].append(int(number))
    return Face(table.name, (FaceAxis(names, is_ordered=True),), frozenset((name,) for name in names),
                lambda told: next(iter(read(told)), None),
                {words: tuple(numbers) for words, numbers in fluents.items()}, read_row=read, links=tuple(links))


def _face(fluent: FluentStructure, columns: tuple[int, ...], link: Link, axes: tuple[tuple[str, ...], ...], *,
          is_edges: bool = False) -> Face:
    table = fluent.table
    layer = Layer(table, columns, tuple(column for column in range(table.width) if column not in columns))
    cells = frozenset(tuple(map(str, layer.cell(row))) for row in table.rows)
    fluents: dict[str, list[int]] = defaultdict(list)
    for number, row in zip(table.fluents, table.rows, strict=True):
        fluents[" ".join(layer.words(row))].append(int(number))
    return Face(table.name, tuple(FaceAxis(values, link=link(table.places[column]))
                                  for values, column in zip(axes, columns, strict=True)),
                cells, Reader((layer,), cells), {words: tuple(numbers) for words, numbers in fluents.items()},
                is_edges=is_edges)
