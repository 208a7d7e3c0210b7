"""What the server says to its processes, and what they report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class MatchTask:
    """A match to work on: its rules, and what happened so far."""

    match: str
    game: str
    rules: str
    load_seconds: float
    memory_mb: int
    seed: int = 0
    play_clock: float | None = None
    moves: tuple[dict[str, str], ...] = ()
    #: How long an engine may think at most, and a search goes on by itself.
    think_seconds: float = 120.0
    search_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A game to look into."""

    game: str
    rules: str
    load_seconds: float
    memory_mb: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Rules to look for mistakes in."""

    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, answered by an `Answer` or `Failed` with the same number."""

    number: int
    verb: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ready:
    """The game is loaded, or the work of a process that is asked nothing is done: what came of it."""

    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """The work cannot be done, such as for rules that are none."""

    reason: str
    diagnostics: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    number: int
    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    number: int
    #: The class of the exception.
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that nobody asked for just now: how a search or a review goes on."""

    topic: str
    value: Any


Report = Ready | Refused | Answer | Failed | Told
