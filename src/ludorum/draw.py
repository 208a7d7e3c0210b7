"""A state as text: a plain grid where fluents have two index arguments, and a list of the others below.

A fluent such as `(cell 2 3 white)` says what is at column 2 of row 3. Columns run to the right and rows
upwards, as on a chess board; a third index, as in `(cell 2 3 1 x)`, makes a series of boards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.state import State

_WIDTH = 100
_LARGEST_AXIS = 40
# A board may have corners cut off or be a star, but a relation between any two things is no board.
_LEAST_FILLED = 0.25
_BLANK = {"blank", "empty", "none", "nothing", "free", "vacant", "clear", "off", "hole", "gap", "floor"}


def draw(state: State) -> str:
    """A state as text for people: its boards, then whatever else is true."""
    known = state.game.fluents
    vocabulary = frozenset(known) if known is not None else state.fluents | state.game.initial.fluents
    boards = list(_find_boards(state, vocabulary))
    on_boards = frozenset(fluent for board in boards for fluent in state.fluents if board.holds(fluent))
    others = sorted(map(str, state.fluents - on_boards), key=_natural)
    parts = [_drawing(board, state.fluents, titled=len(boards) > 1) for board in boards]
    if others:
        parts.append("\n".join(_flow(others)))
    return "\n\n".join(parts)


@dataclass(frozen=True)
class _Board:
    """The fluents of one functor, seen as the contents of cells."""

    name: str
    arity: int
    columns: list[str]
    rows: list[str]
    #: Values of the third index, or nothing if there are only two.
    layers: list[str]
    #: The cells that can hold anything at all.
    cells: frozenset[tuple[str, ...]]
    #: Functors such as `(food 2 3)` that say of a cell nothing but their name.
    marks: frozenset[str]
    symbols: dict[str, str]

    @property
    def indices(self) -> int:
        return 3 if self.layers else 2

    def holds(self, fluent: Term) -> bool:
        return (fluent.name, len(fluent.args)) == (self.name, self.arity) or self.is_marked_by(fluent)

    def is_marked_by(self, fluent: Term) -> bool:
        return fluent.name in self.marks and len(fluent.args) == 2

    def contents(self, fluents: Iterable[Term]) -> dict[tuple[str, ...], str]:
        """What stands in each cell, as symbols."""
        found: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for fluent in sorted(fluents, key=str):
            if self.holds(fluent):
                arguments = tuple(map(str, fluent.args))
                value = fluent.name if self.is_marked_by(fluent) else " ".join(arguments[self.indices:])
                if self.symbols[value] != ".":
                    found[arguments[:self.indices]].append(self.symbols[value])
        return {cell: "".join(symbols) for cell, symbols in found.items()}


def _find_boards(state: State, vocabulary: frozenset[Term]) -> Iterator[_Board]:
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
        values = sorted({" ".join(arguments[indices:]) for arguments in tuples} | marks, key=_natural)
        yield _Board(name, arity, axes[0], axes[1], axes[2] if indices == 3 else [], cells, frozenset(marks),
                     _symbols(values, roles))


def _needs_third_index(tuples: Sequence[tuple[str, ...]]) -> bool:
    """Whether two index arguments leave open what stands in a cell, and three do not."""
    return len({arguments[:2] for arguments in tuples}) < len({arguments[:3] for arguments in tuples})


def _axis(values: set[str], rules: Rulesheet) -> list[str]:
    """The values of an index in their order: as numbers, else as some relation of the rules counts them."""
    if all(re.fullmatch(r"-?\d+", value) for value in values):
        return sorted(values, key=int)
    return _chain(values, rules) or sorted(values, key=_natural)


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


def _symbols(values: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """A short symbol for each content, as short as tells them apart; a point for nothing."""
    blank = {value for value in values if value in _BLANK}
    # In many a rulesheet b is for blank, unless w is for white.
    if not blank and "b" in values and "w" not in values:
        blank = {"b"}
    shown = [value for value in values if value not in blank]
    symbols = dict.fromkeys(blank, ".")
    candidates = [list(map(_picture, shown)), [_initials(value, roles) for value in shown]]
    if all(len(value) <= 2 for value in shown):
        candidates.insert(1, shown)
    for short in candidates:
        if len(set(short)) == len(shown):
            return symbols | dict(zip(shown, short, strict=True))
    return symbols | _distinct_letters(shown)


def _picture(value: str) -> str:
    """A single sign, as people who draw boards with a keyboard choose it."""
    if value.isdecimal():
        return value
    if value == "wall":
        return "#"
    return value[0].upper() if value.endswith("king") and value != "king" else value[0]


def _initials(value: str, roles: Sequence[str]) -> str:
    """The first letters of a value's words; `whitepawn` is two words if white is a role."""
    for role in roles:
        if value.startswith(role):
            value = f"{role} {value.removeprefix(role)}"
    return "".join(word[0] for word in re.split(r"[ _-]+", value) if word)


def _distinct_letters(values: Sequence[str]) -> dict[str, str]:
    """For each value a letter that it has and no other got, or all values in full if letters run out."""
    chosen: dict[str, str] = {}
    for value in values:
        own = [_picture(value), *value] if not value.isdecimal() else [value]
        free = (sign for sign in own if sign not in chosen.values())
        sign = next(free, None)
        if sign is None:
            return dict(zip(values, values, strict=True))
        chosen[value] = sign
    return chosen


def _drawing(board: _Board, fluents: Iterable[Term], *, titled: bool) -> str:
    contents = board.contents(fluents)
    grids = []
    layers: Sequence[str | None] = board.layers or [None]
    for layer in layers:
        lines = _grid(board, contents, layer)
        title = f"{board.name} … {layer}" if layer is not None else board.name if titled else None
        grids.append([title, *lines] if title else lines)
    legend = [f"{symbol} {value}" for value, symbol in board.symbols.items() if symbol not in (".", value)]
    return "\n".join(_side_by_side(grids) + (["", *_flow(legend)] if legend else []))


def _grid(board: _Board, contents: dict[tuple[str, ...], str], layer: str | None) -> list[str]:
    tail = () if layer is None else (layer,)
    width = max(map(len, [*contents.values(), *board.columns, "."]))
    margin = max(map(len, board.rows))

    def content(column: str, row: str) -> str:
        cell = (column, row, *tail)
        return contents.get(cell, "." if cell in board.cells else "")

    lines = [f"{row:>{margin}} " + " ".join(f"{content(column, row):>{width}}" for column in board.columns)
             for row in reversed(board.rows)]
    lines.append(" " * (margin + 1) + " ".join(f"{column:>{width}}" for column in board.columns))
    return [line.rstrip() for line in lines]


def _side_by_side(grids: list[list[str]]) -> list[str]:
    """Blocks of lines next to each other, as many as fit."""
    width = max(len(line) for grid in grids for line in grid) + 4
    across = max(1, _WIDTH // width)
    lines: list[str] = []
    for start in range(0, len(grids), across):
        if start:
            lines.append("")
        for row in zip(*grids[start:start + across], strict=True):
            lines.append("".join(f"{part:{width}}" for part in row).rstrip())
    return lines


def _flow(items: Iterable[str]) -> list[str]:
    """Items one after the other in lines that are not too long."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 2 + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f"  {item}" if lines[-1] else item
    return lines


def _natural(text: str) -> list[tuple[bool, int, str]]:
    """A sort key by which `a2` comes before `a10`."""
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part)
            for part in re.split(r"(\d+)", text) if part]
