"""Boards as pictures: what stands in the cells, how far cells are, where a symmetry takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from ludorum.drawing.grid import Cell, Grid
from ludorum.gdl.terms import Term
from ludorum.report import svg

_SIZE = 30.0
_MARGIN = 26.0
_GAP = 18.0
# The widest a row of boards gets before the next begins.
_WIDTH = 900.0
_LIGHT, _DARK, _HOLE = "#f6f1e4", "#e9dfc6", "none"


def board(grid: Grid, texts: Mapping[Cell, str], *, title: str, fills: Mapping[Cell, str] | None = None,
          hints: Mapping[Cell, str] | None = None) -> str:
    """A board with words in its cells, in colours of their own or like a chess board."""
    longest = max(map(len, [*texts.values(), ""]))
    size = max(_SIZE, 7.0 * longest + 8)
    frames = list(_frames(grid, size))
    parts: list[str] = []
    for words, x, y, places in frames:
        if words:
            parts.append(svg.text(x + _MARGIN, y + 8, words, anchor="start", fill="#555"))
        parts += _labels(grid, x, y, size)
        for cell, (left, top, parity) in places.items():
            fill = (fills or {}).get(cell, _DARK if parity else _LIGHT)
            dark = fill.startswith("rgb(") and sum(map(int, fill[4:-1].split(","))) < 360
            parts.append(svg.rectangle(left, top, size, size, fill, hint=(hints or {}).get(cell, "")))
            if texts.get(cell):
                parts.append(svg.text(left + size / 2, top + size / 2, texts[cell], size=12,
                                      fill="#fff" if dark else "#222"))
    width, height = _panel(grid, size)
    return svg.picture(max(x + width for _, x, _, _ in frames), max(y + height for _, _, y, _ in frames), parts,
                       title=title)


def permuted(grid: Grid, moved: Mapping[Term, Term], *, title: str, even_if_still: bool = False) -> str | None:
    """Where fluents go that a symmetry moves: every cell shows the name and colour of the one that takes its place.

    None if contents of one cell go to several, or if every cell stays where it is.
    """
    sources: dict[Cell, Cell] = {}
    for fluent, image in moved.items():
        here, there = grid.read(fluent), grid.read(image)
        if here is None:
            continue
        if there is None or sources.setdefault(there[0], here[0]) != here[0]:
            return None
    if not even_if_still and all(cell == source for cell, source in sources.items()):
        return None
    return board(grid, {cell: " ".join(source) for cell, source in sources.items()},
                 fills={cell: _hue(grid, source) for cell, source in sources.items()}, title=title)


def _hue(grid: Grid, cell: Cell) -> str:
    """A colour that changes evenly over a board, so that one sees how it is turned."""
    shares = []
    for axis, value in zip(grid.axes, cell, strict=True):
        shares.append(axis.index(value) / max(1, len(axis) - 1) if value in axis else 0.0)
    first, last = shares[0], shares[-1]
    return f"rgb({round(250 - 90 * first)},{round(235 - 60 * last)},{round(190 + 60 * first * (1 - last))})"


def centres(grid: Grid) -> tuple[dict[Cell, tuple[float, float]], float, float]:
    """Where the middles of cells are in a picture of a board, and how large it is."""
    frames = list(_frames(grid, _SIZE))
    width, height = _panel(grid, _SIZE)
    found = {cell: (left + _SIZE / 2, top + _SIZE / 2)
             for _, _, _, places in frames for cell, (left, top, _) in places.items()}
    return found, max(x + width for _, x, _, _ in frames), max(y + height for _, _, y, _ in frames)


def _panel(grid: Grid, size: float) -> tuple[float, float]:
    rows = len(grid.axes[grid.rows]) if grid.rows is not None else 1
    return _MARGIN + len(grid.axes[grid.columns]) * size + _GAP, _MARGIN + rows * size + _GAP


def _frames(grid: Grid, size: float) -> Iterator[tuple[str, float, float, dict[Cell, tuple[float, float, int]]]]:
    """For every board of a series its title, its corner, and where its cells are, with light and dark in turns."""
    outer = [axis for axis in range(len(grid.axes)) if axis not in (grid.columns, grid.rows)]
    width, height = _panel(grid, size)
    across = max(1, int(_WIDTH // width))
    columns = grid.axes[grid.columns]
    rows = grid.axes[grid.rows] if grid.rows is not None else ("",)
    number = 0
    for values in product(*(grid.axes[axis] for axis in outer)):
        chosen = dict(zip(outer, values, strict=True))
        x, y = width * (number % across), height * (number // across)
        places = {}
        for (i, column), (j, row) in product(enumerate(columns), enumerate(rows)):
            here = {**chosen, grid.columns: column} | ({} if grid.rows is None else {grid.rows: row})
            cell = tuple(here[axis] for axis in range(len(grid.axes)))
            if cell in grid.cells:
                places[cell] = (x + _MARGIN + i * size, y + 18 + (len(rows) - 1 - j) * size, (i + j) % 2)
        if places:
            number += 1
            yield " ".join(values), x, y, places


def _labels(grid: Grid, x: float, y: float, size: float) -> Iterator[str]:
    rows = grid.axes[grid.rows] if grid.rows is not None else ("",)
    for i, column in enumerate(grid.axes[grid.columns]):
        yield svg.text(x + _MARGIN + (i + 0.5) * size, y + 18 + len(rows) * size + 9, column[:6], size=9, fill="#777")
    for j, row in enumerate(rows):
        yield svg.text(x + _MARGIN - 4, y + 18 + (len(rows) - j - 0.5) * size, row[:6], size=9, anchor="end",
                       fill="#777")
