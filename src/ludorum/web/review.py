"""A match looked at again: what every state was worth, and which moves gave away the most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludorum.game import Game
from ludorum.joint import goes_on
from ludorum.move import Move
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeSearch
from ludorum.state import State
from ludorum.web.searching import goal_total, state_value

# So many of the largest losses are named, and none that is smaller than so many points of goal.
_MOST_NAMED = 3
_LEAST_LOSS = 5.0
# What a tree may take.
_MEMORY_MB = 256


class Review:
    """Searches every state of a match with the same number of playouts, so that the same is found again."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def run(self, states: Sequence[State], joints: Sequence[dict[str, Move]], playouts: int,
            tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Tell of every step as it is looked at, and at the end of the largest losses; raises LudorumError."""
        values: list[dict[str, float | None]] = []
        losses: list[dict[str, Any]] = []
        total = goal_total(self._game)
        # A search of its own for every state: what is known of one must not decide how another is judged.
        for step, state in enumerate(states):
            if not goes_on(state):
                values.append({str(role): goal for role, goal in state.goals.items()} if state.is_terminal else {})
                continue
            result = TreeSearch(self._game, TreeSettings(seed=0, memory_mb=_MEMORY_MB)).think(state, playouts=playouts)
            values.append({str(role): state_value(result, str(role), total) for role in self._game.roles})
            if step < len(joints):
                losses += [{"step": step, "role": str(role), **lost} for role in result.moves
                           if (lost := self._loss(result.moves[role], result.best(role), joints[step][role]))]
            tell({"step": step, "steps": len(states), "values": values[-1]})
        losses = sorted((loss for loss in losses if loss["loss"] >= _LEAST_LOSS), key=lambda loss: -loss["loss"])
        return {"values": values, "losses": losses[:_MOST_NAMED], "playouts": playouts}

    @staticmethod
    def _loss(known: dict[Move, Any], best: Move, made: Move) -> dict[str, Any] | None:
        """What a move gave away against the best one."""
        if made == best or made not in known:
            return None
        return {"move": str(made), "best": str(best), "loss": round(known[best].value - known[made].value, 1),
                "value": round(known[made].value, 1), "best_value": round(known[best].value, 1),
                "proved": known[best].is_proved and known[made].is_proved}


