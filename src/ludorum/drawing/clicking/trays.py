"""Trays: contents that lie beside a board, to be clicked by whoever may choose what a move puts there.

In `(mark 3 4 7)` two arguments name a cell, and the third is what it will hold, for variables of the rules join it with
what the cells hold. Where such a choice is made again and again, as in a sudoku, it lies in view; where it is rare, as
with the promotion of a pawn, it pops up when it is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ludorum.analysis.structures.tables import Table
from ludorum.drawing import palette
from ludorum.drawing.clicking.evidence import Evidence
from ludorum.drawing.faces import Reader, axis_values
from ludorum.drawing.letters import letters
from ludorum.drawing.plan import BoardPlan, Plan
from ludorum.drawing.scene import Content, Place
from ludorum.gdl.terms import Term

# More things than that are no tray.
_MOST = 40
# A choice that is made less often pops up.
_OFTEN = 0.2


@dataclass(frozen=True, eq=False)
class Tray:
    """Values of what the cells of a board hold, in their order, and what each looks like."""

    board: BoardPlan
    contents: Mapping[str, Content]

    def place(self, value: str) -> Place:
        return Place(self.board.name, (value,), "content")


@dataclass(frozen=True, eq=False)
class Pick:
    """A column of a move that names something of a tray."""

    tray: Tray
    column: int

    def place(self, row: Sequence[Term]) -> Place | None:
        value = str(row[self.column])
        return self.tray.place(value) if value in self.tray.contents else None


def pick(table: Table, columns: Sequence[int], board: BoardPlan | None, drawn: Plan,
         evidence: Evidence) -> Pick | None:
    """The first of these columns that chooses what a cell will hold: of the board that others name, else of any."""
    boards = [board] if board is not None else [board for board in drawn.boards if not board.face.is_beside]
    # What may name a line of cells is no content.
    axes = set() if board is not None else {axis.link for board in drawn.boards for axis in board.face.axes}
    for column in columns:
        link = drawn.domains.link(table.places[column])
        values = tuple(table.values[column])
        if link is None or link in axes or not 2 <= len(values) <= _MOST or not _is_free(table, column):
            continue
        found = next((board for board in boards if link in _links(board, drawn)), None)
        if found is not None and evidence.share(table) >= _OFTEN:
            return Pick(Tray(found, _contents(found, axis_values(values, is_ordered=False, ranks=drawn.ranks))), column)
    return None


def _is_free(table: Table, column: int) -> bool:
    """Whether several values go with most of what the other columns say."""
    others = Counter(tuple(value for number, value in enumerate(row) if number != column) for row in table.rows)
    return fmean(others.values()) >= 2


def _links(board: BoardPlan, drawn: Plan) -> Iterator[int | None]:
    """What variables join the contents of a board with."""
    yield from board.face.links
    if isinstance(board.face.read, Reader):
        for layer in board.face.read.layers:
            yield from (drawn.domains.link(layer.table.places[column]) for column in layer.contents)


def _contents(board: BoardPlan, values: Sequence[str]) -> dict[str, Content]:
    signs = letters(values)
    return {value: board.contents.get(value) or Content(
        value, signs[value], "number" if value.isdecimal() else "sign", palette.WORDS) for value in values}
