"""Ludorum: a general game player. Rules in, games out."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludorum import errors, gdl, library, players
from ludorum.draw import clicks, draw, scene
from ludorum.engines.playouts import Outcome, Playouts
from ludorum.game import Game, Move, Role, State
from ludorum.gdl import parse
from ludorum.loading import load
from ludorum.match import Match, play

if TYPE_CHECKING:
    from ludorum import (
        analysis,
        circuit,
        engines,
        envs,
        evaluate,
        learn,
        market,
        match,
        mechanism,
        protocol,
        report,
        search,
    )

    __version__: str

__all__ = [
    "Game", "Match", "Move", "Outcome", "Playouts", "Role", "State", "__version__",
    "analysis", "circuit", "clicks", "draw", "engines", "envs", "errors", "evaluate", "gdl", "learn", "library", "load",
    "market", "match", "mechanism", "parse", "play", "players", "protocol", "report", "scene", "search",
]

# Imported when somebody asks for them: most people do not, and some take a while.
_LAZY = ("analysis", "circuit", "engines", "envs", "evaluate", "learn", "market", "match", "mechanism", "protocol",
         "report", "search")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("ludorum")
    if name in _LAZY:
        return import_module(f"ludorum.{name}")
    raise AttributeError(f"module 'ludorum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# `gymnasium.make("ludorum:ludorum/Game-v0")` imports this to have the games registered.
if "gymnasium" in sys.modules:
    from ludorum.envs.registration import register

    register()
