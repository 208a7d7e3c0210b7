"""Which arguments of moves name places, decided once for all moves of a name.

Columns are read from left to right. A run of them that variables of the rules join with the axes of a board, and whose
values are its cells nearly always, is a cell; columns that are joined with what names a counter are that counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ludorum.analysis.structures.tables import Table, tables
from ludorum.drawing.clicking.evidence import Evidence
from ludorum.drawing.clicking.stones import Stones, stones
from ludorum.drawing.clicking.trays import Pick, pick
from ludorum.drawing.plan import BoardPlan, Plan
from ludorum.drawing.scene import Place
from ludorum.gdl.domains import Place as Argument
from ludorum.gdl.terms import Term

# A run of arguments is a cell if its values are cells so often; a few moves may lead off the board.
_NEARLY_ALWAYS = 0.9
_MOST_MOVES = 20_000


@dataclass(frozen=True, eq=False)
class Step:
    """Columns of a move that name a place of a board, in the order of its axes."""

    board: BoardPlan
    columns: tuple[int, ...]

    def place(self, row: Sequence[Term]) -> Place | None:
        return self.board.places.get(tuple(str(row[column]) for column in self.columns))


@dataclass(frozen=True, eq=False)
class Line:
    """A column of a move that names the value of one axis of a board, and with it many cells."""

    board: BoardPlan
    axis: int
    column: int

    def places(self, value: str) -> tuple[Place, ...]:
        return tuple(place for cell, place in self.board.places.items() if cell[self.axis] == value)


@dataclass(frozen=True, eq=False)
class Pattern:
    """How moves of one name are read."""

    table: Table
    steps: tuple[Step, ...]
    #: The columns that name no place.
    rest: tuple[int, ...]
    #: Those of them that name a whole line of a board: the value of one of its axes.
    lines: tuple[Line, ...] = ()
    #: Those of them that count: for each how large its values are.
    numbers: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    #: The column that chooses what a cell will hold, and the tray where that lies.
    pick: Pick | None = None
    #: The column that says how many stones are left in a heap, or taken from it.
    stones: Stones | None = None

    def read(self, move: Term) -> tuple[tuple[Place, ...], dict[int, str]]:
        """The places that a move names and its other arguments, by column."""
        row = self.table.read(move)
        path = []
        rest = list(self.rest)
        for step in self.steps:
            place = step.place(row)
            if place is not None:
                path.append(place)
            else:
                rest += step.columns
        if self.stones is not None and len(path) == 1 and (stone := self.stones.place(row)) is not None:
            path = [stone]
            rest.remove(self.stones.column)
        elif path and self.pick is not None and (chosen := self.pick.place(row)) is not None:
            path.append(chosen)
            rest.remove(self.pick.column)
        return tuple(path), {column: str(row[column]) for column in sorted(rest)}


def patterns(moves: Iterable[Term], drawn: Plan, evidence: Evidence) -> dict[tuple[str, int], Pattern]:
    """For moves by name and number of arguments how they are read."""
    every = list(dict.fromkeys(moves))[:_MOST_MOVES]
    return {(table.name, table.arity): _pattern(table, drawn, evidence) for table in tables(every)}


def _pattern(table: Table, drawn: Plan, evidence: Evidence) -> Pattern:
    links = [drawn.domains.link(place) for place in table.places]
    main = sorted((board for board in drawn.boards if not board.face.is_beside), key=lambda b: -len(b.face.axes))
    beside = sorted((board for board in drawn.boards if board.face.is_beside and board.face.axes),
                    key=lambda b: -len(b.face.axes))
    taken: dict[int, Step] = {}
    for boards, by_value in ((main, False), (main, True), (beside, False)):
        column = 0
        while column < table.width:
            step = _best(list(_steps(table, column, links, boards, taken, by_value)), table, evidence)
            if step is None:
                column += 1
                continue
            for used in step.columns:
                taken[used] = step
            column = max(step.columns) + 1
    steps = sorted(dict.fromkeys(taken.values()), key=lambda step: min(step.columns))
    rest = tuple(column for column in range(table.width) if column not in taken)
    heap = next((found for column in rest if len(steps) == 1 and steps[0].board.face.is_beside
                 and (found := stones(table, steps[0].columns, column, steps[0].board, evidence)) is not None), None)
    return Pattern(table, tuple(steps), rest, tuple(_lines(table, rest, links, main)),
                   {column: ranks for column in rest if (ranks := _ranks(table, column, links[column], drawn))},
                   None if heap else pick(table, rest, steps[-1].board if steps else None, drawn, evidence), heap)


def _lines(table: Table, columns: Sequence[int], links: Sequence[int | None],
           boards: Sequence[BoardPlan]) -> Iterator[Line]:
    for column in columns:
        for board in boards:
            found = [number for number, axis in enumerate(board.face.axes)
                     if links[column] is not None and axis.link == links[column]]
            # A number may be linked to both axes of a board, and then it is neither.
            if len(found) == 1 and len(board.face.axes) > 1:
                values = board.face.axes[found[0]].values
                if all(str(value) in values for value in table.values[column]):
                    yield Line(board, found[0], column)
                    break


def _ranks(table: Table, column: int, link: int | None, drawn: Plan) -> dict[str, int]:
    """How large the values of a column are, if they are numbers or some relation counts them."""
    values = table.values[column]
    if len(values) < 2:
        return {}
    if all(str(value).isdecimal() and len(str(value)) < 9 for value in values):
        return {str(value): int(str(value)) for value in values}
    for relation in drawn.structures.relations:
        places = [Argument("relation", relation.name, 2, i) for i in (1, 2)]
        if link is None or link not in map(drawn.domains.link, places) or not values <= relation.things:
            continue
        line = relation.in_order(values)
        if line is not None:
            return {str(value): number for number, value in enumerate(line)}
    return {}


def _best(steps: Sequence[Step], table: Table, evidence: Evidence) -> Step | None:
    """The first of these; of several boards with the same axes the one whose cells such moves change."""
    if not steps:
        return None
    alike = [step for step in steps if step.columns == steps[0].columns]
    if len(alike) == 1:
        return steps[0]
    return max(alike, key=lambda step: evidence.changes(table, step.columns, step.board))


def _steps(table: Table, column: int, links: Sequence[int | None], boards: Sequence[BoardPlan],
           taken: dict[int, Step], by_value: bool) -> Iterator[Step]:
    """What columns from this one on may name, the likeliest first."""
    for board in boards:
        axes = board.face.axes
        columns = range(column, column + len(axes))
        if not axes or columns.stop > table.width or any(used in taken for used in columns):
            continue
        if by_value and len(axes) < 2:
            continue
        # In the order of the board, else the other way round.
        for order in permutations(columns) if len(axes) <= 3 else (tuple(columns),):
            fits = by_value or all(links[used] is not None and links[used] == axis.link
                                   for used, axis in zip(order, axes, strict=True))
            if fits and _share(table, order, board) >= (1.0 if by_value else _NEARLY_ALWAYS):
                yield Step(board, order)
                break


def _share(table: Table, columns: Sequence[int], board: BoardPlan) -> float:
    places = board.places
    named = sum(tuple(str(row[column]) for column in columns) in places for row in table.rows)
    return named / len(table.rows) if table.rows else 0.0
