"""Boards: cells with contents, of any number of dimensions.

The input arguments of a fluent are the axes of a board, and its outputs are what a cell holds. Fluents without outputs,
such as `(food 2 3)`, mark cells, and fluents whose outputs lead to cells, such as `(at king 2 3)`, put pieces on them;
where they go by the same coordinates as a board they are layers of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from ludorum.analysis.samples import Samples
from ludorum.analysis.statics import StaticRelation
from ludorum.analysis.structures.crossing import Crossing, crossing
from ludorum.analysis.structures.tables import Table
from ludorum.gdl.domains import Domains
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term
from ludorum.grammar import agree

Cell = tuple[Term, ...]

_STATES = 4096
_NEARLY_EVERY = 0.8


@dataclass(frozen=True)
class Axis:
    """One coordinate of a board."""

    #: Its values, in order if there is one.
    values: tuple[Term, ...]
    #: The relation that puts the values in order, None if none does.
    order: str | None = None
    is_cyclic: bool = False
    #: Whether it says which of several boards is meant.
    is_selector: bool = False

    def __str__(self) -> str:
        extent = f"{len(self.values)}" + (f" by {self.order}" if self.order else "")
        return extent + (" in a circle" if self.is_cyclic else "") + (" boards" if self.is_selector else "")


@dataclass(frozen=True)
class Content:
    """Something that a cell may hold."""

    #: The fluent's name where that is all it says, else the values of its other arguments.
    words: tuple[str, ...]
    #: In how many cells it was seen at once, at most, and in how many on the average.
    most: int
    mean: float
    #: Whether it was seen in more than one place.
    moves: bool
    #: Whether it is one of many values that count something.
    is_amount: bool = False

    @property
    def is_piece(self) -> bool:
        """Whether it is never in two cells at once and not always in the same one."""
        return self.most == 1 and self.moves and not self.is_amount

    def __str__(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, eq=False)
class Layer:
    """Fluents of one name as contents of a board's cells."""

    table: Table
    #: The columns that name the cell, in the order of the board's axes, and those that tell its content.
    coordinates: tuple[int, ...]
    contents: tuple[int, ...]

    def cell(self, row: Sequence[Term]) -> Cell:
        return tuple(row[column] for column in self.coordinates)

    def words(self, row: Sequence[Term]) -> tuple[str, ...]:
        """What a fluent says of its cell."""
        return tuple(str(row[column]) for column in self.contents) or (self.table.name,)


@dataclass(frozen=True, eq=False)
class Board:
    name: str
    axes: tuple[Axis, ...]
    cells: frozenset[Cell]
    layers: tuple[Layer, ...]
    contents: tuple[Content, ...]
    #: The content that stands for nothing, if cells always hold something.
    empty: Content | None
    #: Where the cells are, if they have names of their own on a board of two dimensions.
    crossing: Crossing | None = None

    @property
    def dimensions(self) -> tuple[Axis, ...]:
        """The axes that do not say which board is meant."""
        return tuple(axis for axis in self.axes if not axis.is_selector)

    @property
    def extents(self) -> tuple[int, ...]:
        """How many cells it has in every dimension, at most."""
        return tuple(len(axis.values) for axis in self.dimensions) if self.crossing is None else self.crossing.extents

    @property
    def is_ordered(self) -> bool:
        return self.crossing is not None or any(axis.order for axis in self.axes)

    @property
    def markers(self) -> tuple[Content, ...]:
        """What may be in many cells at once."""
        return tuple(content for content in self.contents if not content.is_piece and content is not self.empty)

    @property
    def pieces(self) -> tuple[Content, ...]:
        """What is in one cell at a time."""
        return tuple(content for content in self.contents if content.is_piece and content is not self.empty)

    @cached_property
    def _layers(self) -> Mapping[tuple[str, int], Layer]:
        return {(layer.table.name, layer.table.arity): layer for layer in self.layers}

    def layer(self, fluent: Term) -> Layer | None:
        """The layer that a fluent belongs to, None if it tells nothing of the cells."""
        found = self._layers.get((fluent.name, len(fluent.args)))
        # Where only some fluents were met with, another may have a function where they have none.
        return found if found is not None and found.table.fits(fluent) else None

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return " × ".join(map(str, self.axes)) if self.crossing is None else str(self.crossing)

    def __str__(self) -> str:
        return f"{self.name}: {self.size}, {len(self.cells)} {agree(len(self.cells), 'cell')}"


