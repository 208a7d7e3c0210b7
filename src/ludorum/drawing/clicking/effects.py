"""Which cells a move changes: where moves name no cell, what comes of them tells where to click.

The others make their first legal move meanwhile. What every move of the role changes in the same way is not the doing
of one of them, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ludorum.drawing.plan import BoardPlan, Plan
from ludorum.drawing.ranks import Ranks
from ludorum.drawing.scene import Place
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.state import State

Held = Mapping[Place, frozenset[str]]

# A move that changes more cells is no matter of clicking them.
_MOST_CLICKS = 3


def effects(state: State, role: str, moves: Sequence[Move], also: Sequence[Move],
            drawn: Plan) -> dict[Move, tuple[Place, ...]]:
    """For moves the cells to click, in the order in which one would: from where something goes, to where it goes.

    Other moves of the role are looked at also, to know what is no doing of these.
    """
    boards = [board for board in drawn.boards if not board.face.is_beside]
    if not boards:
        return {}
    before = contents(state.fluents, boards)
    others = {other: min(state.legal(other), key=lambda move: drawn.ranks.term(move.term))
              for other in state.game.roles if other != role}
    after = {move: contents(state.after({**others, role: move}).fluents, boards) for move in (*moves, *also)}
    blank = frozenset[str]()
    changed = {move: {place: told.get(place, blank) for place in {**before, **told}
                      if before.get(place, blank) != told.get(place, blank)} for move, told in after.items()}
    often = Counter((place, held) for changes in changed.values() for place, held in changes.items())
    wanted = frozenset(moves)
    found = {}
    for move, changes in changed.items():
        own = {place: held for place, held in changes.items()
               if often[place, held] < len(after)}
        path = _path(own, before, drawn.ranks)
        if path and move in wanted:
            found[move] = path
    return found


def contents(fluents: Iterable[Term], boards: Sequence[BoardPlan]) -> dict[Place, frozenset[str]]:
    """What the cells hold; those that hold nothing are left out."""
    held: dict[Place, set[str]] = {}
    for fluent in fluents:
        for board in boards:
            told = [(cell, words) for cell, words in board.face.told(fluent) if cell in board.places]
            for cell, words in told:
                if words not in board.face.blank:
                    held.setdefault(board.places[cell], set()).add(words)
            if told:
                break
    return {place: frozenset(words) for place, words in held.items()}


def _path(changes: Held, before: Held, ranks: Ranks) -> tuple[Place, ...]:
    """The cells that change as clicks: those that are left first."""
    if not 1 <= len(changes) <= _MOST_CLICKS:
        return ()

    def order(place: Place) -> tuple[bool, bool, object]:
        was = before.get(place, frozenset())
        return len(changes[place]) >= len(was), place not in before, ranks.words(str(place))

    return tuple(sorted(changes, key=lambda place: order(place)))
