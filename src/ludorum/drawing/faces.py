"""What of a game is drawn as a board: its axes, its cells, and how fluents are read.

Whatever analysis found goes in here, and so does what fluents look like where play shows too little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ludorum.analysis.structures import Board, FluentStructure, Structures
from ludorum.analysis.structures.boards import Layer
from ludorum.analysis.structures.tables import Table
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.drawing.ranks import Ranks
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term

#: Tells the cell of a fluent and what it says of it, None for one that tells nothing of the board.
Read = Callable[[Term], tuple[Coordinates, str] | None]


@dataclass(frozen=True)
class FaceAxis:
    """One coordinate of the cells: its values in the order in which they are drawn."""

    values: tuple[str, ...]
    is_ordered: bool = False
    is_cyclic: bool = False
    is_selector: bool = False
    #: What variables of rules join it with, as `Domains.link` numbers it.
    link: int | None = None


@dataclass(frozen=True)
class Face:
    """A board before it is laid out."""

    name: str
    axes: tuple[FaceAxis, ...]
    cells: frozenset[Coordinates]
    read: Read
    #: For every content the numbers of the fluents that tell of it, among those of the samples.
    fluents: Mapping[str, tuple[int, ...]]
    #: The contents that stand for nothing.
    blank: frozenset[str] = frozenset()
    #: Where cells are whose names tell nothing, by column and row from 0.
    crossing: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    #: For contents that count, how many each stands for.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: Whether its cells are counters or other things with a value each, beside the boards.
    is_beside: bool = False
    #: The analysed board, None if none was found.
    board: Board | None = None
    #: Whether its cells are lines between points, named by the columns and rows of their two ends.
    is_edges: bool = False
    #: For things that lie on each other how large each is, from 0 to 1, as far as the rules tell.
    stacked: Mapping[str, float] | None = None
    #: What variables of rules join contents with, where no table of cells tells.
    links: tuple[int | None, ...] = ()
    #: Whether one fluent tells of all cells: for each its contents are then found by `read_row`.
    read_row: Callable[[Term], tuple[tuple[Coordinates, str], ...]] | None = None

    def told(self, fluent: Term) -> tuple[tuple[Coordinates, str], ...]:
        """The cells that a fluent speaks of, and what it says of each."""
        if self.read_row is not None:
            return self.read_row(fluent)
        told = self.read(fluent)
        return () if told is None else (told,)


def axis_values(values: tuple[Term, ...], *, is_ordered: bool, ranks: Ranks,
                is_cyclic: bool = False) -> tuple[str, ...]:
    """The values of an axis as they are drawn.

    Numbers run upwards even where the rules count down. Other values come as the relation that orders them has it, from
    the end that the rules name first, or in the order in which the rules name them; what they are called is no reason.
    """
    found = [str(value) for value in values]
    if all(value.isdecimal() for value in found):
        return tuple(sorted(found, key=natural))
    if not is_ordered:
        return tuple(sorted(found, key=ranks.words))
    met = [ranks.words(value) for value in found]
    inverted = sum(one > other for number, one in enumerate(met) for other in met[number + 1:])
    if is_cyclic:
        # A circle begins with what the rules name first.
        start = min(range(len(found)), key=lambda number: met[number])
        return tuple(found[start:] + found[:start])
    return tuple(reversed(found) if 2 * inverted > len(found) * (len(found) - 1) // 2 else found)


def faces(known: Structures, ranks: Ranks, link: Callable[[object], int | None]) -> Iterator[Face]:
    """The boards that analysis found; where two fluents tell of all cells in the same terms, each is a board."""
    by_table = {fluent.table: fluent for fluent in known.fluents}
    for board in known.boards:
        # The order of fluents is that of their names, which must not matter.
        base, *others = sorted(board.layers, key=lambda layer: (
            by_table[layer.table].kind != "board", not by_table[layer.table].inputs[0].is_total,
            _counts(layer, by_table), ranks.of(layer.table.name)))
        twins = [layer for layer in others if _is_twin(base, layer, by_table)]
        rest = [layer for layer in others if layer not in twins
                and not (_counts(layer, by_table) and not _counts(base, by_table))]
        yield _face(board, [base, *rest], ranks, link, by_table)
        for twin in twins:
            yield _face(board, [twin], ranks, link, by_table)


def _is_twin(base: Layer, layer: Layer, known: Mapping[Table, FluentStructure]) -> bool:
    """Whether two layers are boards of their own: each tells of every cell at all times, and in the same terms."""
    return (all(known[each.table].kind == "board" and known[each.table].inputs[0].is_total for each in (base, layer))
            and {base.words(row) for row in base.table.rows} == {layer.words(row) for row in layer.table.rows})


def _counts(layer: Layer, known: Mapping[Table, FluentStructure]) -> bool:
    """Whether a layer numbers the cells: on a board that holds other things, for the rules' own sake."""
    return any(known[layer.table].orders[column] is not None for column in layer.contents)


