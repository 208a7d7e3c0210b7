"""What an experiment is told: where results are kept, and how much of it is wanted."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludorum.match.archive import Archive

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Plan:
    """Results are kept in `folder` as they come; what is there is not done again."""

    folder: Path = ROOT / "build" / "experiments"
    #: Only these games, by the names of the tables; none means all.
    games: tuple[str, ...] = ()
    #: How many matches, or searches, there are of a kind; none means as many as the experiment wants.
    matches: int | None = None
    #: How many playouts a move; none means as many as the experiment wants.
    playouts: int | None = None
    #: How long a move may take where that is what is the same for both; none means as long as the experiment wants.
    seconds: float | None = None
    #: How long before the first move where players prepare; none means as long as the experiment wants.
    start_clock: float | None = None
    #: Processes that play; 0 plays here, one match after the other.
    workers: int = 0
    #: Who plays; see `select_crew`.
    crew: str = "pool"
    tell: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)

    def archive(self, experiment: str) -> Archive:
        """The matches of an experiment."""
        return Archive(self.folder / f"{experiment}.db")

    @contextmanager
    def notes(self, experiment: str) -> Iterator[Callable[[dict[str, Any]], None]]:
        """Writes what is not a match, a line each, as it comes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._notes(experiment).open("a", encoding="utf-8") as file:
            def note(what: dict[str, Any]) -> None:
                file.write(json.dumps(what) + "\n")
                file.flush()

            yield note

    def noted(self, experiment: str) -> Iterator[dict[str, Any]]:
        """What was written; a line that a kill cut short is left out, so that it is done again."""
        if not self._notes(experiment).exists():
            return
        for line in self._notes(experiment).read_text(encoding="utf-8").splitlines():
            with suppress(json.JSONDecodeError):
                yield json.loads(line)

    def _notes(self, experiment: str) -> Path:
        return self.folder / f"{experiment}.jsonl"

    def wants(self, game: str) -> bool:
        return not self.games or game in self.games
