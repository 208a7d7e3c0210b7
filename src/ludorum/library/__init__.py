"""The rulesheets that come with Ludorum, and what their headers say about them.

A rulesheet starts with comments that describe it:

    ;; title: Tic-tac-toe
    ;; description: Three in a row on a 3×3 board.
    ;; players: 2
    ;; tags: board, classic
    ;; aliases: noughts and crosses

A game is found by its name, its title and its aliases; letter case, spaces and signs do not matter.

A game that is written in Toss has comments that start with // instead, and a name that ends in `.toss`: `breakthrough`
is the game in GDL and `breakthrough.toss` the same game in Toss. Markets have comments that start with %.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ludorum import languages
from ludorum.errors import UnknownGame
from ludorum.gdl import Rulesheet, Source

_FOLDER = Path(__file__).parent / "games"
_HEADER = re.compile(r"(?:;+|//|%)\s*(title|description|players|tags|aliases):\s*(.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the library."""

    name: str
    title: str
    description: str
    players: int
    tags: tuple[str, ...]
    path: Path
    #: Other names that people use.
    aliases: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def rules(self) -> Rulesheet:
        """The rules, whatever language they are written in."""
        return languages.read(Source(self.text, self.path.name))

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
    return sorted([*(path.stem for path in _FOLDER.glob("*.kif")), *(path.stem for path in _FOLDER.glob("*.msl")),
                   *(path.name for path in _FOLDER.glob("*.toss"))])


def catalogue() -> list[Entry]:
    """All games, sorted by name."""
    return [_entry(name) for name in names()]


def entry(name: str) -> Entry:
    """The game of this name, title or alias; raises UnknownGame, with the names that come close."""
    known = names()
    wanted, named = _plain(name), {_plain(other): other for other in known}
    if wanted in named:
        return _entry(named[wanted])
    others: dict[str, str] = {}
    # A title that a game has in both languages means the one in GDL.
    for found in sorted(map(_entry, known), key=lambda entry: entry.name.endswith(".toss")):
        for other in (found.title, *found.aliases):
            others.setdefault(_plain(other), found.name)
    if wanted in others:
        return _entry(others[wanted])
    nearest = get_close_matches(wanted, sorted({*named, *others}), n=3)
    close = dict.fromkeys(named.get(other) or others[other] for other in nearest)
    hint = f"did you mean {' or '.join(close)}?" if close else "`ludorum games` lists the library"
    raise UnknownGame(f"{name!r} is no file, no rules and no game of the library; {hint}")


def _plain(name: str) -> str:
    """A name without what people write in different ways: letter case, spaces and signs."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _entry(name: str) -> Entry:
    path = _FOLDER / (name if name.endswith(".toss") else f"{name}.kif")
    if not path.exists():
        path = path.with_suffix(".msl")
    header = _read_header(path)
    return Entry(
        name=name,
        title=header.get("title", path.stem),
        description=header.get("description", ""),
        players=int(header.get("players", 0)),
        tags=_listed(header.get("tags", "")),
        path=path,
        aliases=_listed(header.get("aliases", "")),
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _read_header(path: Path) -> dict[str, str]:
    header = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith((";", "//", "%")):
                break
            if found := _HEADER.match(line):
                header[found[1]] = found[2].strip()
    return header
