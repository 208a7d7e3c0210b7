"""Matches: players meet over a game, and what happened is kept."""

from ludorum.match.play import Match, play

__all__ = ["Match", "play"]
