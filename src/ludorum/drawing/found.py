"""Boards as analysis found them, whatever their fluents are called and wherever their coordinates stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from math import prod

from ludorum.analysis.structures import Board, structures
from ludorum.drawing.grid import Cell, Grid
from ludorum.drawing.symbols import symbols
from ludorum.game import Game
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term

# What was seen in fewer states is not worth believing.
_FEWEST_STATES = 16
_LARGEST_AXIS = 40
# A board may have corners cut off or be a star, but a relation between any two things is no board.
_LEAST_FILLED = 0.25
# Values of fewer things than that are listed.
_SHORTEST_LINE = 5


def found_grids(game: Game) -> Iterator[Grid]:
    """The boards of a game that are worth drawing."""
    known = structures(game)
    if known.states < _FEWEST_STATES:
        return
    for board in known.boards:
        grid = _named_squares(board, game.roles) or _grid(board, game.roles)
        if grid is not None:
            yield grid


def _grid(board: Board, roles: tuple[str, ...]) -> Grid | None:
    axes = tuple(_values([str(value) for value in axis.values]) for axis in board.axes)
    inner = [number for number, axis in enumerate(board.axes) if not axis.is_selector]
    if len(inner) > 2:
        # The third makes a series of boards; of four or more, the last two are a board in a board.
        inner = inner[:2] if len(inner) == 3 else inner[-2:]
    if not inner or any(not 2 <= len(axes[axis]) <= _LARGEST_AXIS for axis in inner):
        return None
    if len(inner) == 1 and (len(board.cells) < _SHORTEST_LINE or any(content.is_amount for content in board.contents)):
        return None
    if len(board.cells) < _LEAST_FILLED * prod(map(len, axes)):
        return None
    cells = frozenset(tuple(map(str, cell)) for cell in board.cells)
    reader = _Reader(board, axes, _shared(board))
    return Grid(board.layers[0].table.name, axes, inner[0], inner[1] if len(inner) > 1 else None, cells,
                _symbols(board, reader, roles), reader)


def _named_squares(board: Board, roles: tuple[str, ...]) -> Grid | None:
    """A board whose squares have names of their own.

    Where these are made of columns and rows, as e4 is, so are the labels; else a column goes by its lowest square, and
    a row by its first one.
    """
    if board.crossing is None:
        return None
    found = board.crossing.places
    columns = {column: str(name) for name, (column, _) in sorted(found.items(), key=lambda known: -known[1][1])}
    rows = {row: str(name) for name, (_, row) in sorted(found.items(), key=lambda known: -known[1][0])}
    columns, rows = _labels(found) or (columns, rows)
    places = {str(name): (columns[column], rows[row]) for name, (column, row) in found.items()}
    axes = tuple(tuple(line[number] for number in sorted(line)) for line in (columns, rows))
    if any(not 2 <= len(axis) <= _LARGEST_AXIS for axis in axes):
        return None
    reader = _Reader(board, axes, _shared(board), places)
    return Grid(board.layers[0].table.name, axes, 0, 1, frozenset(places.values()), _symbols(board, reader, roles),
                reader, places)


def _labels(places: Mapping[Term, tuple[int, int]]) -> tuple[dict[int, str], dict[int, str]] | None:
    """What all squares of a column begin with and all of a row end with, if that makes their names."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for square, (column, row) in places.items():
        name = str(square)
        columns[column] = _begun_by_both(columns.get(column, name), name)
        rows[row] = _begun_by_both(rows.get(row, name[::-1]), name[::-1])
    rows = {row: label[::-1] for row, label in rows.items()}
    is_made = all(str(square) == columns[column] + rows[row] for square, (column, row) in places.items())
    return (columns, rows) if is_made else None


def _begun_by_both(one: str, other: str) -> str:
    """The beginning that two words share."""
    return "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _symbols(board: Board, reader: _Reader, roles: tuple[str, ...]) -> dict[str, str]:
    values = sorted({reader.words(layer.table.name, layer.words(row)) for layer in board.layers
                     for row in layer.table.rows}, key=natural)
    return symbols(values, roles, [str(board.empty)] if board.empty is not None else [])


def _values(values: list[str]) -> tuple[str, ...]:
    """The values of an axis; numbers run upwards even where the rules count down."""
    return tuple(sorted(values, key=natural) if all(value.isdecimal() for value in values) else values)


def _shared(board: Board) -> frozenset[tuple[str, ...]]:
    """Contents that several kinds of fluents tell of, such as the colour of a rider and of its trail."""
    tellers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for layer in board.layers:
        for row in layer.table.rows:
            tellers[layer.words(row)].add(layer.table.name)
    return frozenset(words for words, names in tellers.items() if len(names) > 1)


@dataclass(frozen=True)
class _Reader:
    """Tells cells and contents from the fluents of a board."""

    board: Board
    axes: tuple[tuple[str, ...], ...]
    shared: frozenset[tuple[str, ...]]
    #: Where squares with names of their own are.
    places: Mapping[str, Cell] | None = None

    def words(self, name: str, words: tuple[str, ...]) -> str:
        """A content in words, with the fluent's name where that is needed to tell it from another."""
        is_base = name == self.board.layers[0].table.name
        return " ".join((name, *words) if words in self.shared and not is_base else words)

    def __call__(self, fluent: Term) -> tuple[Cell, str] | None:
        layer = self.board.layer(fluent)
        if layer is None:
            return None
        row = layer.table.read(fluent)
        cell = tuple(map(str, layer.cell(row)))
        if self.places is not None:
            cell = self.places.get(cell[0], cell * 2)
        # A cell that play did not show may be off the board as it is drawn.
        if any(value not in axis for value, axis in zip(cell, self.axes, strict=True)):
            return None
        return cell, self.words(layer.table.name, layer.words(row))
