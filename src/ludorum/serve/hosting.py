"""What the matches of a server share: processes, processors, and the right to load a game."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from weakref import WeakValueDictionary

from ludorum.serve.margin import Margin
from ludorum.serve.options import Options
from ludorum.serve.origins import MoveCounts
from ludorum.serve.slots import Slots

# Of so many games is remembered that they were loaded.
_MAX_LOADED_KEYS = 1_000


class Loading:
    """Only as many games are loaded at once as there are cores, and none twice: the second finds it in the cache."""

    def __init__(self, cores: int) -> None:
        self._compiling = asyncio.Semaphore(cores)
        # What is in the cache takes milliseconds, but whole tens of them, of a processor.
        self._reading = asyncio.Semaphore(2 * cores)
        # A lock is there as long as somebody has it or waits for it.
        self._same: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._loaded: dict[str, None] = {}

    @asynccontextmanager
    async def turn(self, rules: str) -> AsyncIterator[None]:
        key = hashlib.sha256(rules.encode()).hexdigest()
        if key in self._loaded:
            async with self._reading:
                yield
            return
        lock = self._same.setdefault(key, asyncio.Lock())
        async with lock:
            async with self._reading if key in self._loaded else self._compiling:
                yield
            self._loaded[key] = None
            if len(self._loaded) > _MAX_LOADED_KEYS:
                del self._loaded[next(iter(self._loaded))]


@dataclass(frozen=True)
class Hosting:
    options: Options
    workshop: ForkServerContext
    slots: Slots
    loading: Loading
    margin: Margin
    #: How all moves came about.
    counts: MoveCounts
    #: How many matches are on.
    matches: Callable[[], int]

    @property
    def threads(self) -> int:
        """How many threads a match that starts now should think with."""
        return max(1, self.options.cores // max(1, self.matches()))