@dataclass(frozen=True, eq=False)
class Shape:
    """What is known of a table when boards are looked for."""

    table: Table
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    is_total: bool
    orders: tuple[StaticRelation | None, ...]
    #: The same for columns that turn out to be coordinates.
    loose_orders: tuple[StaticRelation | None, ...]
    #: For every column a number that is the same where variables lead from one to the other.
    links: tuple[int | None, ...]


def boards(bases: Sequence[Shape], others: Sequence[Shape], samples: Samples,
           relations: Sequence[StaticRelation]) -> tuple[Board, ...]:
    """Boards of these fluents; what lies on the cells of one, of theirs or of the others, is a layer of it.

    The others are those that make a board only together: marks, and pieces by their places. Of cells that go by one
    argument the relations tell whether they lie in a line.
    """
    found: list[Board] = []
    free = list(others)
    # Of two that go by the same coordinates, the one that tells of every cell is the board, and the other lies on it.
    waiting = sorted(bases, key=lambda shape: (-len(shape.inputs), not shape.is_total))
    while waiting:
        base = waiting.pop(0)
        cells = _cells(base.table, base.inputs)
        layers = [Layer(base.table, base.inputs, base.outputs)]
        for shape in [*waiting, *free]:
            layer = _on(shape, base, base.inputs, cells)
            if layer is not None:
                layers.append(layer)
        used = {layer.table for layer in layers}
        waiting = [shape for shape in waiting if shape.table not in used]
        free = [shape for shape in free if shape.table not in used]
        found.append(_board(base, base.inputs, cells, layers, samples))
    found.extend(_made_of(free, samples))
    return tuple(_crossed(board, relations) if len(board.axes) == 1 else board for board in found)


def _crossed(board: Board, relations: Sequence[StaticRelation]) -> Board:
    """A board whose cells have names of their own; those that were never held by anything are cells, too."""
    found = crossing((name for name, in board.cells), relations)
    return board if found is None else replace(board, crossing=found, cells=frozenset((name,) for name in found.places))


def _made_of(shapes: Sequence[Shape], samples: Samples) -> Iterator[Board]:
    """Boards that only marks and pieces speak of, those with the most cells first."""
    free = [(shape, columns) for shape in shapes if (columns := _plane(shape)) is not None]
    free.sort(key=lambda known: -len(_cells(known[0].table, known[1])))
    while free:
        base, columns = free.pop(0)
        cells = _cells(base.table, columns)
        rest = tuple(column for column in range(base.table.width) if column not in columns)
        layers = [Layer(base.table, columns, rest)]
        for shape, _ in list(free):
            layer = _on(shape, base, columns, cells | _cells(shape.table, _plane(shape) or ()))
            if layer is not None:
                layers.append(layer)
                cells |= _cells(layer.table, layer.coordinates)
        used = {layer.table for layer in layers}
        free = [known for known in free if known[0].table not in used]
        yield _board(base, columns, cells, layers, samples)


def _plane(shape: Shape) -> tuple[int, ...] | None:
    """The columns of marks or pieces that are coordinates: two or more, in order or of one kind."""
    columns = shape.outputs or tuple(range(shape.table.width))
    ordered = tuple(column for column in columns if shape.orders[column] is not None)
    if len(ordered) > 1:
        return ordered
    alike = [pair for pair in combinations(columns, 2)
             if shape.links[pair[0]] is not None and shape.links[pair[0]] == shape.links[pair[1]]]
    return alike[0] if alike and len(_cells(shape.table, alike[0])) > 3 else None


