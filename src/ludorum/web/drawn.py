"""A state as the page draws it, and the clicks that lead to its moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludorum.draw import clicks, scene
from ludorum.state import State


def drawn(state: State, before: State | None) -> dict[str, Any]:
    """The scene of a state, and the places that hold something else than before."""
    now = scene(state)
    return {"scene": now.json(),
            "marks": [] if before is None else [place.id for place in now.changed(scene(before))]}


def clickable(state: State, role: str, legal: Sequence[str]) -> list[dict[str, Any]]:
    """For every move its path of places, what tells it from others there, and how many it says if it says a number."""
    ways = clicks(state, role)
    known = {str(move): move for move in ways}
    told = []
    for text in legal:
        move = known.get(text)
        told.append({"move": text, "path": [], "label": text} if move is None else {
            "move": text, "path": [place.id for place in ways[move]], "label": ways.labels[move],
            "number": ways.numbers.get(move)})
    return told
