"""What can be chosen about the page."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

from ludorum.web.pages import ASSETS

#: Where the page listens unless told otherwise.
DEFAULT_PORT = 9148


def data_folder() -> Path:
    """Where matches are kept: the user's folder for data, as the XDG base directories name it."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ludorum"


@dataclass(frozen=True)
class WebOptions:
    #: Matches, one record a file, and what else must outlast the server.
    data: Path = field(default_factory=data_folder)
    #: Where `make assets` puts what others wrote; there may be nothing.
    assets: Path = ASSETS
    #: Archives and folders of records whose matches can be looked at.
    archives: tuple[Path, ...] = ()
    #: Whoever comes must know it; None where only this machine can come.
    token: str | None = None
    #: Whether HTTP players may be seated, which makes the server speak to other machines.
    allows_remote_players: bool = True
    #: So many matches have a process of their own at once; others are asked to come back later.
    most_live: int = 64
    #: So many records are kept.
    most_matches: int = 20_000
    #: The longest request, in bytes; and the longest rulesheet, in characters.
    most_body: int = 2 << 20
    most_rules: int = 1 << 20
    #: So many new matches, analyses and checks of rules one address may ask for in a minute, and moves and the like.
    new_per_minute: int = 120
    asks_per_minute: int = 3_000
    #: A process that nobody has looked at for so many seconds is ended; the record stays.
    idle: float = 60.0
    #: And one that is looked at, but where nothing happens.
    quiet: float = 1_800.0
    #: What loading a game may take; past it a slower engine plays.
    load_seconds: float = 20.0
    memory_mb: int = 2_048
    #: What an answer about a state may take before its process is ended.
    answer_seconds: float = 20.0
    #: The longest that an engine may think about a move, and a search goes on by itself.
    think_seconds: float = 120.0
    search_seconds: float = 300.0
    #: What looking into a game may take, and so many such looks may go on at once.
    analysis_seconds: float = 30.0
    most_analyses: int = 2
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("ludorum.web"))
