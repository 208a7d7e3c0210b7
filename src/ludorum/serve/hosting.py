"""What the matches of a server share: processes, processors, and the right to load a game."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext

from ludorum.serve.margin import Margin
from ludorum.serve.options import Options
from ludorum.serve.slots import Slots


class Loading:
    """Only as many games are loaded at once as there are cores, and none twice: the second finds it in the cache."""

    def __init__(self, cores: int) -> None:
        self._cores = asyncio.Semaphore(cores)
        self._same: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def turn(self, rules: str) -> AsyncIterator[None]:
        key = hashlib.sha256(rules.encode()).hexdigest()
        lock, users = self._same.get(key, (asyncio.Lock(), 0))
        self._same[key] = lock, users + 1
        try:
            async with lock, self._cores:
                yield
        finally:
            lock, users = self._same.pop(key)
            if users > 1:
                self._same[key] = lock, users - 1


@dataclass(frozen=True)
class Hosting:
    options: Options
    workshop: ForkServerContext
    slots: Slots
    loading: Loading
    margin: Margin
    #: How many matches are on.
    matches: Callable[[], int]

    @property
    def threads(self) -> int:
        """How many threads a match that starts now should think with."""
        return max(1, self.options.cores // max(1, self.matches()))
