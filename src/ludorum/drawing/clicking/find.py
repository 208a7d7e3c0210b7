"""The clicks of a role in a state: by what its moves name, and where they name nothing, by what they change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from ludorum.analysis.samples import samples
from ludorum.analysis.structures.structures import STATES, WORK
from ludorum.clock import Budget
from ludorum.drawing.clicking.clicks import Clicks, Path
from ludorum.drawing.clicking.effects import effects
from ludorum.drawing.clicking.evidence import Evidence
from ludorum.drawing.clicking.labels import Rest, labels
from ludorum.drawing.clicking.patterns import Line, Pattern, patterns
from ludorum.drawing.clicking.stones import Stones
from ludorum.drawing.clicking.trays import Tray
from ludorum.drawing.plan import Plan, plan
from ludorum.drawing.scene import Place
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.move import Move
from ludorum.state import State

_PATTERNS: Slot[Mapping[tuple[str, int], Pattern]] = Slot("patterns of moves")
# Every move that is looked at takes a step of the game.
_MOST_EFFECTS = 300


def clicks(state: State, role: str, *, by_effects: bool = True) -> Clicks:
    """For each legal move of a role its path; raises UnknownRole."""
    role = state.game.role(role)
    known = patterns_of(state.game)
    paths: dict[Move, Path] = {}
    rests: dict[Move, Rest] = {}
    lines: dict[Move, tuple[Line, str]] = {}
    for move in () if state.is_terminal else state.legal(role):
        pattern = known.get((move.term.name, len(move.term.args)))
        if pattern is None or not pattern.table.fits(move.term):
            paths[move], rests[move] = (), Rest({0: str(move)}, {})
            continue
        path, rest = pattern.read(move.term)
        numbers = {column: ranks[rest[column]] for column, ranks in pattern.numbers.items()
                   if rest.get(column) in ranks}
        if not move.term.args and move.term.name.isdecimal() and len(move.term.name) < 9:
            rest, numbers = {0: move.term.name}, {0: int(move.term.name)}
        paths[move], rests[move] = path, Rest(rest, numbers)
        if not path and pattern.lines:
            lines[move] = pattern.lines[0], rest[pattern.lines[0].column]
    if by_effects:
        paths |= _by_effect(state, role, paths)
    paths |= _from_trays(known, paths, lines)
    paths = _needed(paths)
    lines |= _lines_by_effect(paths, rests, lines, plan(state.game))
    aliases = _along_lines(paths, lines)
    told, numbers_of = labels(paths, rests)
    return Clicks(role, paths, told, numbers_of, aliases)


def _by_effect(state: State, role: str, paths: Mapping[Move, Path]) -> dict[Move, Path]:
    """Paths of moves that name no place, by what they change."""
    without = [move for move, path in paths.items() if not path]
    # What comes of an only move may be the doing of others.
    if not without or len(paths) < 2 or len(without) > _MOST_EFFECTS:
        return {}
    if not all(state.legal(other) for other in state.game.roles):
        return {}
    also = [move for move, path in paths.items() if path][:2]
    return effects(state, role, without, also, plan(state.game))


def _from_trays(known: Mapping[tuple[str, int], Pattern], paths: Mapping[Move, Path],
                lines: Mapping[Move, object]) -> dict[Move, Path]:
    """Paths of moves that name something of a tray and no cell, unless what they change tells for all of a name."""
    by_name: dict[tuple[str, int], list[Move]] = defaultdict(list)
    for move in paths:
        by_name[move.term.name, len(move.term.args)].append(move)
    found: dict[Move, Path] = {}
    for name, moves in by_name.items():
        pattern = known.get(name)
        if (pattern is None or pattern.pick is None or pattern.steps
                or all(paths[move] or move in lines for move in moves)):
            continue
        for move in moves:
            chosen = pattern.pick.place(pattern.table.read(move.term)) if pattern.table.fits(move.term) else None
            if chosen is not None:
                found[move] = (chosen,)
    return found


def _needed(paths: Mapping[Move, Path]) -> dict[Move, Path]:
    """Paths without what they end with of a tray, where what was clicked before leaves nothing else."""
    ends: dict[Path, int] = Counter(path[:-1] for path in paths.values() if path and path[-1].kind == "content")
    taken = Counter(paths.values())
    return {move: path[:-1] if len(path) > 1 and path[-1].kind == "content" and ends[path[:-1]] == 1
            and path[:-1] not in taken else path for move, path in paths.items()}


def _lines_by_effect(paths: Mapping[Move, Path], rests: Mapping[Move, Rest], known: Mapping[Move, object],
                     drawn: Plan) -> dict[Move, tuple[Line, str]]:
    """Moves whose one cell always has the value of one of their arguments as a coordinate: they name its line."""
    boards = {board.name: board for board in drawn.boards}
    by_name: dict[str, list[Move]] = defaultdict(list)
    for move, path in paths.items():
        if move not in known and len(path) == 1 and path[0].kind == "cell" and rests[move].words:
            by_name[move.term.name].append(move)
    found: dict[Move, tuple[Line, str]] = {}
    for moves in by_name.values():
        board = boards[paths[moves[0]][0].board]
        axes = range(len(board.face.axes))
        fitting = [(column, axis) for column in rests[moves[0]].words for axis in axes if len(axes) > 1 and all(
            paths[move][0].board == board.name
            and paths[move][0].coordinates[axis] == rests[move].words.get(column) for move in moves)]
        if len(fitting) == 1 and len(moves) > 1:
            column, axis = fitting[0]
            found |= {move: (Line(board, axis, column), rests[move].words[column]) for move in moves}
    return found


def _along_lines(paths: dict[Move, Path], lines: Mapping[Move, tuple[Line, str]]) -> dict[Place, Place]:
    """Let moves that name a line be made by a click on any of its cells: for each of these the one that counts."""
    chosen: dict[Place, set[Place]] = {}
    for move, (line, value) in lines.items():
        cells = line.places(value)
        path = paths[move]
        if not cells or (path and (len(path) > 1 or path[0] not in cells)):
            continue
        if not path:
            path = paths[move] = (_middle(line, cells),)
        for cell in cells:
            chosen.setdefault(cell, set()).add(path[0])
    taken = {path[0] for path in paths.values() if path}
    return {cell: next(iter(targets)) for cell, targets in chosen.items() if len(targets) == 1 and cell not in taken}


def _middle(line: Line, cells: tuple[Place, ...]) -> Place:
    """The cell in the middle of these, as they are drawn."""
    slots = {cell: line.board.layout.slots[cell.coordinates] for cell in cells}
    x, y = (sum(values) / len(slots) for values in zip(*((slot.x, slot.y) for slot in slots.values()), strict=True))
    return min(cells, key=lambda cell: (round((slots[cell].x - x) ** 2 + (slots[cell].y - y) ** 2, 3),
                                        slots[cell].x, slots[cell].y))


def patterns_of(game: Game) -> Mapping[tuple[str, int], Pattern]:
    """For its moves by name and number of arguments how they are read; a game remembers it."""
    budget = Budget().fixed(WORK)

    def find(_: object) -> tuple[Mapping[tuple[str, int], Pattern], bool]:
        seen = samples(game, STATES, budget=Budget().fixed(WORK))
        return patterns((move for moves in seen.moves for move in moves), plan(game), Evidence(seen)), True

    return game.findings.find(_PATTERNS, budget, find)


def trays(game: Game) -> tuple[Tray, ...]:
    """What lies beside the boards to be chosen from, each once."""
    found: dict[tuple[str, tuple[str, ...]], Tray] = {}
    for pattern in patterns_of(game).values():
        if pattern.pick is not None:
            tray = pattern.pick.tray
            found.setdefault((tray.board.name, tuple(tray.contents)), tray)
    return tuple(found.values())


def heaps(game: Game) -> dict[str, Stones]:
    """By the names of their boards the heaps whose stones can be clicked."""
    return {pattern.stones.board.name: pattern.stones for pattern in patterns_of(game).values()
            if pattern.stones is not None}
