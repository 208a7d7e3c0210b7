"""What static relations tell of the cells of a board: which are neighbours, and where cells are on a larger board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from ludorum.analysis.statics import static_extents
from ludorum.clock import Budget
from ludorum.drawing.faces import Face
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import Relation, relation_of, static_relations
from ludorum.gdl.domains import Domains, Place
from ludorum.gdl.names import made
from ludorum.gdl.natural import natural
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.gdl.words import KEYWORDS

Pair = tuple[Coordinates, Coordinates]

_MOST_ARGUMENTS = 6
_WORK = 1.0
# Neighbours are few; a cell from which so many can be reached is joined by something else.
_MOST_NEIGHBOURS = 8


class Neighbours:
    """The static relations of a rulesheet, looked up when a board needs them."""

    def __init__(self, rules: Rulesheet, domains: Domains) -> None:
        self.rules = rules
        self._domains = domains

    @cached_property
    def _relations(self) -> list[Relation]:
        clauses = flatten(self.rules)
        static = static_relations(clauses)
        return [relation for relation in dict.fromkeys(relation_of(clause.head) for clause in clauses)
                if 2 <= relation[1] <= _MOST_ARGUMENTS and relation in static and relation[0] not in KEYWORDS
                and made(relation[0]) is None]

    def _extents(self, wanted: Sequence[Relation]) -> Mapping[Relation, frozenset[tuple[Term, ...]]]:
        if not wanted:
            return {}
        return static_extents(flatten(self.rules), wanted, Budget().fixed(_WORK))

    def _links(self, relation: Relation) -> list[int | None]:
        name, arity = relation
        return [self._domains.link(Place("relation", name, arity, i)) for i in range(1, arity + 1)]

    def _twice(self, face: Face) -> Iterator[tuple[Relation, tuple[int, ...], tuple[int, ...]]]:
        """Relations with two runs of arguments that variables join with the axes of a board."""
        axes = [axis.link for axis in face.axes]
        if None in axes:
            return
        for relation in self._relations:
            links = self._links(relation)
            size = len(axes)
            starts = [start for start in range(relation[1] - size + 1) if links[start:start + size] == axes]
            runs = [(one, other) for one, other in combinations(starts, 2) if other >= one + size]
            if runs:
                one, other = runs[0]
                yield relation, tuple(range(one, one + size)), tuple(range(other, other + size))

    def pairs(self, face: Face) -> list[frozenset[Pair]]:
        """What relations join cells of a board, a set of pairs a relation, those of few neighbours only."""
        runs = list(self._twice(face))
        extents = self._extents([relation for relation, _, _ in runs])
        found = []
        for relation, one, other in runs:
            pairs = frozenset((_cell(row, one), _cell(row, other)) for row in extents.get(relation, ()))
            pairs = frozenset(pair for pair in pairs if set(pair) <= face.cells and pair[0] != pair[1])
            degrees: dict[Coordinates, set[Coordinates]] = defaultdict(set)
            for here, there in pairs:
                degrees[here].add(there)
                degrees[there].add(here)
            if pairs and max(map(len, degrees.values())) <= _MOST_NEIGHBOURS:
                found.append(pairs)
        return found

    def lines(self, face: Face) -> list[Pair]:
        """Which cells to join by lines: those of the smallest symmetric relation, else of all relations together."""
        found = self.pairs(face)
        symmetric = [pairs for pairs in found if all((there, here) in pairs for here, there in pairs)]
        chosen = min(symmetric, key=len) if symmetric else frozenset[Pair]().union(*found)
        return sorted(chosen)

    def on_larger(self, face: Face) -> dict[Coordinates, tuple[str, str]] | None:
        """Columns and rows of all cells on a larger board, where a relation gives every cell two numbers of its own."""
        axes = [axis.link for axis in face.axes]
        if None in axes:
            return None
        wanted = [relation for relation in self._relations
                  if relation[1] == len(axes) + 2 and self._links(relation)[:len(axes)] == axes]
        for relation, rows in self._extents(wanted).items():
            places = {_cell(row, range(len(axes))): (str(row[-2]), str(row[-1])) for row in rows}
            known = {cell: places[cell] for cell in face.cells if cell in places}
            if (len(rows) == len(places) and len(known) == len(face.cells) == len(set(known.values()))
                    and all(value.isdecimal() for place in known.values() for value in place) and relation):
                return known
        return None


def _cell(row: Sequence[Term], columns: Sequence[int]) -> Coordinates:
    return tuple(str(row[column]) for column in columns)


def is_hexagonal(face: Face, pairs: frozenset[Pair]) -> int:
    """Whether a relation joins cells at the four orthogonal offsets and one diagonal: 1 or −1 for which, 0 if not."""
    index = [{value: number for number, value in enumerate(axis.values)} for axis in face.axes]
    offsets = {(index[0][there[0]] - index[0][here[0]], index[1][there[1]] - index[1][here[1]])
               for here, there in pairs}
    offsets |= {(-x, -y) for x, y in offsets}
    orthogonal = {(1, 0), (-1, 0), (0, 1), (0, -1)}
    if offsets == orthogonal | {(1, -1), (-1, 1)}:
        return 1
    return -1 if offsets == orthogonal | {(1, 1), (-1, -1)} else 0


def in_columns(places: Mapping[Coordinates, tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The columns and rows of a larger board in their order."""
    return (sorted({column for column, _ in places.values()}, key=natural),
            sorted({row for _, row in places.values()}, key=natural))
