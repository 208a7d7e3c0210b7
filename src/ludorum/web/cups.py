"""Tournaments to look at: from archives and folders of records, also while they are being played."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from ludorum.errors import InvalidRecord, Refusal
from ludorum.gdl.words import RANDOM
from ludorum.match import record as records
from ludorum.match.archive import Archive
from ludorum.match.crosstable import encounters
from ludorum.match.rating import rate, shares
from ludorum.match.record import Record

# So many matches are listed.
_MOST_LISTED = 2_000
#: Matches that belong to no tournament.
NO_TOURNAMENT = "other matches"


class Cups:
    """What archives and folders hold. They are read anew for every question, for they may be growing."""

    def __init__(self, places: tuple[Path, ...]) -> None:
        self._places = places

    def all(self) -> list[dict[str, Any]]:
        """Every tournament with how many matches it has."""
        found = []
        for number, place in enumerate(self._places):
            counts: dict[str, list[int]] = {}
            for record in self._records(number):
                count = counts.setdefault(record.tournament or NO_TOURNAMENT, [0, 0])
                count[0] += 1
                count[1] += record.is_over
            found += [{"place": number, "file": place.name, "name": name, "matches": matches, "over": over}
                      for name, (matches, over) in counts.items()]
        return found

    def one(self, place: int, name: str) -> dict[str, Any]:
        """A tournament: ratings, who did how well against whom, and its matches."""
        matches = [record for record in self._records(place) if (record.tournament or NO_TOURNAMENT) == name]
        if not matches:
            raise Refusal(404, "no-tournament", "there is no such tournament")
        over = [record for record in matches if record.is_over]
        results = [result for record in over for result in shares(
            [(player, float(record.goals.get(role) or 0)) for role, player in record.players.items()
             if role != RANDOM])]
        players = list(dict.fromkeys(player for record in matches for role, player in record.players.items()
                                     if role != RANDOM))
        met = encounters(over)
        return {
            "name": name, "place": place, "players": players,
            "ratings": [{"player": rating.player, "elo": round(rating.elo), "low": round(rating.low),
                         "high": round(rating.high)} for rating in (rate(results, players) if results else [])],
            "met": [{"one": one, "other": other, "text": str(told), "score": round(told.score, 3)}
                    for (one, other), told in met.items()],
            "matches": [{"id": record.id, "game": record.game, "players": record.players, "goals": record.goals,
                         "outcome": record.outcome, "steps": len(record.moves), "started": record.started}
                        for record in matches[-_MOST_LISTED:]],
        }

    def match(self, place: int, match: str) -> Record:
        """The record of a match; raises Refusal."""
        for record in self._records(place):
            if record.id == match:
                return record
        raise Refusal(404, "no-match", "there is no such match")

    def _records(self, place: int) -> list[Record]:
        if not 0 <= place < len(self._places):
            raise Refusal(404, "no-archive", "there is no such archive")
        path = self._places[place]
        try:
            if path.is_dir():
                return [records.read(each) for each in records.records(path)]
            with Archive(path) as archive:
                return list(archive.matches())
        except (InvalidRecord, sqlite3.Error, OSError) as error:
            raise Refusal(500, "broken-archive", f"{path.name} cannot be read: {error}") from error
