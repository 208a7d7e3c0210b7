"""`ludorum perft`: how many ways a game can go."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ludorum.cli.arguments import Engine, GameArgument, Json, load_game
from ludorum.cli.output import console, print_json, working

Depth = Annotated[int, typer.Argument(min=1, metavar="DEPTH", help="The longest sequences to count.")]


def perft(game: GameArgument, depth: Depth, engine: Engine = None, json: Json = False) -> None:
    """Count the sequences of joint moves. From the initial state, for every length up to a depth."""
    loaded = load_game(game, engine)
    start = time.perf_counter()
    with working("counting"):
        nodes = loaded.perft(depth)
    seconds = time.perf_counter() - start
    if json:
        print_json({"game": loaded.name, "engine": loaded.engine, "nodes": nodes, "seconds": seconds})
        return
    for length, count in enumerate(nodes, start=1):
        console().print(f"{length:3}  {count:,}")
