"""A search that goes on while somebody watches: what it knows so far, several times a second."""

from __future__ import annotations

import time
from typing import Any

from ludorum.game import Game
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeResult, TreeSearch
from ludorum.state import State

# Of so many moves is told, the most visited first, and so many steps of what is expected.
_MOST_MOVES = 20
_LONGEST_LINE = 12
# What a tree may take that somebody looks at.
_MEMORY_MB = 256
# So many random matches show whether goals always add up to the same, each of at most so many steps.
_TOTAL_PLAYOUTS = 64
_TOTAL_STEPS = 300


class LiveSearch:
    """At most one search at a time, at the state that somebody looks at."""

    def __init__(self, game: Game, seconds: float) -> None:
        self._game = game
        self._seconds = seconds
        self._search: TreeSearch | None = None
        self._state: State | None = None
        self._where: dict[str, Any] = {}
        self._total: float | None = None
        self._until = 0.0
        self._began = 0.0
        #: Whether there is more to tell.
        self.is_on = False

    def begin(self, state: State, where: dict[str, Any]) -> None:
        """Search at a state until told to halt; raises LudorumError where that cannot be."""
        self.halt()
        if self._search is None:
            self._search = TreeSearch(self._game, TreeSettings(memory_mb=_MEMORY_MB))
            self._total = goal_total(self._game)
        self._search.look_at(state)
        self._search.begin()
        self._state, self._where = state, where
        self._began = time.monotonic()
        self._until = self._began + self._seconds
        self.is_on = True

    def halt(self) -> None:
        if self._search is not None:
            self._search.halt()
        self.is_on = False

    def findings(self) -> dict[str, Any] | None:
        """What is known now; the last findings say that the search is over."""
        if self._search is None or self._state is None or not self.is_on:
            return None
        result = self._search.result_at(self._state)
        if result is None:
            return None
        is_over = result.is_solved or time.monotonic() >= self._until
        if is_over:
            self.halt()
        return {**self._where, **described(result, self._total), "is_on": not is_over,
                "seconds": round(time.monotonic() - self._began, 2)}


def described(result: TreeResult, total: float | None) -> dict[str, Any]:
    """What a search found, as the page shows it: values are goals from 0 to 100.

    `total` is what the goals of all roles add up to, where they always do.
    """
    moves: dict[str, list[dict[str, Any]]] = {}
    for role, found in result.moves.items():
        best = sorted(found.items(), key=lambda item: (-item[1].visits, -item[1].value, str(item[0])))[:_MOST_MOVES]
        moves[str(role)] = [
            {"move": str(move), "visits": told.visits, "value": round(told.value, 1), "proved": told.is_proved}
            for move, told in best]
    return {
        "moves": moves,
        "best": {str(role): str(result.best(role)) for role in result.moves},
        "values": {str(role): state_value(result, str(role), total) for role in result.state.game.roles},
        "line": [{str(role): str(move) for role, move in joint.items()}
                 for joint in result.principal_variation[:_LONGEST_LINE]],
        "visits": result.visits, "playouts": result.playouts, "nodes": result.nodes, "depth": result.deepest,
        "is_solved": result.is_solved,
    }


def state_value(result: TreeResult, role: str, total: float | None) -> float | None:
    """What a state is worth to a role: what is proved, else its best move; None where neither tells."""
    lower, upper = result.lower[role], result.upper[role]
    if lower == upper:
        return round(lower, 1)
    known = result.moves.get(role)
    if known:
        tried = {move: told for move, told in known.items() if told.visits or told.is_proved}
        if tried:
            return round(max(lower, min(upper, tried.get(result.best(role), next(iter(tried.values()))).value)), 1)
    # The other's moves tell what is left for the one who has none.
    others = [other for other in result.moves if other != role]
    if total is not None and len(others) == 1 and len(result.state.game.roles) == 2:
        value = state_value(result, str(others[0]), None)
        return None if value is None else round(total - value, 1)
    return None


def goal_total(game: Game) -> float | None:
    """What the goals of all roles add up to, if random matches all agree on that."""
    goals = game.playouts(_TOTAL_PLAYOUTS, max_steps=_TOTAL_STEPS).goals
    totals = {int(sum(row)) for row in goals if min(row) >= 0}
    return float(totals.pop()) if len(totals) == 1 else None
