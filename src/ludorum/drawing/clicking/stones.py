"""Heaps whose stones can be clicked one by one, where moves say how many are left or how many are taken.

A click on a stone takes it and all that come after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ludorum.analysis.structures.tables import Table
from ludorum.drawing.clicking.evidence import Evidence
from ludorum.drawing.layouts.heaps import MOST_STONES
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.drawing.plan import BoardPlan
from ludorum.drawing.scene import Place
from ludorum.gdl.terms import Term

Meaning = Literal["left", "taken"]


@dataclass(frozen=True, eq=False)
class Stones:
    """A column of a move that says how many stones are left in a heap, or taken from it."""

    board: BoardPlan
    #: The columns that name the heap, in the order of the axes.
    heap: tuple[int, ...]
    column: int
    meaning: Meaning
    #: How large the values of the column are.
    numbers: Mapping[str, int]

    def place(self, row: Sequence[Term]) -> Place | None:
        """The stone that such a move clicks."""
        value = str(row[self.column])
        return self.stone(tuple(str(row[column]) for column in self.heap), value) if value in self.numbers else None

    def stone(self, heap: Coordinates, value: str) -> Place:
        return Place(self.board.name, (*heap, value), "content")

    def of(self, heap: Coordinates, count: int) -> list[Place | None]:
        """The stones of a heap in their order, None for one that no move can begin with."""
        values = {number: value for value, number in self.numbers.items()}
        wanted = range(count) if self.meaning == "left" else range(count, 0, -1)
        return [self.stone(heap, values[number]) if number in values else None for number in wanted]


def stones(table: Table, heap: tuple[int, ...], column: int, board: BoardPlan, evidence: Evidence) -> Stones | None:
    """What a column says of the stones of a heap that others name, as far as play shows; None if nothing."""
    counts = board.face.counts
    values = {str(value) for value in table.values[column]}
    if not counts or max(counts.values()) > MOST_STONES or not values <= counts.keys():
        return None
    meanings: set[Meaning] = {"left", "taken"}
    met = 0
    for row, before, after in evidence.contents(table, heap, board):
        if before not in counts or after not in counts:
            return None
        met += 1
        said, was, left = counts[str(row[column])], counts[before], counts[after]
        meanings &= ({"left"} if said == left < was else set()) | ({"taken"} if 0 < said == was - left else set())
    if not met or not meanings:
        return None
    meaning: Meaning = "left" if "left" in meanings else "taken"
    return Stones(board, heap, column, meaning, {value: counts[value] for value in values})
