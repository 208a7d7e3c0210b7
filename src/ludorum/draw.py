"""A state as text: its boards as analysis found them, and a list of the fluents that are on none.

No drawing is made for one game in particular. Where play shows too little of a game, the look of its fluents decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludorum.drawing.grid import Grid, flow
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.drawing.clicking.clicks import Clicks
    from ludorum.drawing.scene import Scene

# Of as many fluents of a kind a brief drawing tells.
_FEW = 2
# And none that is longer than so many letters.
_SHORT = 40

__all__ = ["Grid", "clicks", "draw", "draw_common", "grids", "scene"]


def scene(state: State) -> Scene:
    """A state as things in places: boards with cells and contents, counters beside them, and what else is true."""
    # Late, here and below: analysis takes NumPy along, for which nobody should wait who draws nothing.
    from ludorum.drawing.compose import scene as composed

    return composed(state)


def clicks(state: State, role: str, *, by_effects: bool = True) -> Clicks:
    """For each legal move of a role its path: the places of the scene that one clicks to make it.

    Moves with the same path differ in their labels, and those without a place have the empty path. Moves that name no
    place are found by what they change, unless that is to be a secret. Raises UnknownRole.
    """
    from ludorum.drawing.clicking.find import clicks as found

    return found(state, role, by_effects=by_effects)


def draw(state: State, *, since: State | None = None, brief: bool = False) -> str:
    """A state as text for people: its boards, then whatever else is true.

    Cells that have changed since another state stand in brackets. A brief drawing of that kind does not say again what
    symbols mean; and where there is a board and much else is true, it leaves out fluents that are many of a kind or
    long, and says how many.
    """
    boards = grids(state)
    others = [fluent for fluent in state.fluents if all(board.read(fluent) is None for board in boards)]
    parts = [board.text(state.fluents, titled=len(boards) > 1, explained=since is None or not brief,
                        marked=() if since is None else board.changed(since.fluents, state.fluents))
             for board in boards]
    if others:
        parts.append(_listed(others, brief=brief and bool(boards)))
    return "\n\n".join(parts)


def draw_common(states: Sequence[State]) -> str:
    """What states of a game have in common, as text; a cell that holds more in some of them shows `?`."""
    boards = grids(states[0])
    common = frozenset[Term].intersection(*(state.fluents for state in states))
    doubtful = frozenset[Term].union(*(state.fluents for state in states)) - common
    others = [fluent for fluent in common if all(board.read(fluent) is None for board in boards)]
    parts = [board.text(common, doubtful, titled=len(boards) > 1) for board in boards]
    if others:
        parts.append(_listed(others))
    return "\n\n".join(parts)


def _listed(fluents: Sequence[Term], *, brief: bool = False) -> str:
    lines = flow(sorted(map(str, fluents), key=natural))
    if not brief or len(lines) == 1:
        return "\n".join(lines)
    kinds = Counter((fluent.name, len(fluent.args)) for fluent in fluents)
    few = [text for fluent in fluents
           if kinds[fluent.name, len(fluent.args)] <= _FEW and len(text := str(fluent)) <= _SHORT]
    hidden = len(fluents) - len(few)
    return "\n".join(flow([*sorted(few, key=natural), *([f"… {hidden} more facts"] if hidden else [])]))


def grids(state: State) -> list[Grid]:
    """The boards of a state's game."""
    from ludorum.drawing.found import found_grids
    from ludorum.drawing.plain import plain_grids

    return list(found_grids(state.game)) or list(plain_grids(state))
