"""The board of a game as squares with one mark each, or none: what pictures of rules are drawn of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ludorum.drawing.found import found_grids
from ludorum.drawing.grid import Grid
from ludorum.errors import NoPictures
from ludorum.game import Game
from ludorum.gdl.terms import Term

#: Column and row of a square, from 0.
Square = tuple[int, int]
#: What stands on a square that has no mark.
BLANK = ""

_MOST_COLUMNS = 26


@dataclass(frozen=True)
class MarkedBoard:
    """Squares, and which fluent puts which mark on which of them."""

    grid: Grid
    squares: tuple[Square, ...]
    #: By number of the fluent its square and its mark; the mark is BLANK where the fluent says that there is none.
    told: Mapping[int, tuple[Square, str]]
    #: By square what may stand on it, BLANK included, with the number of the fluent that says so, if there is one.
    contents: Mapping[Square, Mapping[str, int | None]]
    #: The marks with names that Toss can read.
    names: Mapping[str, str]

    @property
    def width(self) -> int:
        return 1 + max(column for column, _ in self.squares)

    @property
    def height(self) -> int:
        return 1 + max(row for _, row in self.squares)

    @property
    def is_full(self) -> bool:
        return len(self.squares) == self.width * self.height

    def marks(self, fluents: Iterable[int]) -> dict[Square, str]:
        """What stands on the squares that are not bare."""
        told = (self.told[fluent] for fluent in fluents if fluent in self.told)
        return {square: mark for square, mark in told if mark}

    def element(self, square: Square) -> str:
        return f"{chr(ord('a') + square[0])}{square[1] + 1}"


def marked_board(game: Game, fluents: tuple[Term, ...]) -> MarkedBoard:
    """The one board of a game; raises NoPictures where there is none, or more, or squares that hold several things."""
    grids = list(found_grids(game))
    if len(grids) != 1:
        raise NoPictures("the analysis finds no board" if not grids else f"the game has {len(grids)} boards")
    grid = grids[0]
    if len(grid.axes) > 2 or len(grid.axes[grid.columns]) > _MOST_COLUMNS:
        raise NoPictures("its board has more than two dimensions, or more than 26 columns")
    told: dict[int, tuple[Square, str]] = {}
    for number, fluent in enumerate(fluents):
        found = grid.read(fluent)
        if found is not None:
            cell, content = found
            row = 0 if grid.rows is None else grid.axes[grid.rows].index(cell[grid.rows])
            square = (grid.axes[grid.columns].index(cell[grid.columns]), row)
            told[number] = square, BLANK if grid.symbol(content) == "." else content
    contents: dict[Square, dict[str, int | None]] = {}
    for number, (square, mark) in told.items():
        if mark in contents.setdefault(square, {}):
            raise NoPictures(f"several fluents say the same of a square, such as {fluents[number]}")
        contents[square][mark] = number
    for of_square in contents.values():
        of_square.setdefault(BLANK, None)
    marks = sorted({mark for _, mark in told.values() if mark})
    return MarkedBoard(grid, tuple(sorted(contents, key=lambda square: (square[1], square[0]))), told, contents,
                       _names(marks))


def _names(marks: Iterable[str]) -> dict[str, str]:
    # R and C lead from square to square.
    taken, names = {"R", "C"}, {}
    for mark in marks:
        fit = re.sub(r"[^A-Za-z0-9]", "", mark.title()) or "M"
        name = fit if fit[0].isalpha() else f"M{fit}"
        while name in taken:
            name += "x"
        taken.add(name)
        names[mark] = name
    return names
