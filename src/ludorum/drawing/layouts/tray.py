"""A tray: contents in rows of squares below the boards."""

from __future__ import annotations

from collections.abc import Mapping

from ludorum.drawing.layouts.layout import square
from ludorum.drawing.scene import UNIT, Board, Cell, Content, Label, Place

_ACROSS = 12


def tray(name: str, contents: Mapping[str, Content], y: float) -> Board:
    """These contents for the cells of a board, from a height on downwards."""
    cells = []
    for number, (value, content) in enumerate(contents.items()):
        slot = square(UNIT * (1.0 + number % _ACROSS), y + UNIT * (0.9 + number // _ACROSS))
        cells.append(Cell(Place(name, (value,), "content"), slot.x, slot.y, slot.polygon, (content,),
                          label=f"put {content.words}"))
    return Board(name, "tray", tuple(cells), labels=(Label(0.5 * UNIT, y + 0.2 * UNIT, "put", "start"),))
