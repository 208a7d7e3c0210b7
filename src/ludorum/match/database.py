"""Where an archive is kept: an SQLite file, or a PostgreSQL server by its address.

Both take the same statements, with `?` for what is filled in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ludorum.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg


class Database(Protocol):
    """What an archive asks of its database. Whatever goes wrong is told as InvalidRecord."""

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
        """The rows of an answer."""

    def change(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows were changed."""

    def transaction(self) -> AbstractContextManager[None]:
        """All of what is done inside, or nothing."""

    def close(self) -> None:
        """Lets go of it."""


def is_server(place: object) -> bool:
    """Whether this is the address of a database server, and no file."""
    return isinstance(place, str) and place.startswith(("postgresql://", "postgres://"))


def open_database(place: str | Path | None, tables: Sequence[str]) -> Database:
    """The database at an address, in a file, or in memory if there is neither, with these tables.

    Raises InvalidRecord.
    """
    return PostgreSQL(str(place), tables) if is_server(place) else SQLite(place, tables)


class SQLite:
    """A file that several processes may read and write at the same time."""

    def __init__(self, path: str | Path | None, tables: Sequence[str]) -> None:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        try:
            # Autocommit, so that transactions are where the code says.
            self._connection = sqlite3.connect(":memory:" if path is None else path, timeout=30, isolation_level=None)
            # Readers and a writer do not wait for each other, and a kill leaves the file whole.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            for table in tables:
                self._connection.execute(table)
        except sqlite3.Error as error:
            raise InvalidRecord(f"{path} cannot be used as an archive: {error}") from error

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
        with _told_in_words(sqlite3.Error):
            return self._connection.execute(statement, values)

    def change(self, statement: str, values: Sequence[Any]) -> int:
        with _told_in_words(sqlite3.Error):
            return self._connection.execute(statement, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with _told_in_words(sqlite3.Error), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def close(self) -> None:
        self._connection.close()


class PostgreSQL:
    """A database of a server, such as `postgresql://user@host/name`."""

    def __init__(self, address: str, tables: Sequence[str]) -> None:
        try:
            import psycopg
        except ModuleNotFoundError as missing:
            raise InvalidRecord("an archive on a server needs psycopg: pip install 'ludorum[postgresql]'") from missing
        self._error = psycopg.Error
        try:
            self._connection: psycopg.Connection[tuple[Any, ...]] = psycopg.connect(address, autocommit=True)
            with self._connection.transaction():
                # Two that make the same table at the same moment would be in each other's way.
                self._connection.execute("SELECT pg_advisory_xact_lock(hashtext('ludorum'))")
                for table in tables:
                    self._connection.execute(table.replace(" WITHOUT ROWID", "").encode())
        except psycopg.Error as error:
            raise InvalidRecord(f"{_without_password(address)} cannot be used as an archive: {_line(error)}") from error

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
        with _told_in_words(self._error):
            return self._connection.execute(statement.replace("?", "%s").encode(), values)

    def change(self, statement: str, values: Sequence[Any]) -> int:
        with _told_in_words(self._error):
            return self._connection.execute(statement.replace("?", "%s").encode(), values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with _told_in_words(self._error), self._connection.transaction():
            yield

    def close(self) -> None:
        self._connection.close()


@contextmanager
def _told_in_words(errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        raise InvalidRecord(_line(error)) from error


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _without_password(address: str) -> str:
    """The address as it may be shown: from the host on."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
