"""From what people type to a game: a path, the text of rules, or a name of the library."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ludorum import languages, library, toss
from ludorum.game import Game
from ludorum.gdl import Source


def find(what: str | os.PathLike[str]) -> Source:
    """The rules meant: of a path if it exists, the text itself if it looks like rules, else of the library.

    Several paths with + between them are one text, such as a market and what its traders want. GDL starts with `(` or a
    comment, or has several lines; Toss starts with one of its words. Raises UnknownGame.
    """
    # os.path rather than pathlib: it takes a rulesheet for a path that does not exist, not for one that is
    # too long.
    if os.path.isfile(what):
        return Source(_read(what), os.fspath(what))
    text = os.fspath(what)
    paths = text.split("+")
    if len(paths) > 1 and all(map(os.path.isfile, paths)):
        return _together(paths)
    # The last is for rules in infix syntax, which may start with any word; no name of a game has several lines.
    if text.lstrip().startswith(("(", ";", "%")) or "\n" in text.strip() or toss.is_toss(text):
        return Source(text)
    entry = library.entry(text)
    return Source(entry.text, entry.path.name)


def _read(path: str | os.PathLike[str]) -> str:
    # The corpora hold stray bytes of old encodings, in comments only.
    return Path(path).read_text(encoding="utf-8-sig", errors="replace")


def _together(paths: list[str]) -> Source:
    """One text of several files, which knows where each begins."""
    text, parts = "", []
    for path in paths:
        parts.append((len(text), path))
        text += _read(path) + "\n"
    return Source(text, paths[0], parts=tuple(parts))


def load(what: str | os.PathLike[str], *, name: str | None = None, engine: str | None = None,
         seconds: float = 60, memory_mb: int = 4096) -> Game:
    """The game that is meant: a path, the text of rules in GDL or Toss, or a name of the library.

    The engine is chosen if none is named; grounding may take so many seconds and megabytes. Raises
    UnknownGame, or InvalidRules with all that is wrong with the rules.
    """
    return load_source(find(what), name=name, engine=engine, seconds=seconds, memory_mb=memory_mb,
                       origin=os.fspath(what))


def load_source(source: Source, *, name: str | None = None, engine: str | None = None,
                seconds: float = 60, memory_mb: int = 4096, origin: str | None = None) -> Game:
    """The game whose rules these are; raises InvalidRules."""
    start = time.perf_counter()
    rules = languages.parse(source)
    game = Game(rules, name=name or _name(source), engine=engine, seconds=seconds, memory_mb=memory_mb,
                origin=origin)
    # Reading the rules is a part of loading them.
    game.report["load_seconds"] = time.perf_counter() - start
    return game


def _name(source: Source) -> str:
    return "game" if source.name.startswith("<") else Path(source.name).stem
