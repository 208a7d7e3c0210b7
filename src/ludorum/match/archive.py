"""An archive of many matches: an SQLite file that anybody can query.

    SELECT player, count(*), avg(goal) FROM seats JOIN matches ON id = match
    WHERE game = 'breakthrough' AND outcome = 'finished' GROUP BY player;

A match is there once, however often it is added. Several processes may read and write at the same time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from ludorum.errors import InvalidRecord
from ludorum.match import record as records
from ludorum.match.record import Record

_TABLES = """
CREATE TABLE IF NOT EXISTS rules (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL              -- in KIF
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY,
    tournament TEXT,
    game TEXT NOT NULL,
    rules TEXT NOT NULL REFERENCES rules (hash),
    seed INTEGER NOT NULL,
    start_clock REAL,               -- seconds, NULL if there was no hurry
    play_clock REAL,
    started TEXT NOT NULL,          -- UTC, ISO 8601
    ended TEXT,
    outcome TEXT NOT NULL,          -- playing, finished, stuck, cut
    steps INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    seconds REAL NOT NULL,
    cpu_seconds REAL,
    record TEXT NOT NULL            -- the whole record as JSON, without the rules
);
CREATE INDEX IF NOT EXISTS matches_of_tournaments ON matches (tournament);
CREATE TABLE IF NOT EXISTS seats (
    match TEXT NOT NULL REFERENCES matches (id),
    place INTEGER NOT NULL,         -- in the order of the roles, from 0
    role TEXT NOT NULL,
    player TEXT NOT NULL,
    goal INTEGER,                   -- NULL where the rules give no value or several
    errors INTEGER NOT NULL,
    seconds REAL NOT NULL,          -- what its moves took
    PRIMARY KEY (match, place)
) WITHOUT ROWID;
"""


class Archive:
    """Matches in an SQLite file, or in memory if no path is given. Close it, or use it in a `with` block."""

    def __init__(self, path: str | Path | None = None) -> None:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        try:
            # Autocommit, so that transactions are where the code says.
            self._database = sqlite3.connect(":memory:" if path is None else path, timeout=30, isolation_level=None)
            # Readers and a writer do not wait for each other, and a kill leaves the file whole.
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_TABLES)
        except sqlite3.Error as error:
            raise InvalidRecord(f"{path} cannot be used as an archive: {error}") from error

    def add(self, record: Record) -> bool:
        """Add a match, or bring it up to date if it is there with fewer steps; whether anything changed.

        Raises InvalidRecord if the file cannot be written to.
        """
        try:
            return self._add(record)
        except sqlite3.Error as error:
            raise InvalidRecord(f"{record.id} cannot be put into the archive: {error}") from error

    def _add(self, record: Record) -> bool:
        slim = msgspec.structs.replace(record, rules=[])
        wrong = [error.role for error in record.errors]
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            found = self._database.execute("SELECT steps, outcome FROM matches WHERE id = ?", (record.id,)).fetchone()
            if found is not None and (found[1] != "playing" or (record.outcome == "playing"
                                                                 and found[0] >= len(record.moves))):
                return False
            self._database.execute("INSERT OR IGNORE INTO rules VALUES (?, ?)", (record.rules_hash, record.text))
            self._database.execute(
                f"INSERT OR REPLACE INTO matches VALUES ({', '.join('?' * 15)})",
                (record.id, record.tournament, record.game, record.rules_hash, record.seed, record.start_clock,
                 record.play_clock, record.started, record.ended, record.outcome, len(record.moves), len(wrong),
                 record.seconds, record.cpu_seconds, msgspec.json.encode(slim).decode()))
            self._database.executemany("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)", [
                (record.id, place, role, record.players[role], record.goals.get(role), wrong.count(role),
                 sum(times.get(role) or 0 for times in record.times))
                for place, role in enumerate(record.roles)])
        return True

    def add_folder(self, place: str | Path) -> int:
        """Add the record in a file, or all in a folder; how many were new. Raises InvalidRecord."""
        return sum(self.add(records.read(path)) for path in records.records(place))

    def get(self, match: str) -> Record | None:
        """The record of a match, if it is there."""
        found = self._database.execute(
            "SELECT record, text FROM matches JOIN rules ON hash = rules WHERE id = ?", (match,)).fetchone()
        return None if found is None else _restored(*found)

    def matches(self, tournament: str | None = None) -> Iterator[Record]:
        """The records of a tournament, or all, in the order in which they started."""
        rows = self._database.execute(
            "SELECT record, text FROM matches JOIN rules ON hash = rules WHERE ?1 IS NULL OR tournament = ?1 "
            "ORDER BY started, id", (tournament,))
        for row in rows:
            yield _restored(*row)

    def __contains__(self, match: object) -> bool:
        """Whether a match is there and over."""
        found = self._database.execute("SELECT 1 FROM matches WHERE id = ? AND outcome != 'playing'", (match,))
        return found.fetchone() is not None

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM matches").fetchone()[0])

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
