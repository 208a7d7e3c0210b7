"""`ludorum serve`: the HTTP player."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from ludorum.cli.arguments import Json
from ludorum.cli.output import console, print_json

Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Where to listen; 0 for any free port.")]
Host = Annotated[str, typer.Option(help="On which address of this machine; 0.0.0.0 for all of them.")]
PlayerName = Annotated[str | None, typer.Option(
    "--player", metavar="PLAYER", help="A name with options, such as mcts:threads=2; the strongest if none is given.")]
Name = Annotated[str, typer.Option(help="What the player says it is called.")]
Matches = Annotated[int, typer.Option(metavar="N", min=1, help="So many matches may be on at once.")]
Margin = Annotated[float, typer.Option(
    metavar="SECONDS", min=0, help="Seconds of every clock that are left unused, besides the measured delays.")]
Idle = Annotated[float, typer.Option(
    metavar="SECONDS", min=1, help="A match that hears nothing for so many seconds is forgotten.")]
AnyReferee = Annotated[bool, typer.Option(
    "--any-referee", help="Take moves from any address, not only from the one that started the match.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Log warnings only.")]


def serve(port: Port = 9147, host: Host = "127.0.0.1", player: PlayerName = None, name: Name = "Ludorum",
          matches: Matches = 64, margin: Margin = 0.1, idle: Idle = 900,
          any_referee: AnyReferee = False, quiet: Quiet = False, json: Json = False) -> None:
    """Listen for referees, and play the matches that they start."""
    from ludorum.serve import Options, run
    from ludorum.serve.options import best_player

    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, format="%(asctime)s %(message)s")
    # Its comings and goings are told below, in our words.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    chosen = player or best_player()
    options = Options(player=chosen, name=name, matches=matches, margin=margin, idle=idle, any_referee=any_referee)

    def ready(address: str) -> None:
        if json:
            print_json({"address": address, "player": chosen})
        else:
            console().print(f"{name} ({chosen}) listens at {address}; Ctrl-C stops it")
        # Whoever started it in a script waits for this line.
        sys.stdout.flush()

    run(options, host, port, ready)
