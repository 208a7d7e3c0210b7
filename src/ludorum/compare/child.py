"""A cell of a comparison, in a process of its own: loads a game with one engine and searches along matches.

A task comes as JSON on standard input and its result goes to standard output.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ludorum.compare.driving import Driver, Run, driver
from ludorum.compare.matches import Match, spread
from ludorum.compare.memory import peak_mb, peak_of_children_mb
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl import Source
from ludorum.loading import load_source

# A search takes at least so long, so that it gets somewhere: where there are too many positions, some are left out.
_LEAST_SECONDS = 0.1


def main() -> None:
    task = json.load(sys.stdin)
    try:
        result = measure(**task)
    except LudorumError as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    json.dump(result, sys.stdout)


def measure(*, text: str, name: str, way: str, matches: list[Match], seconds: float, load_seconds: float,
            seed: int) -> dict[str, Any]:
    """What one way of reasoning makes of a game: `seconds` for each of the two searches."""
    engine = "circuit" if way in ("batch", "incremental") else way
    game = load_source(Source(text, name), engine=engine, seconds=load_seconds)
    found: dict[str, Any] = {"load_seconds": game.report["load_seconds"]}
    search = driver(game.reasoner, is_following=way == "incremental")
    beginnings = spread(matches, max(1, int(seconds / _LEAST_SECONDS)))
    positions = [_position(game, beginning) for beginning in beginnings]
    found["positions"] = len(positions)
    found["minimax"] = _summed([search.deepen(position, seconds / len(positions)) for position in positions])
    found["montecarlo"] = _summed([_played(search, position, seconds / len(positions), seed + number)
                                   for number, position in enumerate(positions)])
    found["peak_memory_mb"] = peak_mb() + peak_of_children_mb()
    return found


def _played(search: Driver, position: object, seconds: float, seed: int) -> Run:
    return search.play_on(position, seconds, seed)


def _position(game: Game, moves: Match) -> object:
    state = game.initial
    for joint in moves:
        state = state.after(joint)
    return state.position


def _summed(runs: list[Run]) -> dict[str, Any]:
    seconds, nodes = sum(run.seconds for run in runs), sum(run.nodes for run in runs)
    return {"nodes": nodes, "seconds": seconds, "nodes_per_second": nodes / seconds if seconds else 0.0,
            "playouts": sum(run.playouts for run in runs), "completed": [run.completed for run in runs]}


if __name__ == "__main__":
    main()
