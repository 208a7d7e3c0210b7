"""Matches: players meet over a game, and what happened is kept."""

from ludorum.match.archive import Archive
from ludorum.match.duel import Comparison, compare
from ludorum.match.play import Match, play
from ludorum.match.record import Record
from ludorum.match.referee import conduct, resume
from ludorum.match.remote import RemoteSeat
from ludorum.match.seat import LocalSeat, Seat
from ludorum.players import Clocks
from ludorum.sequential import Hypotheses

__all__ = [
    "Archive", "Clocks", "Comparison", "Hypotheses", "LocalSeat", "Match", "Record", "RemoteSeat", "Seat",
    "compare", "conduct", "play", "resume",
]
