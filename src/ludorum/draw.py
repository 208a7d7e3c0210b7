"""A state as text: its boards as analysis found them, and a list of the fluents that are on none.

No drawing is made for one game in particular. Where play shows too little of a game, the look of its fluents decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.drawing.grid import Grid, flow
from ludorum.drawing.plain import plain_grids
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term
from ludorum.state import State

__all__ = ["Grid", "draw", "draw_common", "grids"]


def draw(state: State) -> str:
    """A state as text for people: its boards, then whatever else is true."""
    return draw_common([state])


def draw_common(states: Sequence[State]) -> str:
    """What states of a game have in common, as text; a cell that holds more in some of them shows `?`."""
    boards = grids(states[0])
    common = frozenset[Term].intersection(*(state.fluents for state in states))
    doubtful = frozenset[Term].union(*(state.fluents for state in states)) - common
    others = [fluent for fluent in common if all(board.read(fluent) is None for board in boards)]
    parts = [board.text(common, doubtful, titled=len(boards) > 1) for board in boards]
    if others:
        parts.append("\n".join(flow(sorted(map(str, others), key=natural))))
    return "\n\n".join(parts)


def grids(state: State) -> list[Grid]:
    """The boards of a state's game."""
    # Late: analysis takes NumPy along, for which nobody should wait who draws nothing.
    from ludorum.drawing.found import found_grids

    return list(found_grids(state.game)) or list(plain_grids(state))
