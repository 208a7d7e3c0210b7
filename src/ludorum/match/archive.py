"""An archive of many matches: an SQLite file that anybody can query, or a PostgreSQL server.

    SELECT player, count(*), avg(goal) FROM seats JOIN matches ON id = match
    WHERE game = 'breakthrough' AND outcome = 'finished' GROUP BY player;

A match is there once, however often it is added. Several processes may read and write at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from ludorum.errors import InvalidRecord
from ludorum.match import record as records
from ludorum.match.database import open_database
from ludorum.match.record import Record

_TABLES = ("""
CREATE TABLE IF NOT EXISTS rules (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL              -- in KIF
) WITHOUT ROWID""", """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY,
    tournament TEXT,
    game TEXT NOT NULL,
    rules TEXT NOT NULL REFERENCES rules (hash),
    seed BIGINT NOT NULL,
    start_clock DOUBLE PRECISION,   -- seconds, NULL if there was no hurry
    play_clock DOUBLE PRECISION,
    started TEXT NOT NULL,          -- UTC, ISO 8601
    ended TEXT,
    outcome TEXT NOT NULL,          -- playing, finished, stuck, cut
    steps INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    cpu_seconds DOUBLE PRECISION,
    record TEXT NOT NULL            -- the whole record as JSON, without the rules
)""", "CREATE INDEX IF NOT EXISTS matches_of_tournaments ON matches (tournament)", """
CREATE TABLE IF NOT EXISTS seats (
    match TEXT NOT NULL REFERENCES matches (id),
    place INTEGER NOT NULL,         -- in the order of the roles, from 0
    role TEXT NOT NULL,
    player TEXT NOT NULL,
    goal INTEGER,                   -- NULL where the rules give no value or several
    errors INTEGER NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,  -- what its moves took
    PRIMARY KEY (match, place)
) WITHOUT ROWID""")

_COLUMNS = ("id", "tournament", "game", "rules", "seed", "start_clock", "play_clock", "started", "ended", "outcome",
            "steps", "errors", "seconds", "cpu_seconds", "record")
_SEAT_COLUMNS = ("match", "place", "role", "player", "goal", "errors", "seconds")


def _upsert(table: str, columns: tuple[str, ...], key: str) -> str:
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    return (f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
            f"ON CONFLICT ({key}) DO UPDATE SET {changes}")


# A match that is over stays as it is, and one that goes on never gets shorter.
_ADD_MATCH = (_upsert("matches", _COLUMNS, "id") + " WHERE matches.outcome = 'playing' "
              "AND (excluded.outcome != 'playing' OR matches.steps < excluded.steps)")
_ADD_SEAT = _upsert("seats", _SEAT_COLUMNS, "match, place")


class Archive:
    """Matches in an SQLite file, on a PostgreSQL server by its address (`postgresql://…`), or in memory if neither is
    given. Close it, or use it in a `with` block."""

    def __init__(self, place: str | Path | None = None) -> None:
        self._database = open_database(place, _TABLES)

    def add(self, record: Record) -> bool:
        """Add a match, or bring it up to date if it is there with fewer steps; whether anything changed.

        Raises InvalidRecord if the archive cannot be written to.
        """
        try:
            return self._add(record)
        except InvalidRecord as error:
            raise InvalidRecord(f"{record.id} cannot be put into the archive: {error}") from error

    def _add(self, record: Record) -> bool:
        slim = msgspec.structs.replace(record, rules=[])
        wrong = [error.role for error in record.errors]
        with self._database.transaction():
            self._database.change("INSERT INTO rules (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING",
                                  (record.rules_hash, record.text))
            if not self._database.change(_ADD_MATCH, (
                    record.id, record.tournament, record.game, record.rules_hash, record.seed, record.start_clock,
                    record.play_clock, record.started, record.ended, record.outcome, len(record.moves), len(wrong),
                    record.seconds, record.cpu_seconds, msgspec.json.encode(slim).decode())):
                return False
            for place, role in enumerate(record.roles):
                self._database.change(_ADD_SEAT, (
                    record.id, place, role, record.players[role], record.goals.get(role), wrong.count(role),
                    sum(times.get(role) or 0 for times in record.times)))
        return True

    def add_folder(self, place: str | Path) -> int:
        """Add the record in a file, or all in a folder; how many were new. Raises InvalidRecord."""
        return sum(self.add(records.read(path)) for path in records.records(place))

    def get(self, match: str) -> Record | None:
        """The record of a match, if it is there."""
        found = self._database.execute("SELECT record, text FROM matches JOIN rules ON hash = rules WHERE id = ?",
                                       (match,))
        return next((_restored(*row) for row in found), None)

    def matches(self, tournament: str | None = None) -> Iterator[Record]:
        """The records of a tournament, or all, in the order in which they started."""
        which, values = ("", ()) if tournament is None else ("WHERE tournament = ? ", (tournament,))
        rows = self._database.execute(
            f"SELECT record, text FROM matches JOIN rules ON hash = rules {which}ORDER BY started, id", values)
        for row in rows:
            yield _restored(*row)

    def __contains__(self, match: object) -> bool:
        """Whether a match is there and over."""
        return any(True for _ in self._database.execute(
            "SELECT 1 FROM matches WHERE id = ? AND outcome != 'playing'", (match,)))

    def __len__(self) -> int:
        (count,), = self._database.execute("SELECT count(*) FROM matches")
        return int(count)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def _restored(record: str, rules: str) -> Record:
    restored = records.decode(record, "the archive")
    restored.rules = rules.splitlines()
    return restored
