"""Matches on disk, one record a file, and the keys of their seats."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from ludorum.errors import InvalidRecord, Refusal
from ludorum.match import record as records
from ludorum.match.record import Lines, Record

_ID = re.compile(r"[a-z0-9]{10,64}")
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


class Store:
    """A folder of records. A seat has a key, which only those know who may sit there; keys are made, not kept."""

    def __init__(self, folder: Path, most_matches: int) -> None:
        self._matches = folder / "matches"
        self._most = most_matches
        self._matches.mkdir(parents=True, exist_ok=True)
        self._secret = _secret(folder / "secret")

    def new_id(self) -> str:
        """A name that nobody guesses: whoever has the address of a match may watch it."""
        return "".join(secrets.choice(_ALPHABET) for _ in range(12))

    def path(self, match: str) -> Path:
        if not _ID.fullmatch(match):
            raise Refusal(404, "no-match", "there is no such match")
        return self._matches / f"{match}.json"

    def read(self, match: str) -> Record:
        """The record of a match; raises Refusal if there is none."""
        path = self.path(match)
        if not path.exists():
            raise Refusal(404, "no-match", "there is no such match")
        try:
            return records.read(path)
        except InvalidRecord as error:
            raise Refusal(500, "broken-record", str(error)) from error

    def write(self, record: Record, known: Lines | None = None) -> None:
        records.write(record, self.path(record.id), known)

    def check_room(self) -> None:
        """Raises Refusal where no further match can be kept."""
        if sum(1 for _ in self._matches.glob("*.json")) >= self._most:
            raise Refusal(507, "full", f"{self._most:,} matches are kept already; remove some of {self._matches}")

    def recent(self, most: int) -> list[Record]:
        """The matches that were played last, without those that cannot be read."""
        paths = sorted(self._matches.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        found = []
        for path in paths[:most]:
            try:
                found.append(records.read(path))
            except InvalidRecord:
                continue
        return found

    def key(self, match: str, role: str) -> str:
        """What one must know to sit at a seat."""
        return hmac.new(self._secret, f"{match}/{role}".encode(), hashlib.sha256).hexdigest()[:24]

    def roles_of(self, record: Record, keys: list[str]) -> frozenset[str]:
        """The roles whose seats these keys are for."""
        return frozenset(role for role in record.roles
                         if any(hmac.compare_digest(self.key(record.id, role).encode(), key.encode()) for key in keys))


def _secret(path: Path) -> bytes:
    """A secret that outlasts the server, so that seats stay whose they are."""
    if not path.exists():
        temporary = path.with_name(f".secret.{os.getpid()}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
        try:
            # A link fails where another was first, a replacement would not.
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    return path.read_bytes()
