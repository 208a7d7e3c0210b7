"""Ludorum: a general game player. Rules in, games out."""

from ludorum import errors, gdl, library, players
from ludorum.draw import draw
from ludorum.game import Game, Move, Role, State
from ludorum.gdl import parse
from ludorum.loading import load
from ludorum.match import Match, play
from ludorum.reason.playouts import Outcome, Playouts

__all__ = [
    "Game", "Match", "Move", "Outcome", "Playouts", "Role", "State",
    "draw", "errors", "gdl", "library", "load", "parse", "play", "players",
]
