"""A scene as a picture in SVG. All words are escaped: rules come from strangers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from html import escape
from math import cos, pi, sin

from ludorum.drawing import palette
from ludorum.drawing.layouts.heaps import STONE
from ludorum.drawing.scene import UNIT, Board, Cell, Content, Place, Point, Scene

_RADIUS = 0.36 * UNIT
_LINE = 0.5 * UNIT
# More seeds than that are but a number.
_MOST_SEEDS = 25


def svg(scene: Scene, marked: Collection[Place] = ()) -> str:
    """The whole scene; marked places have a thick outline."""
    words = list(_words(scene))
    height = scene.height + _LINE * len(words) + 0.3 * UNIT
    width = max(scene.width, 9 * UNIT)
    parts = [f'<rect width="{width:.0f}" height="{height:.0f}" fill="#FFFFFF"/>']
    for board in scene.boards:
        parts += _board(board, marked)
    for number, line in enumerate(words):
        parts.append(f'<g transform="translate({0.4 * UNIT:.1f} {scene.height + _LINE * (number + 0.5):.1f})">'
                     f'{line}</g>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" font-family="sans-serif"><title>{escape(scene.game)}</title>'
            f'{"".join(parts)}</svg>')


def _board(board: Board, marked: Collection[Place]) -> Iterator[str]:
    is_flat = board.geometry in ("graph", "rings", "ring")
    lines = [f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{palette.EDGE}" '
             f'stroke-width="{1.5 if is_flat else 3}"/>' for (a, b), (c, d) in board.lines]
    if is_flat:
        yield from lines
    for cell in board.cells:
        # What lies on an edge is told by its colour, for there is no room.
        fill = cell.contents[0].colour if board.geometry == "edges" and cell.contents else None
        yield _outline(cell, fill, is_marked=cell.place in marked)
    if not is_flat:
        yield from lines
    for x, y in board.dots:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{palette.WORDS}"/>'
    for cell in board.cells:
        if board.geometry not in ("edges", "stacks"):
            yield from _contents(cell)
    for label in board.labels:
        yield _text(label.x, label.y, label.text, 11, "#666666", anchor=label.anchor)


def _outline(cell: Cell, fill: str | None, *, is_marked: bool) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in cell.polygon)
    stroke = f'stroke="{palette.WORDS}" stroke-width="3"' if is_marked else f'stroke="{palette.EDGE}"'
    return (f'<polygon points="{points}" fill="{fill or (palette.DARK if cell.is_dark else palette.LIGHT)}" {stroke}>'
            f'<title>{escape(cell.label)}</title></polygon>')


def _contents(cell: Cell) -> Iterator[str]:
    count = len(cell.contents)
    # Several contents of a cell lie beside each other, each so much smaller.
    scale = 1.0 if count < 2 else 0.58 if count <= 4 else 0.36
    across = 1 if count < 2 else 2 if count <= 4 else 3
    rows = -(-count // across)
    for number, content in enumerate(cell.contents):
        x = cell.x + (number % across - (across - 1) / 2) * 2.1 * _RADIUS * scale
        y = cell.y + (number // across - (rows - 1) / 2) * 2.1 * _RADIUS * scale
        yield from piece(content, x, y, scale, _room(cell))


def _room(cell: Cell) -> float:
    """How wide a cell is."""
    xs = [x for x, _ in cell.polygon]
    return max(xs) - min(xs)


def piece(content: Content, x: float, y: float, scale: float, room: float = UNIT) -> Iterator[str]:
    """A content around a point."""
    radius = _RADIUS * scale
    if content.count is not None and room > UNIT:
        yield from _seeds(content, x, y)
        return
    if content.shape in ("sign", "number"):
        size = min(20 * scale, 1.5 * room * scale / max(1, len(content.sign)))
        yield _text(x, y, content.sign, size, content.colour, bold=True)
        return
    if content.shape == "blank":
        return
    if content.shape == "stone":
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{STONE:.1f}" fill="{content.colour}"/>'
        return
    yield _shape(content, x, y, radius)
    if content.sign:
        size = min(17 * scale, 2.6 * radius / max(1, len(content.sign)))
        fill = palette.WORDS if content.shape == "ring" else "#FFFFFF"
        yield _text(x, y + (radius * 0.18 if content.shape == "triangle" else 0), content.sign, size, fill, bold=True)


def _shape(content: Content, x: float, y: float, radius: float) -> str:
    style = f'fill="{content.colour}" stroke="#222222" stroke-width="1"'
    if content.shape == "ring":
        style = f'fill="none" stroke="{content.colour}" stroke-width="{radius * 0.35:.1f}"'
    if content.shape in ("disc", "ring"):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {style}/>'
    corners = {"square": 4, "triangle": 3, "diamond": 4, "hexagon": 6}[content.shape]
    turn = {"square": pi / 4, "triangle": -pi / 2, "diamond": 0.0, "hexagon": 0.0}[content.shape]
    reach = radius * 1.15
    points: list[Point] = [(x + reach * cos(turn + 2 * pi * k / corners), y + reach * sin(turn + 2 * pi * k / corners))
                           for k in range(corners)]
    return f'<polygon points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}" {style}/>'


def _seeds(content: Content, x: float, y: float) -> Iterator[str]:
    """A number, and as many seeds."""
    count = content.count or 0
    if 0 < count <= _MOST_SEEDS:
        across = 5
        rows = -(-count // across)
        for number in range(count):
            yield (f'<circle cx="{x - 10 + 7 * (number % across):.1f}" '
                   f'cy="{y - 3.5 * (rows - 1) + 7 * (number // across):.1f}" r="2.8" fill="{palette.STONE}"/>')
        x -= 0.6 * UNIT
    yield _text(x, y, content.sign, 14, content.colour, bold=True)


def _text(x: float, y: float, words: str, size: float, fill: str, *, anchor: str = "middle",
          bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" '
            f'dominant-baseline="central" fill="{fill}"{weight}>{escape(words)}</text>')


def _words(scene: Scene) -> Iterator[str]:
    """Lines below the boards: whose turn it is, what signs mean, and what else is true."""
    if scene.is_over:
        goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in scene.goals)
        yield _text(0, 0, f"The end: {goals}", 12, palette.WORDS, anchor="start", bold=True)
    elif scene.turn:
        yield _text(0, 0, f"To move: {', '.join(scene.turn)}", 12, palette.WORDS, anchor="start", bold=True)
    across = max(1, int(max(scene.width, 9 * UNIT) // (4 * UNIT)))
    for start in range(0, len(scene.legend), across):
        yield "".join("".join(piece(content, 0.3 * UNIT + 4 * UNIT * number, 0, 0.55))
                      + _text(0.7 * UNIT + 4 * UNIT * number, 0, content.words[:18], 11, "#444444", anchor="start")
                      for number, content in enumerate(scene.legend[start:start + across]))
    width = int(max(scene.width, 9 * UNIT) / 7)
    line = ""
    for fact in scene.facts:
        if line and len(line) + len(fact.text) + 2 > width:
            yield _text(0, 0, line, 11, "#444444", anchor="start")
            line = ""
        line += f"  {fact.text[:width]}" if line else fact.text[:width]
    if line:
        yield _text(0, 0, line, 11, "#444444", anchor="start")
