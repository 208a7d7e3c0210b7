"""The scene of a state: the plan of its game, filled with what is true."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from ludorum.drawing import palette
from ludorum.drawing.clicking.find import heaps, trays
from ludorum.drawing.clicking.stones import Stones
from ludorum.drawing.layouts.heaps import STONE, beside, stones
from ludorum.drawing.layouts.layout import disc
from ludorum.drawing.layouts.tray import tray as laid
from ludorum.drawing.plan import BoardPlan, Plan, plan
from ludorum.drawing.scene import UNIT, Board, Cell, Content, Fact, Scene
from ludorum.gdl.terms import Term
from ludorum.state import State

# Beside a board more facts of a kind than that are there for the rules' own sake.
_FEW = 8


def scene(state: State) -> Scene:
    """A state as things in places."""
    drawn = plan(state.game)
    held: dict[str, dict[tuple[str, ...], list[Content]]] = defaultdict(lambda: defaultdict(list))
    facts: list[Fact] = []
    bookkeeping: list[str] = []
    met: dict[str, Content] = {}
    for fluent in sorted(state.fluents, key=drawn.ranks.term):
        if (fluent.name, len(fluent.args)) in drawn.hidden:
            bookkeeping.append(str(fluent))
        elif not _put(fluent, drawn, held, met):
            facts.append(Fact(str(fluent)))
    if any(not board.face.is_beside for board in drawn.boards):
        kinds = Counter(fact.text.split(" ")[0] for fact in facts)
        bookkeeping += [fact.text for fact in facts if kinds[fact.text.split(" ")[0]] > _FEW]
        facts = [fact for fact in facts if kinds[fact.text.split(" ")[0]] <= _FEW]
    in_stones = heaps(state.game)
    boards = tuple(_in_stones(found, in_stones[found.name]) if found.name in in_stones else found
                   for found in (_board(board, held[board.name]) for board in drawn.boards))
    height = drawn.height
    for tray in trays(state.game):
        beside = laid(tray.board.name, tray.contents, height)
        boards = (*boards, beside)
        height = max(y for cell in beside.cells for _, y in cell.polygon) + 0.4 * UNIT
    width = max([drawn.width, *(x + 0.6 * UNIT for board in boards[len(drawn.boards):]
                                for cell in board.cells for x, _ in cell.polygon)])
    is_over = state.is_terminal
    goals = tuple(state.goals.items()) if is_over else ()
    return Scene(state.game.name, width, height, boards, tuple(facts), _legend(drawn),
                 tuple(drawn.colours.items()), () if is_over else tuple(state.choosers), state.step,
                 tuple(bookkeeping), is_over, goals)


def _put(fluent: Term, drawn: Plan, held: dict[str, dict[tuple[str, ...], list[Content]]],
         met: dict[str, Content]) -> bool:
    """Put what a fluent tells into its cell, if it tells of one."""
    for board in drawn.boards:
        told = [(cell, words) for cell, words in board.face.told(fluent) if cell in board.layout.slots]
        for cell, words in told:
            content = board.contents.get(words) or met.setdefault(
                words, Content(words, words, "number" if words.isdecimal() else "sign", palette.WORDS))
            if content.shape != "blank":
                held[board.name][cell].append(content)
        if told:
            return True
    return False


def _board(board: BoardPlan, held: dict[tuple[str, ...], list[Content]]) -> Board:
    layout = board.layout if board.face.stacked is None else board.stacked(
        {cell[0]: content.words for cell, contents in held.items() for content in contents})
    cells = tuple(
        Cell(board.places[cell], slot.x, slot.y, slot.polygon, tuple(held.get(cell, ())), slot.is_dark,
             ", ".join((" ".join(cell) or board.name, *(content.words for content in held.get(cell, ())))))
        for cell, slot in layout.slots.items())
    return Board(board.name, layout.geometry, cells, layout.lines, layout.labels,
                 layout.dots)


def _in_stones(board: Board, heaps: Stones) -> Board:
    """A board of heaps, each of them with its stones as places of their own."""
    cells: list[Cell] = []
    for cell in board.cells:
        count = next((content.count for content in cell.contents if content.count is not None), None)
        if count is None or cell.place.kind != "thing":
            cells.append(cell)
            continue
        told, = (content for content in cell.contents if content.count is not None)
        # The stones are drawn one by one, and the number beside them.
        x, y = beside(cell)
        cells.append(replace(cell, x=x, y=y, contents=(replace(told, count=None),)))
        for place, (x, y) in zip(heaps.of(cell.place.coordinates, count), stones(cell, count), strict=True):
            if place is not None:
                stone = Content("a stone", "", "stone", palette.STONE)
                cells.append(Cell(place, x, y, disc(x, y, STONE).polygon, (stone,),
                                  label=f"{cell.label.split(',')[0]}, {place.coordinates[-1]} {heaps.meaning}"))
    return replace(board, cells=tuple(cells))


def _legend(drawn: Plan) -> tuple[Content, ...]:
    """What contents mean, those left out that say it themselves."""
    found: dict[str, Content] = {}
    for board in drawn.boards:
        for words, content in board.contents.items():
            if content.shape not in ("blank", "number") and content.sign != words and (
                    not board.face.is_beside and board.face.stacked is None):
                found.setdefault(words, content)
    return tuple(found.values())
