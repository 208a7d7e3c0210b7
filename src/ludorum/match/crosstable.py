"""Who did how well against whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from ludorum.gdl.words import RANDOM
from ludorum.match.record import Record


@dataclass(slots=True)
class Encounters:
    """What a player made of another: matches where its goal was higher, the same or lower."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def score(self) -> float:
        """From 0 to 1; a match that was drawn counts one half."""
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)

    def __str__(self) -> str:
        return f"{self.won}–{self.drawn}–{self.lost}"


def encounters(records: Iterable[Record]) -> dict[tuple[str, str], Encounters]:
    """By pairs of players that met in a match; ends where one of them has no goal are left out."""
    found: dict[tuple[str, str], Encounters] = {}
    for record in records:
        seats = [(player, record.goals.get(role)) for role, player in record.players.items() if role != RANDOM]
        for (one, mine), (other, theirs) in permutations(seats, 2):
            if one == other or mine is None or theirs is None:
                continue
            pair = found.setdefault((one, other), Encounters())
            pair.won += mine > theirs
            pair.drawn += mine == theirs
            pair.lost += mine < theirs
    return found