def _face(board: Board, layers: list[Layer], ranks: Ranks, link: Callable[[object], int | None],
          known: Mapping[Table, FluentStructure]) -> Face:
    base = layers[0]
    axes = tuple(FaceAxis(axis_values(axis.values, is_ordered=axis.order is not None, ranks=ranks,
                                      is_cyclic=axis.is_cyclic),
                          axis.order is not None, axis.is_cyclic, axis.is_selector,
                          link(base.table.places[column]))
                 for axis, column in zip(board.axes, base.coordinates, strict=True))
    reader = Reader(tuple(layers), frozenset(tuple(map(str, cell)) for cell in board.cells), _shared(layers))
    fluents: dict[str, list[int]] = defaultdict(list)
    for layer in layers:
        for number, row in zip(layer.table.fluents, layer.table.rows, strict=True):
            fluents[reader.words(layer, layer.words(row))].append(int(number))
    blank = frozenset() if board.empty is None else frozenset({" ".join(board.empty.words)})
    crossing = {} if board.crossing is None else {str(name): at for name, at in board.crossing.places.items()}
    return Face(base.table.name, axes, reader.cells, reader,
                {words: tuple(numbers) for words, numbers in fluents.items()}, blank, crossing,
                counts(known[base.table], base), board=board)


def counts(structure: FluentStructure, layer: Layer) -> dict[str, int]:
    """How many each content stands for, where the one column that tells it counts."""
    if len(layer.contents) != 1 or structure.orders[layer.contents[0]] is None:
        return {}
    column = layer.contents[0]
    values = structure.table.values[column]
    order = structure.orders[column]
    if all(str(value).isdecimal() and len(str(value)) < 9 for value in values):
        return {str(value): int(str(value)) for value in values}
    line = None if order is None else order.in_order(order.things)
    return {} if line is None else {str(value): number for number, value in enumerate(line) if value in values}


def _shared(layers: list[Layer]) -> frozenset[tuple[str, ...]]:
    """Contents that several kinds of fluents tell of, such as the colour of a rider and of its trail."""
    tellers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for layer in layers:
        for row in layer.table.rows:
            tellers[layer.words(row)].add(layer.table.name)
    return frozenset(words for words, names in tellers.items() if len(names) > 1)


@dataclass(frozen=True, eq=False)
class Reader:
    """Tells cells and contents from the fluents of a board."""

    layers: tuple[Layer, ...]
    cells: frozenset[Coordinates]
    shared: frozenset[tuple[str, ...]] = frozenset()

    def words(self, layer: Layer, words: tuple[str, ...]) -> str:
        """A content in words, with the fluent's name where that is needed to tell it from another."""
        is_base = layer is self.layers[0]
        return " ".join((layer.table.name, *words) if words in self.shared and not is_base else words)

    def __call__(self, fluent: Term) -> tuple[Coordinates, str] | None:
        for layer in self.layers:
            if (fluent.name, len(fluent.args)) == (layer.table.name, layer.table.arity) and layer.table.fits(fluent):
                row = layer.table.read(fluent)
                cell = tuple(map(str, layer.cell(row)))
                return (cell, self.words(layer, layer.words(row))) if cell in self.cells else None
        return None
