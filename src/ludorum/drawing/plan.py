"""How a game is drawn, decided once: its boards with their places in the plane, and what their contents look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludorum.analysis.samples import samples
from ludorum.analysis.structures import structures
from ludorum.analysis.structures.structures import STATES, WORK, Structures
from ludorum.clock import Budget
from ludorum.drawing import palette
from ludorum.drawing.arrange import arrange
from ludorum.drawing.beside import counters
from ludorum.drawing.faces import Face, faces
from ludorum.drawing.layouts.edges import between
from ludorum.drawing.layouts.layout import Coordinates, Layout
from ludorum.drawing.layouts.stacks import stacks
from ludorum.drawing.looks import looks
from ludorum.drawing.neighbours import Neighbours
from ludorum.drawing.owners import owners
from ludorum.drawing.plain import plain_faces
from ludorum.drawing.ranks import Ranks
from ludorum.drawing.scene import UNIT, Content, Place
from ludorum.drawing.special import marked_faces, special_faces
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.domains import Domains
from ludorum.gdl.domains import Place as Argument

_MARGIN = 0.4 * UNIT
# The widest that boards beside each other get.
_WIDTH = 24 * UNIT
# What was seen in fewer states is not worth believing.
_FEWEST_STATES = 16


@dataclass(frozen=True)
class BoardPlan:
    """A board with its place in the plane."""

    face: Face
    layout: Layout
    #: For every content that is known how it looks.
    contents: Mapping[str, Content]

    @property
    def name(self) -> str:
        return self.face.name

    def stacked(self, lies_on: Mapping[str, str]) -> Layout:
        """Where things are that lie on each other, at the place of this board."""
        def corner(layout: Layout) -> tuple[float, float]:
            points = [point for slot in layout.slots.values() for point in slot.polygon]
            return min(x for x, _ in points), max(y for _, y in points)

        now = stacks(self.face.axes[0].values, lies_on, self.face.stacked or {})
        (x, y), (there_x, there_y) = corner(self.layout), corner(now)
        return now.moved(x - there_x, y - there_y)

    @cached_property
    def places(self) -> dict[Coordinates, Place]:
        kind = "thing" if self.face.is_beside else "cell"
        return {cell: Place(self.name, cell, "thing" if kind == "thing" else "cell") for cell in self.layout.slots}


@dataclass(frozen=True)
class Plan:
    """How a game is drawn."""

    boards: tuple[BoardPlan, ...]
    width: float
    height: float
    colours: Mapping[str, str]
    structures: Structures
    domains: Domains
    ranks: Ranks
    #: The fluents, by name and number of arguments, that are there for the rules' own sake.
    hidden: frozenset[tuple[str, int]]


_PLAN: Slot[Plan] = Slot("plan of drawing")


def plan(game: Game) -> Plan:
    """How a game is drawn; a game remembers it."""
    budget = Budget().fixed(WORK)

    def find(_: object) -> tuple[Plan, bool]:
        return _plan(game), True

    return game.findings.find(_PLAN, budget, find)


def _plan(game: Game) -> Plan:
    known = structures(game)
    domains = Domains(game.rules)
    ranks = Ranks(domains)

    def link(place: object) -> int | None:
        return domains.link(place) if isinstance(place, Argument) else None

    neighbours = Neighbours(game.rules, domains)
    found: list[tuple[Face, Layout]] = []
    if known.states >= _FEWEST_STATES:
        special = list(special_faces(known, ranks, link))
        taken = {face.name for face in special}
        plain = [face for face in faces(known, ranks, link) if face.name not in taken]
        plain.sort(key=lambda face: (-len(face.axes), ranks.of(face.name)))
        laid = [(face, arrange(face, neighbours, ranks)) for face in (*special, *plain)]
        found = [(face, layout) for face, layout in laid if layout is not None]
    if not found:
        found = [(face, layout) for face in plain_faces(game)
                 if (layout := arrange(face, neighbours, ranks)) is not None]
    beside = [(face, layout) for face, layout in counters(known, ranks, link, neighbours)
              if all(face.name != other.name for other, _ in found)]
    layers = {layer.table.name for board in known.boards for layer in board.layers} if found else set()
    drawn = frozenset(layers | {face.name for face, _ in (*found, *beside)})
    links = {tuple(axis.link for axis in face.axes) for face, _ in found}
    found += [(face, layout) for face in marked_faces(known, drawn, links, ranks, link)
              if (layout := arrange(face, neighbours, ranks)) is not None]
    found += beside
    palettes = len(palette.ROLES)
    initial = game.initial.fluents
    found = [(face, layout if face.stacked is None else stacks(
        face.axes[0].values, {told[0][0]: told[1] for fluent in initial if (told := face.read(fluent)) is not None},
        face.stacked)) for face, layout in found]
    colours: dict[str, str] = {role: palette.ROLES[number % palettes] for number, role in enumerate(game.roles)}
    seen = samples(game, STATES, budget=Budget().fixed(WORK))
    boards = []
    laid_out = _overlaid(found)
    for (face, _), layout in zip(found, laid_out, strict=True):
        whose = owners(seen, face.fluents, game.roles)
        boards.append(BoardPlan(face, layout, looks(face, whose, colours, game.roles, ranks)))
    ends = [(max(x for x, _ in slot.polygon), max(y for _, y in slot.polygon))
            for layout in laid_out for slot in layout.slots.values()]
    ends += [(label.x, label.y) for layout in laid_out for label in layout.labels]
    width, height = (max((end[i] for end in ends), default=6 * UNIT) + 1.5 * _MARGIN for i in (0, 1))
    hidden = frozenset((fluent.name, fluent.arity) for fluent in known.fluents
                       if fluent.kind in ("control", "step counter"))
    return Plan(tuple(boards), width, height, colours, known, domains, ranks, hidden)


def _packed(found: Sequence[tuple[Face, Layout]]) -> list[Layout]:
    """Layouts beside and below each other, boards before what is beside them."""
    frames: list[tuple[Layout, float, float]] = []
    x, y, row = _MARGIN, _MARGIN, 0.0
    was_beside = False
    for face, layout in found:
        if x > _MARGIN and (x + layout.width > _WIDTH or face.is_beside != was_beside):
            x, y, row = _MARGIN, y + row + _MARGIN, 0.0
        frames.append((layout, x, y))
        x += layout.width + 2 * _MARGIN
        row = max(row, layout.height)
        was_beside = face.is_beside
    return [layout.moved(x, y) for layout, x, y in frames]


def _overlaid(found: Sequence[tuple[Face, Layout]]) -> list[Layout]:
    """The layouts in their places; cells that lie between the points of a board of edges are put there."""
    inside: dict[int, int] = {}
    for number, (face, _) in enumerate(found):
        for frame, (other, _) in enumerate(found):
            if other.is_edges and not face.is_edges and len(face.axes) == 2 and _fits_between(face, other):
                inside[number] = frame
    outer = [number for number in range(len(found)) if number not in inside]
    placed = dict(zip(outer, _packed([found[number] for number in outer]), strict=True))
    for number, frame in inside.items():
        face, (other, before) = found[number][0], found[frame]
        slots = between(other.axes[0].values, other.axes[1].values, face.cells)
        cell = next(iter(before.slots))
        dx, dy = placed[frame].slots[cell].x - before.slots[cell].x, placed[frame].slots[cell].y - before.slots[cell].y
        placed[number] = Layout("grid", 0, 0, slots).moved(dx, dy)
    return [placed[number] for number in range(len(found))]


def _fits_between(face: Face, other: Face) -> bool:
    """Whether the cells of a board go by the points of a board of edges and end one before its last."""
    columns, rows = other.axes[0].values, other.axes[1].values
    return ([axis.link for axis in face.axes] == [axis.link for axis in other.axes[:2]]
            and all(cell[0] in columns[:-1] and cell[1] in rows[:-1] for cell in face.cells))
