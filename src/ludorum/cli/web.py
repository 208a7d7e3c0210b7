"""`ludorum web`: the page."""

from __future__ import annotations

import logging
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludorum.cli.arguments import Json
from ludorum.cli.output import console, print_json

Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Where to listen; 0 for any free port.")]
Host = Annotated[str, typer.Option(
    help="On which address of this machine. Others than this machine's need a token, which is in the address that is "
         "told.")]
Data = Annotated[Path | None, typer.Option(
    "--data", metavar="FOLDER", help="Where matches are kept; the user's folder for data if not given.")]
ArchiveOption = Annotated[list[Path] | None, typer.Option(
    "--archive", exists=True, help="An archive of a tournament or a folder of records to look at; may be repeated.")]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")]
RemotePlayers = Annotated[bool | None, typer.Option(
    "--remote-players/--no-remote-players",
    help="Whether HTTP players may be seated; if not said, only where nobody else can come.")]

_LOCAL = ("127.0.0.1", "localhost", "::1")


def web(port: Port = 9148, host: Host = "127.0.0.1", data: Data = None, archive: ArchiveOption = None,
        open: Open = False, remote_players: RemotePlayers = None, json: Json = False) -> None:
    """Serve the page, where anybody plays any game in a browser."""
    from ludorum.web import WebOptions, run
    from ludorum.web.options import data_folder

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    is_local = host in _LOCAL
    options = WebOptions(
        data=data or data_folder(), archives=tuple(archive or ()),
        token=None if is_local else secrets.token_urlsafe(16),
        allows_remote_players=is_local if remote_players is None else remote_players)

    def ready(address: str) -> None:
        if json:
            print_json({"address": address})
        else:
            console().print(f"The page is at {address}; Ctrl-C stops it", soft_wrap=True)
        # Whoever started it in a script waits for this line.
        sys.stdout.flush()
        if open:
            import webbrowser

            webbrowser.open(address)

    run(options, host, port, ready)
