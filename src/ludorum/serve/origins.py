"""How a move came about, and how often each way was taken: a move that nobody thought about is a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ludorum.players.search_info import ORIGINS, Origin


class MoveCounts:
    """How many moves came about in which way."""

    def __init__(self) -> None:
        self._counts: Counter[Origin] = Counter()

    def add(self, origin: Origin) -> None:
        self._counts[origin] += 1

    def __getitem__(self, origin: Origin) -> int:
        return self._counts[origin]

    def as_dict(self) -> dict[str, int]:
        return {origin: self._counts[origin] for origin in ORIGINS}

    def __str__(self) -> str:
        return _listed(f"{count} {origin}" for origin, count in self.as_dict().items() if count)


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "none"
