"""Conditions of a circuit as squares and what may stand on them, and what they have in common wherever they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludorum.circuit import Circuit
from ludorum.drawing.rewriting.marks import BLANK, MarkedBoard, Square
from ludorum.errors import NoPictures, TooLarge

#: For some squares what may stand there.
Case = Mapping[Square, frozenset[str]]

# A condition that takes more cases than this is told in parts.
_MOST_CASES = 3_000


@dataclass
class Conditions:
    """Lists the cases in which a literal holds, where some wires are known."""

    circuit: Circuit
    board: MarkedBoard
    known: Mapping[int, bool]

    def cases(self, literal: int, most: int = _MOST_CASES) -> list[dict[Square, frozenset[str]]]:
        """The cases in which a literal holds, without those that others contain; raises TooLarge."""
        found = self._cases(literal, most)
        unique = {frozenset(case.items()): case for case in found}
        return [case for case in unique.values()
                if not any(other is not case and _contains(other, case) for other in unique.values())] \
            if len(unique) <= 60 else list(unique.values())

    def _cases(self, literal: int, most: int) -> list[dict[Square, frozenset[str]]]:
        wire, holds = literal >> 1, not literal & 1
        if wire == 0 or wire in self.known:
            return [{}] if (wire != 0 and self.known[wire]) == holds else []
        if wire < self.circuit.first_gate:
            if wire - 1 not in self.board.told:
                raise NoPictures("a condition depends on moves, or on more than the board and whose turn it is")
            square, mark = self.board.told[wire - 1]
            possible = frozenset(self.board.contents[square])
            return [{square: frozenset({mark}) if holds else possible - {mark}}]
        parts = self.circuit.gate_inputs[wire - self.circuit.first_gate]
        if holds:
            product: list[dict[Square, frozenset[str]]] = [{}]
            for part in parts:
                choices = self._cases(part, most)
                if len(product) * len(choices) > most:
                    raise TooLarge("a condition has more cases than are worth listing")
                product = [both for one in product for other in choices if (both := _both(one, other)) is not None]
            return product
        found: list[dict[Square, frozenset[str]]] = []
        for part in parts:
            found += self._cases(part ^ 1, most)
            if len(found) > most:
                raise TooLarge("a condition has more cases than are worth listing")
        return found


def _both(one: Case, other: Case) -> dict[Square, frozenset[str]] | None:
    both = dict(one)
    for square, allowed in other.items():
        both[square] = both[square] & allowed if square in both else allowed
        if not both[square]:
            return None
    return both


def _contains(larger: Case, smaller: Case) -> bool:
    """Whether one case holds wherever another does."""
    return all(square in smaller and smaller[square] <= allowed for square, allowed in larger.items())


@dataclass(frozen=True)
class Shape:
    """Squares by how far they are from the first, in columns and rows, each with what may stand there."""

    parts: tuple[tuple[Square, frozenset[str]], ...]


def shapes(cases: Iterable[Case]) -> dict[Shape, set[Square]]:
    """The cases by their shapes, each with the squares where its first part lies."""
    found: dict[Shape, set[Square]] = {}
    for case in cases:
        first = min(case, key=lambda square: (square[1], square[0]))
        parts = tuple(sorted(((column - first[0], row - first[1]), allowed) for (column, row), allowed in case.items()))
        ordered = sorted(parts, key=lambda part: (part[0] != (0, 0), abs(part[0][0]) + abs(part[0][1]), part[0]))
        found.setdefault(Shape(tuple(ordered)), set()).add(first)
    return found


class Formulas:
    """Tells conditions in the words of Toss."""

    def __init__(self, board: MarkedBoard) -> None:
        self.board = board
        #: Defined relations by the way they lead, and sets of squares, with their names.
        self.ways: dict[Square, str] = {}
        self.zones: dict[frozenset[Square], str] = {}

    def way(self, step: Square, start: str, end: str) -> str:
        """That one square lies so many columns and rows from another."""
        simple = {(1, 0): ("R", start, end), (-1, 0): ("R", end, start), (0, 1): ("C", start, end),
                  (0, -1): ("C", end, start)}
        if step in simple:
            relation, one, other = simple[step]
            return f"{relation}({one}, {other})"
        back = (-step[0], -step[1])
        if back in self.ways or (step not in self.ways and (step[1], step[0]) < (0, 0)):
            return f"{self._way(back)}({end}, {start})"
        return f"{self._way(step)}({start}, {end})"

    def _way(self, step: Square) -> str:
        if step not in self.ways:
            across = f"{'East' if step[0] > 0 else 'West'}{abs(step[0])}" if step[0] else ""
            up = f"{'North' if step[1] > 0 else 'South'}{abs(step[1])}" if step[1] else ""
            self.ways[step] = up + across
        return self.ways[step]

    def ways_between(self, steps: Sequence[Square], names: Sequence[str]) -> list[str]:
        """For every square but the first how to get there from the nearest of those before it."""
        found = [""]
        for number, (column, row) in enumerate(steps[1:], 1):
            distances = [abs(column - one) + abs(row - other) for one, other in steps[:number]]
            # The last of those that are as near, so that lines are told as chains.
            nearest = max(other for other in range(number) if distances[other] == min(distances))
            step = (column - steps[nearest][0], row - steps[nearest][1])
            found.append(self.way(step, names[nearest], names[number]))
        return found[: len(steps)]

    def zone(self, squares: Iterable[Square]) -> str:
        """The name of a set of squares."""
        key = frozenset(squares)
        if key not in self.zones:
            rows = {row for _, row in key}
            is_row = len(rows) == 1 and key == {square for square in self.board.squares if square[1] in rows}
            zones = sum(name.startswith("Zone") for name in self.zones.values())
            self.zones[key] = f"Row{min(rows) + 1}" if is_row else f"Zone{zones + 1}"
        return self.zones[key]

    def fits(self, shape: Shape) -> set[Square]:
        """The squares from which all of a shape is on the board."""
        squares = set(self.board.squares)
        return {square for square in squares
                if all((square[0] + dx, square[1] + dy) in squares for (dx, dy), _ in shape.parts)}

    def told(self, variable: str, allowed: frozenset[str]) -> str:
        """That one of these stands on a square."""
        marks = self.board.names
        if BLANK in allowed:
            denied = [f"not {name}({variable})" for mark, name in marks.items() if mark not in allowed]
            return " and ".join(denied)
        return " or ".join(f"{marks[mark]}({variable})" for mark in sorted(allowed))

    def definitions(self) -> Iterator[str]:
        """The relations that lead further than one step."""
        for (dx, dy), name in self.ways.items():
            names = ["x", *(f"z{number}" for number in range(1, abs(dx) + abs(dy))), "y"]
            steps = [(1 if dx > 0 else -1, 0)] * abs(dx) + [(0, 1 if dy > 0 else -1)] * abs(dy)
            parts = [self.way(step, names[number], names[number + 1]) for number, step in enumerate(steps)]
            yield f"REL {name}(x, y) = ex {', '.join(names[1:-1])} ({' and '.join(parts)})"

    def exists(self, shape: Shape, anchors: set[Square]) -> str:
        """That a shape is somewhere among these squares."""
        letters = [f"x{number}" for number in range(len(shape.parts))]
        conditions = [] if anchors == self.fits(shape) else [f"{self.zone(anchors)}({letters[0]})"]
        ways = self.ways_between([step for step, _ in shape.parts], letters)
        for variable, way, (_, allowed) in zip(letters, ways, shape.parts, strict=True):
            if way:
                conditions.append(way)
            words = self.told(variable, allowed)
            if words:
                conditions.append(f"({words})" if " or " in words else words)
        return f"ex {', '.join(letters)} ({' and '.join(conditions) or f'{letters[0]} = {letters[0]}'})"

    def everywhere(self, case: Case) -> str | None:
        """That the same may stand on many squares, said of all of them; None if it is not the same."""
        allowed = set(case.values())
        if len(allowed) != 1 or len(case) < 4:
            return None
        words = self.told("x", frozenset((*self.board.names, BLANK)) - next(iter(allowed)))
        if set(case) == set(self.board.squares):
            return f"not ex x ({words})"
        return f"not ex x ({self.zone(case)}(x) and ({words}))"