def _on(shape: Shape, base: Shape, axes: Sequence[int], cells: frozenset[Cell]) -> Layer | None:
    """The fluents as a layer of a board, if they go by its coordinates."""
    wanted = [base.links[column] for column in axes]
    if None in wanted:
        return None
    for columns in combinations(range(shape.table.width), len(axes)):
        if [shape.links[column] for column in columns] == wanted and _cells(shape.table, columns) <= cells:
            rest = tuple(column for column in range(shape.table.width) if column not in columns)
            return Layer(shape.table, columns, rest)
    return None


def _cells(table: Table, columns: Sequence[int]) -> frozenset[Cell]:
    return frozenset(tuple(row[column] for column in columns) for row in table.rows)


def _board(base: Shape, columns: Sequence[int], cells: frozenset[Cell], layers: Sequence[Layer],
           samples: Samples) -> Board:
    known = {column: base.orders[column] or base.loose_orders[column] for column in columns}
    several = sum(order is not None for order in known.values()) > 1
    axes = []
    for index, order in enumerate(known.values()):
        values = {cell[index] for cell in cells}
        line = order.in_order(values) if order is not None else None
        axes.append(Axis(line or tuple(sorted(values, key=natural)),
                         order.name if order is not None else None,
                         is_cyclic=order is not None and order.is_cyclic,
                         is_selector=several and order is None))
    contents = tuple(content for layer in layers for content in _contents(layer, samples, base.orders))
    # Where cells need not hold anything, nothing is nothing.
    empty = _empty(layers[0], contents, samples) if base.is_total else None
    name = " and ".join(dict.fromkeys(layer.table.name for layer in layers))
    return Board(name, tuple(axes), cells, tuple(layers), contents, empty)


def _contents(layer: Layer, samples: Samples, counted: Sequence[StaticRelation | None]) -> list[Content]:
    # A few thousand states tell how many there are of each.
    bits = samples.bits[:: -(-len(samples) // _STATES)]
    is_amount = any(column < len(counted) and counted[column] is not None for column in layer.contents)
    found = []
    for words, numbers in _by_words(layer).items():
        counts = bits[:, numbers].sum(axis=1, dtype=np.int64)
        seen = bits[:, numbers].any(axis=0)
        found.append(Content(words, int(counts.max()), float(counts.mean()), bool(seen.sum() > 1), is_amount))
    return found


def _by_words(layer: Layer) -> dict[tuple[str, ...], list[int]]:
    """For every content the fluents that tell of it."""
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, row in zip(layer.table.fluents, layer.table.rows, strict=True):
        groups[layer.words(row)].append(int(number))
    return groups


def _empty(layer: Layer, contents: Sequence[Content], samples: Samples) -> Content | None:
    """The content that stands for nothing: what nearly every change of a cell begins or ends with, else what most hold.

    In a puzzle of tiles the gap is part of every change, though it is but one of many cells; in a game where stones are
    turned over it is not, but most cells are empty. Of two contents that turn into each other neither is nothing.
    """
    by_words = _by_words(layer)
    chosen = np.arange(1, len(samples), -(-len(samples) // _STATES))
    before, after = samples.bits[samples.parents[chosen]], samples.bits[chosen]
    # A cell that changes is left by one content and entered by another.
    changes = {words: int((before[:, numbers] != after[:, numbers]).sum()) for words, numbers in by_words.items()}
    total = sum(changes.values()) // 2
    part = sorted((words for words in changes if changes[words] >= _NEARLY_EVERY * total), key=lambda w: -changes[w])
    known = {content.words: content for content in contents}
    if total and len(part) == 1:
        return known[part[0]]
    ranked = sorted((known[words] for words in by_words), key=lambda content: -content.mean)
    is_clear = len(ranked) > 2 and ranked[0].mean > 1.01 * ranked[1].mean and len(layer.coordinates) > 1
    return ranked[0] if is_clear else None


def links(table: Table, domains: Domains) -> tuple[int | None, ...]:
    return tuple(map(domains.link, table.places))
