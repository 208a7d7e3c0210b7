"""One number over fixed games and seeds: what a change that should change no answer leaves alone.

It counts work, never seconds: gates, playouts and where they ended, nodes of seeded searches, verdicts of proofs.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ludorum.analysis.proofs import prove
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.loading import load
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeSearch

# Games that differ in kind: turns, simultaneous moves, chance, secrets, one role, many.
_CIRCUITS = ("tictactoe", "connectfour", "breakthrough", "othello", "kalah", "pig", "rockpaperscissors", "montyhall",
             "tictactoe3p", "eightpuzzle")
_RELATIONS = ("hexapawn", "nim")
# Small enough that every proof ends by itself, long before so much work is done.
_PROVED = ("tictactoe", "nim", "hexapawn", "montyhall")
_NO_HURRY = 600.0
_PLAYOUTS, _TREE_PLAYOUTS, _DEPTH = 4096, 8192, 4


def signature() -> dict[str, Any]:
    """What was counted, by game, and under `signature` the number that stands for all of it."""
    counts: dict[str, dict[str, Any]] = {}
    for name in _CIRCUITS:
        counts[name] = _of_game(load(name, engine="circuit"))
    for name in _RELATIONS:
        counts[f"{name} (relations)"] = _of_game(load(name, engine="relations"))
    for name in _PROVED:
        proofs = prove(load(name, engine="circuit"), budget=Budget(_NO_HURRY))
        counts.setdefault(name, {})["verdicts"] = sorted(f"{proof.property}: {proof.verdict}" for proof in proofs)
    digest = hashlib.sha256(json.dumps(counts, sort_keys=True).encode()).hexdigest()
    return {"signature": digest[:16], "counts": counts}


def _of_game(game: Game) -> dict[str, Any]:
    playouts = game.playouts(_PLAYOUTS, seed=1)
    counted: dict[str, Any] = {
        "gates": game.report.get("gates"),
        "states": playouts.states,
        "goals": {str(role): None if mean is None else round(mean * len(playouts))
                  for role, mean in playouts.mean_goals.items()},
    }
    if any(len(game.initial.legal(role)) > 1 for role in game.roles):
        with TreeSearch(game, TreeSettings(seed=1)) as search:
            found = search.think(game.initial, playouts=_TREE_PLAYOUTS)
        counted["tree"] = [found.nodes, found.visits]
        counted["minimax"] = MinimaxSearch(game, seed=1).search(game.initial, depth=_DEPTH).states
    return counted
