"""Graphs as pictures: which relation depends on which, and which fluent may come after which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import atan2, cos, degrees, hypot, pi, sin

from ludorum.gdl.graph import component_numbers
from ludorum.gdl.rulesheet import Rulesheet, atoms
from ludorum.gdl.words import KEYWORDS
from ludorum.grammar import agree
from ludorum.report import svg

_ROW = 64.0
_LETTER = 6.6
_WIDTH = 900.0
#: More than these cannot be told apart in a picture.
MOST_NODES = 60
# So many names around a ring do not get in each other's way.
_FEW = 8
_LABEL = 9.5

Edge = tuple[str, str]


def dependencies(rules: Rulesheet) -> dict[str, set[str]]:
    """For every relation that rules define those in the rules' bodies; `distinct` apart."""
    found: dict[str, set[str]] = defaultdict(set)
    for rule in rules.rules:
        if rule.head.name not in ("base", "input"):
            found[rule.head.name].update(atom.name for formula in rule.body for atom in atoms(formula)
                                         if atom.name != "distinct")
    return dict(found)


def dependency_picture(rules: Rulesheet) -> tuple[str, str]:
    """The dependency graph, what is used below what uses it; and what was left out, in words."""
    depends = dependencies(rules)
    names = {*depends, *(used for of_name in depends.values() for used in of_name)}
    left_out = ""
    if len(names) > MOST_NODES:
        facts = {name for name in names if not depends.get(name) and name not in KEYWORDS}
        are_facts = agree(len(facts), "relation that only facts define is", "relations that only facts define are")
        left_out = f"{len(facts)} {are_facts} left out."
        names -= facts
    if len(names) > MOST_NODES:
        kept = _near(depends, names, MOST_NODES)
        left = len(names) - len(kept)
        are_last = agree(left, "is left out, the one that matters last", "are left out, those that matter last")
        left_out = f"{left} of {len(names)} relations {are_last}."
        names = kept
    edges = [(name, used) for name, of_name in depends.items() for used in sorted(of_name)
             if name in names and used in names]
    return _layered(names, edges), left_out


def _near(depends: Mapping[str, Collection[str]], names: Collection[str], most: int) -> set[str]:
    """The names that are first reached from what a game is asked for."""
    queue = [name for name in KEYWORDS if name in names]
    seen = set(queue)
    for name in queue:
        for used in sorted(depends.get(name, ())):
            if used in names and used not in seen:
                seen.add(used)
                queue.append(used)
    return set(queue[:most])


def _layered(names: Collection[str], edges: Sequence[Edge]) -> str:
    graph: dict[str, list[str]] = {name: [] for name in sorted(names)}
    for name, used in edges:
        graph[name].append(used)
    component = component_numbers(graph)
    # Components are numbered from those that depend on nothing else.
    level: dict[int, int] = defaultdict(int)
    for name in sorted(graph, key=lambda node: component[node]):
        below = [level[component[used]] + 1 for used in graph[name] if component[used] != component[name]]
        level[component[name]] = max([level[component[name]], *below])
    rows: dict[int, list[str]] = defaultdict(list)
    for name in graph:
        rows[level[component[name]]].append(name)
    lines: list[list[str]] = []
    for number in sorted(rows, reverse=True):
        lines += _wrapped(rows[number])
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(lines):
        total = sum(map(_breadth, row))
        x = (_WIDTH - total) / 2
        for name in row:
            places[name] = (x + _breadth(name) / 2, 30 + number * _ROW)
            x += _breadth(name)
    parts = [svg.ARROW]
    for name, used in edges:
        if name != used:
            (x1, y1), (x2, y2) = places[name], places[used]
            parts.append(svg.line(x1, y1 + (11 if y2 > y1 else -11 if y2 < y1 else 0), x2,
                                  y2 + (-11 if y2 > y1 else 11 if y2 < y1 else 0), stroke="#bbb", arrow=True))
    for name, (x, y) in places.items():
        wide = _LETTER * len(name) + 12
        fill = "#dcebf5" if name in KEYWORDS else "#fff"
        parts += [svg.rectangle(x - wide / 2, y - 11, wide, 22, fill), svg.text(x, y, name)]
    return svg.picture(_WIDTH, 60 + (len(lines) - 1) * _ROW, parts, title="which relation depends on which")


def _breadth(name: str) -> float:
    return _LETTER * len(name) + 28


def _wrapped(names: Sequence[str]) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    for name in names:
        if rows[-1] and sum(map(_breadth, [*rows[-1], name])) > _WIDTH:
            rows.append([])
        rows[-1].append(name)
    return rows


def web(places: Mapping[str, tuple[float, float]], edges: Sequence[Edge], width: float, height: float, *,
        title: str, labels: bool) -> str:
    """Points with arrows between them, or plain lines where they lead both ways; labels are turned outwards."""
    parts = [svg.ARROW]
    radius = 4.0 if not labels else 5.0
    both = set(edges)
    for one, other in edges:
        if one == other or ((other, one) in both and one > other):
            continue
        (x1, y1), (x2, y2) = places[one], places[other]
        length = hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length * radius, (y2 - y1) / length * radius
        parts.append(svg.line(x1 + dx, y1 + dy, x2 - dx, y2 - dy, stroke="#8fb3cc", width=1.2,
                              arrow=(other, one) not in both))
    for name, (x, y) in places.items():
        parts.append(svg.circle(x, y, radius, svg.COLOUR, hint=name))
        if labels:
            parts.append(_label(name, x, y, width, height, alone=len(places) <= _FEW))
    return svg.picture(width, height, parts, title=title)


def _label(name: str, x: float, y: float, width: float, height: float, *, alone: bool) -> str:
    """The name of a point: above or below it, or away from the middle where there would be no room beside others."""
    if alone:
        return svg.text(x, y - 11 if y <= height / 2 else y + 11, name, size=_LABEL)
    across, down = x - width / 2, y - height / 2
    far = hypot(across, down) or 1.0
    angle = degrees(atan2(down, across))
    is_left = across < 0
    return svg.text(x + 9 * across / far, y + 9 * down / far, name, size=_LABEL, anchor="end" if is_left else "start",
                    turned=angle + 180 if is_left else angle)


def ring(names: Sequence[str]) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Places on a ring, and the size of a picture that holds it."""
    radius = max(50.0, 16.0 * len(names) / pi)
    longest = _LETTER * max((len(name) for name in names), default=0)
    if len(names) <= _FEW:
        middle_x, middle_y = radius + 12 + longest / 2, radius + 24
    else:
        middle_x = middle_y = radius + 16 + 0.8 * longest
    places = {name: (middle_x + radius * sin(2 * pi * i / len(names)), middle_y - radius * cos(2 * pi * i / len(names)))
              for i, name in enumerate(names)}
    return places, 2 * middle_x, 2 * middle_y
