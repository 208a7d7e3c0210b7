"""What several verbs take."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludorum.cli.completion import complete_game
from ludorum.cli.output import working
from ludorum.engines.select_engine import ENGINES
from ludorum.game import Game
from ludorum.gdl import Source
from ludorum.loading import find, load_source

WHAT_IS_A_GAME = "A rulesheet's path, the text of rules, a name of the library, or - for standard input."


def _known_engine(name: str | None) -> str | None:
    if name is not None and name not in ENGINES:
        raise typer.BadParameter(f"there is no engine {name!r}, only {', '.join(ENGINES)}")
    return name


def can_be_written(path: Path | None) -> Path | None:
    """The path of a file to come, which is better known to be impossible before the work than after it."""
    if path is not None:
        if path.is_dir():
            raise typer.BadParameter(f"{path} is a folder")
        if not path.parent.is_dir():
            raise typer.BadParameter(f"there is no folder {path.parent}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise typer.BadParameter(f"{path} cannot be written")
    return path


GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=WHAT_IS_A_GAME, autocompletion=complete_game)]
Engine = Annotated[str | None, typer.Option(
    callback=_known_engine, metavar="|".join(ENGINES),
    help="The fastest that can load the game, if none is named.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same result.")]


# What loading may take by itself: as long as it may anywhere, but where little time was asked for not much more than
# that. Less than the least would leave ordinary games without a circuit.
_MOST_LOADING, _LEAST_LOADING, _LOADING = 60.0, 10.0, 2.0

Loading = Annotated[float | None, typer.Option(
    metavar="SECONDS", min=0.1, show_default=False,
    help="How many seconds grounding may take, and planning where that fails; "
         f"{_LOADING:g} times --seconds if not told, but {_LEAST_LOADING:g} at least and {_MOST_LOADING:g} at most.")]


def loading_seconds(told: float | None, seconds: float) -> float:
    """How long loading may take where so many seconds were asked for."""
    return told if told is not None else min(_MOST_LOADING, max(_LEAST_LOADING, _LOADING * seconds))


def find_rules(what: str) -> Source:
    """The rules meant on the command line."""
    if what != "-":
        return find(what)
    # As files are read, whatever the terminal thinks of letters.
    return Source(sys.stdin.buffer.read().decode("utf-8-sig", errors="replace"), "<stdin>")


def load_game(what: str, engine: str | None = None, *, seconds: float = 60) -> Game:
    """The game meant on the command line, with so many seconds for grounding it."""
    source = find_rules(what)
    with working(f"loading {source.name}"):
        return load_source(source, engine=engine, seconds=seconds)
