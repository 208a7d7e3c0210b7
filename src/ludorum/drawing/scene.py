"""A state as things in places: one value that every drawing is made of, as text, as a picture or on a page.

All positions are in one plane: x runs to the right and y downwards, and a cell of a board of squares is `UNIT` wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

#: How wide a cell of a board of squares is.
UNIT = 40.0

Point = tuple[float, float]

#: How the cells of a board lie: what people would call it.
Geometry = Literal["grid", "torus", "hexagons", "line", "ring", "rings", "graph", "edges", "stacks", "counters", "tray"]
#: How a content is drawn: as a piece of a role, as a sign, or as a number.
Shape = Literal["disc", "square", "triangle", "diamond", "ring", "hexagon", "number", "sign", "stone", "blank"]
#: What can be clicked: a cell of a board, a counter or another thing beside it, or a content in a tray.
PlaceKind = Literal["cell", "thing", "content"]


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be clicked: what it belongs to, and its values there as text.

    For a cell these are the name of its board's fluent and its coordinates in the order of that fluent's arguments.
    """

    board: str
    coordinates: tuple[str, ...]
    kind: PlaceKind = "cell"

    @property
    def id(self) -> str:
        """A name of its own within a scene."""
        return f"{self.kind}:{self.board}:{','.join(self.coordinates)}"

    def __str__(self) -> str:
        return f"{self.board} {' '.join(self.coordinates)}"


@dataclass(frozen=True, slots=True)
class Content:
    """Something that lies in a place."""

    #: In words, as the rules call it.
    words: str
    #: As a letter, a number or a short sign; empty where the shape says it all.
    sign: str
    shape: Shape
    #: A colour of the palette, as CSS understands it.
    colour: str
    #: Whose it is, as far as play tells.
    role: str | None = None
    #: How many of something it stands for, where it counts.
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on a board, and what lies there."""

    place: Place
    #: Its middle.
    x: float
    y: float
    #: Its outline.
    polygon: tuple[Point, ...]
    contents: tuple[Content, ...] = ()
    #: Whether it is one of the darker cells, as on a chess board.
    is_dark: bool = False
    #: Its name for those who cannot see it.
    label: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside a board."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True)
class Board:
    """Cells that belong together."""

    #: As the places of its cells call it.
    name: str
    geometry: Geometry
    cells: tuple[Cell, ...]
    #: Lines between cells that moves may go along, and around boards inside a board.
    lines: tuple[tuple[Point, Point], ...] = ()
    labels: tuple[Label, ...] = ()
    #: Points where lines of a board of edges meet.
    dots: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A fluent that lies on no board, as a chip beside them."""

    text: str
    #: A click on it, if it names something that moves name, too.
    place: Place | None = None


@dataclass(frozen=True)
class Scene:
    """A state of a game, ready to be drawn."""

    game: str
    width: float
    height: float
    boards: tuple[Board, ...]
    #: What else is true and tells something.
    facts: tuple[Fact, ...]
    #: What the contents mean, without those that need no words.
    legend: tuple[Content, ...]
    #: The roles, and for each its colour.
    roles: tuple[tuple[str, str], ...]
    #: Who has a choice.
    turn: tuple[str, ...]
    #: How many steps were made, None if that is not known.
    step: int | None
    #: Fluents that tell whose turn it is, count steps or are there for the rules' own sake.
    bookkeeping: tuple[str, ...]
    is_over: bool
    #: At the end, for every role its goal.
    goals: tuple[tuple[str, int | None], ...] = ()

    @property
    def cells(self) -> Iterator[Cell]:
        """Those of all boards."""
        return (cell for board in self.boards for cell in board.cells)

    @cached_property
    def by_place(self) -> dict[Place, Cell]:
        return {cell.place: cell for cell in self.cells}

    def changed(self, before: Scene) -> tuple[Place, ...]:
        """The places that hold something else than in another scene of the game."""
        return tuple(cell.place for cell in self.cells
                     if (old := before.by_place.get(cell.place)) is None or old.contents != cell.contents)

    def json(self) -> dict[str, Any]:
        """Everything as plain dictionaries and lists; every place has its `id` beside its parts."""
        told = asdict(self)
        for board, drawn in zip(self.boards, told["boards"], strict=True):
            for cell, described in zip(board.cells, drawn["cells"], strict=True):
                described["place"] = place_json(cell.place)
        for fact, described in zip(self.facts, told["facts"], strict=True):
            described["place"] = None if fact.place is None else place_json(fact.place)
        told["roles"] = [{"name": name, "colour": colour} for name, colour in self.roles]
        told["goals"] = dict(self.goals)
        return told

    def svg(self) -> str:
        """The scene as a picture."""
        from ludorum.drawing.svg import svg

        return svg(self)


def place_json(place: Place) -> dict[str, Any]:
    """A place as a dictionary."""
    return {"id": place.id, "kind": place.kind, "board": place.board, "coordinates": list(place.coordinates)}
