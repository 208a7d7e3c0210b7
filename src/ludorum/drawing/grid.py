"""A board as lines of text: columns run to the right and rows upwards, as on a chess board.

Further axes make a series of boards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

from ludorum.gdl.terms import Term

WIDTH = 100

#: The values of its axes, as text.
Cell = tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A board ready to be drawn."""

    name: str
    #: The values of every axis in their order.
    axes: tuple[tuple[str, ...], ...]
    #: Which of the axes run to the right and upwards; a line of cells has no rows.
    columns: int
    rows: int | None
    #: The cells that can hold anything at all.
    cells: frozenset[Cell]
    #: A symbol for every content that is known; a point for nothing.
    symbols: Mapping[str, str]
    #: Whether a fluent tells what one of the cells holds, and if so, which and what.
    read: Callable[[Term], tuple[Cell, str] | None]
    #: Cells by the names of their own, where they have any.
    squares: Mapping[str, Cell] = field(default_factory=dict)

    def contents(self, fluents: Iterable[Term]) -> dict[Cell, str]:
        """What stands in each cell, as symbols."""
        found: dict[Cell, str] = {}
        for fluent in sorted(fluents, key=str):
            told = self.read(fluent)
            if told is not None and (symbol := self.symbol(told[1])) != ".":
                found[told[0]] = found.get(told[0], "") + symbol
        return found

    def symbol(self, content: str) -> str:
        """The symbol for a content; one that play did not show stands there in full."""
        if content in self.symbols:
            return self.symbols[content]
        return f"({content})" if content in self.symbols.values() else content

    def text(self, fluents: Iterable[Term], doubtful: Iterable[Term] = (), *, titled: bool,
             marked: Collection[Cell] = (), explained: bool = True) -> str:
        """The board where these fluents hold, and what its symbols mean if that is to be explained.

        A cell with doubtful fluents also shows `?`; marked cells stand in brackets.
        """
        contents = self.contents(fluents)
        doubts = {told[0] for told in map(self.read, doubtful) if told is not None}
        contents |= {cell: f"{contents.get(cell, '')}?" for cell in doubts}
        inner = {self.columns, self.rows}
        outer = [axis for axis in range(len(self.axes)) if axis not in inner]
        blocks = []
        for values in product(*(self.axes[axis] for axis in outer)):
            chosen = dict(zip(outer, values, strict=True))
            if not any(all(cell[axis] == value for axis, value in chosen.items()) for cell in self.cells):
                continue
            lines = self._lines(contents, chosen, marked)
            title = self._title(chosen) if outer else self.name if titled else None
            blocks.append([title, *lines] if title else lines)
        legend = [f"{symbol} {value}" for value, symbol in self.symbols.items()
                  if explained and symbol not in (".", value)]
        if doubts:
            legend.append("? not known")
        return "\n".join(_side_by_side(blocks) + (["", *flow(legend)] if legend else []))

    def _title(self, chosen: Mapping[int, str]) -> str:
        words = [self.name]
        for axis in range(len(self.axes)):
            word = chosen.get(axis, "…")
            if word != "…" or words[-1] != "…":
                words.append(word)
        return " ".join(words)

    def changed(self, before: Iterable[Term], after: Iterable[Term]) -> frozenset[Cell]:
        """The cells that hold something else."""
        one, other = self.contents(before), self.contents(after)
        return frozenset(cell for cell in one.keys() | other.keys() if one.get(cell) != other.get(cell))

    def _lines(self, contents: Mapping[Cell, str], chosen: Mapping[int, str], marked: Collection[Cell]) -> list[str]:
        columns = self.axes[self.columns]
        rows = self.axes[self.rows] if self.rows is not None else ("",)
        width = max(map(len, [*contents.values(), *columns, "."]))
        margin = max(map(len, rows))

        def cells(row: str) -> str:
            line, is_marked = "", False
            for column in columns:
                here = {**chosen, self.columns: column} | ({} if self.rows is None else {self.rows: row})
                cell = tuple(here[axis] for axis in range(len(self.axes)))
                before = "[" if cell in marked else "]" if is_marked else " "
                is_marked = cell in marked
                line += f"{before}{contents.get(cell, '.' if cell in self.cells else ''):>{width}}"
            return f"{line}]" if is_marked else line

        lines = [f"{row:>{margin}}{cells(row)}" for row in reversed(rows)]
        lines.append(" " * (margin + 1) + " ".join(f"{column:>{width}}" for column in columns))
        return [line.rstrip() for line in lines] if self.rows is not None else [line[1:].rstrip() for line in lines]


def _side_by_side(grids: list[list[str]]) -> list[str]:
    """Blocks of lines next to each other, as many as fit."""
    width = max(len(line) for grid in grids for line in grid) + 4
    across = max(1, WIDTH // width)
    lines: list[str] = []
    for start in range(0, len(grids), across):
        if start:
            lines.append("")
        for row in zip(*grids[start:start + across], strict=True):
            lines.append("".join(f"{part:{width}}" for part in row).rstrip())
    return lines


def flow(items: Iterable[str]) -> list[str]:
    """Items one after the other in lines that are not too long."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 2 + len(item) > WIDTH:
            lines.append("")
        lines[-1] += f"  {item}" if lines[-1] else item
    return lines
