"""What a shell completes: the names of games and players."""

from __future__ import annotations

from collections.abc import Iterable


def complete_game(incomplete: str) -> Iterable[str]:
    """The games of the library that begin so."""
    from ludorum import library

    return [name for name in library.names() if name.startswith(incomplete.lower())]


def complete_player(incomplete: str) -> Iterable[str]:
    """The players that begin so, after the name of a role too."""
    from ludorum.players import NAMED

    role, equals, begun = incomplete.rpartition("=")
    return [f"{role}{equals}{name}" for name in sorted(NAMED) if name.startswith(begun)]
