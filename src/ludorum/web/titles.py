"""What people call a game: the title that its rules give it."""

from __future__ import annotations

from functools import cache

from ludorum import library


def title(game: str) -> str:
    """The title of a game of the library; any other goes by its name."""
    return _titles().get(game, game)


@cache
def _titles() -> dict[str, str]:
    return {entry.name: entry.title for entry in library.catalogue()}
