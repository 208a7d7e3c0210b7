"""Boards by the look of fluents alone, for games that say nothing more in play.

A fluent such as `(cell 2 3 white)` says what is at column 2 of row 3; a third index, as in `(cell 2 3 1 x)`, makes a
series of boards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod

from ludorum.drawing.faces import Face, FaceAxis
from ludorum.drawing.grid import Cell, Grid
from ludorum.drawing.symbols import symbols
from ludorum.game import Game, State
from ludorum.gdl.natural import natural
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term

_LARGEST_AXIS = 40
# A board may have corners cut off or be a star, but a relation between any two things is no board.
_LEAST_FILLED = 0.25


def plain_grids(state: State) -> Iterator[Grid]:
    """The boards that the arguments of fluents look like."""
    known = state.game.fluents
    vocabulary = frozenset(known) if known is not None else state.fluents | state.game.initial.fluents
    groups: dict[tuple[str, int], list[tuple[str, ...]]] = defaultdict(list)
    for fluent in vocabulary:
        groups[fluent.name, len(fluent.args)].append(tuple(map(str, fluent.args)))
    roles = state.game.roles
    marked: set[str] = set()
    for (name, arity), tuples in sorted(groups.items()):
        if arity < 3 or not {arguments[i] for arguments in tuples for i in (0, 1)}.isdisjoint(roles):
            continue
        now = [tuple(map(str, fluent.args)) for fluent in state.game.initial.fluents or state.fluents
               if (fluent.name, len(fluent.args)) == (name, arity)]
        indices = 3 if arity > 3 and _needs_third_index(now) else 2
        axes = [_axis({arguments[i] for arguments in tuples}, state.game.rules) for i in range(indices)]
        cells = frozenset(arguments[:indices] for arguments in tuples)
        # Where every first argument comes once, as in (bank left 3 3), the others are its values.
        if sorted(arguments[0] for arguments in now) == sorted(axes[0]):
            continue
        if (any(not 2 <= len(axis) <= _LARGEST_AXIS for axis in axes)
                or len(cells) < _LEAST_FILLED * prod(map(len, axes))):
            continue
        marks = {other for (other, places), pairs in groups.items()
                 if places == 2 and other not in marked and set(pairs) <= cells
                 and len(pairs) >= _LEAST_FILLED * len(cells)}
        marked |= marks
        values = sorted({" ".join(arguments[indices:]) for arguments in tuples} | marks, key=natural)
        yield Grid(name, tuple(map(tuple, axes)), 0, 1, cells, symbols(values, roles),
                   _Reader(name, arity, indices, frozenset(marks)))


def plain_faces(game: Game) -> Iterator[Face]:
    """The same for those who lay boards out."""
    for grid in plain_grids(game.initial):
        blank = frozenset(words for words, symbol in grid.symbols.items() if symbol == ".")
        yield Face(grid.name, tuple(FaceAxis(values, is_ordered=True) for values in grid.axes), grid.cells, grid.read,
                   dict.fromkeys(grid.symbols, ()), blank)


@dataclass(frozen=True)
class _Reader:
    """Tells cells and contents from fluents of one name, and from those that say of a cell nothing but their name."""

    name: str
    arity: int
    indices: int
    marks: frozenset[str]

    def __call__(self, fluent: Term) -> tuple[Cell, str] | None:
        arguments = tuple(map(str, fluent.args))
        if (fluent.name, len(arguments)) == (self.name, self.arity):
            return arguments[:self.indices], " ".join(arguments[self.indices:])
        if fluent.name in self.marks and len(arguments) == 2:
            return arguments, fluent.name
        return None


def _needs_third_index(tuples: Sequence[tuple[str, ...]]) -> bool:
    """Whether two index arguments leave open what stands in a cell, and three do not."""
    return len({arguments[:2] for arguments in tuples}) < len({arguments[:3] for arguments in tuples})


def _axis(values: set[str], rules: Rulesheet) -> list[str]:
    """The values of an index in their order: as numbers, else as some relation of the rules counts them."""
    if all(re.fullmatch(r"-?\d+", value) for value in values):
        return sorted(values, key=Decimal)
    return _chain(values, rules) or sorted(values, key=natural)


def _chain(values: set[str], rules: Rulesheet) -> list[str] | None:
    """The order of the values in a relation such as `(next a b) (next b c)`, if the rules have one."""
    relations: dict[str, dict[str, str]] = defaultdict(dict)
    for rule in rules.rules:
        if not rule.body and len(rule.head.args) == 2:
            first, second = map(str, rule.head.args)
            if first in values and second in values:
                relations[rule.head.name][first] = second
    for successors in relations.values():
        starts = values - set(successors.values())
        if len(starts) == 1 and len(successors) == len(values) - 1:
            chain = [*starts]
            while chain[-1] in successors and len(chain) <= len(values):
                chain.append(successors[chain[-1]])
            if len(chain) == len(values):
                return chain
    return None
