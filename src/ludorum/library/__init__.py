"""The rulesheets that come with Ludorum, and what their headers say about them.

A rulesheet starts with comments that describe it:

    ;; title: Tic-tac-toe
    ;; description: Three in a row on a 3×3 board.
    ;; players: 2
    ;; tags: board, classic
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ludorum.errors import UnknownGame

_FOLDER = Path(__file__).parent / "games"
_HEADER = re.compile(r";+\s*(title|description|players|tags):\s*(.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the library."""

    name: str
    title: str
    description: str
    players: int
    tags: tuple[str, ...]
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def kind(self) -> str:
        """What playing it takes: hidden information, chance, puzzle, simultaneous or turn-taking."""
        if "hidden-information" in self.tags:
            return "hidden information"
        if "random" in self.tags:
            return "chance"
        if self.players == 1:
            return "puzzle"
        return "simultaneous" if "simultaneous" in self.tags else "turn-taking"


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.kif"))


def catalogue() -> list[Entry]:
    """All games, sorted by name."""
    return [entry(name) for name in names()]


def entry(name: str) -> Entry:
    """The game of this name, in any letter case; raises UnknownGame, with the names that come close."""
    known = names()
    if name.lower() not in known:
        close = get_close_matches(name.lower(), known, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else "`ludorum games` lists the library"
        raise UnknownGame(f"{name!r} is no file, no rules and no game of the library; {hint}")
    path = _FOLDER / f"{name.lower()}.kif"
    header = _read_header(path)
    return Entry(
        name=path.stem,
        title=header.get("title", path.stem),
        description=header.get("description", ""),
        players=int(header.get("players", 0)),
        tags=tuple(tag.strip() for tag in header.get("tags", "").split(",") if tag.strip()),
        path=path,
    )


def _read_header(path: Path) -> dict[str, str]:
    header = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith(";"):
                break
            if found := _HEADER.match(line):
                header[found[1]] = found[2].strip()
    return header
