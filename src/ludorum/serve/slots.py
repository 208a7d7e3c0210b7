"""Who may think, and for how long, when many matches share a machine."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count

# While so many think on one core, each still notices its deadline in time.
_SLOTS_PER_CORE = 4
# Where they have to take turns, all turns together fill this part of the time, so that the last is not pressed.
_CROWDED_SHARE = 0.7


class Slots:
    """At most a few players a core think at once, and each for its share of the time it has.

    With n slots and more matches m, a player thinks for somewhat less than the part n/m of its time, so that all have
    their turn even if all are asked at the same moment. Those whose time ends first come first.
    """

    def __init__(self, cores: int, matches: Callable[[], int]) -> None:
        self.count = cores * _SLOTS_PER_CORE
        self._free = self.count
        self._matches = matches
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    @asynccontextmanager
    async def slot(self, until: float) -> AsyncIterator[float | None]:
        """A slot, and until when it may be used; None if none came free in time."""
        start = time.monotonic()
        if not await self._acquire(until):
            yield None
            return
        try:
            matches = self._matches()
            share = 1.0 if matches <= self.count else _CROWDED_SHARE * self.count / matches
            now = time.monotonic()
            yield min(until, now + (until - start) * share)
        finally:
            self._release()

    async def _acquire(self, until: float) -> bool:
        if self._free and not self._waiting:
            self._free -= 1
            return True
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (until, next(self._order), turn))
        try:
            async with asyncio.timeout(until - time.monotonic()):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                # It came at the last moment and cannot be used any more.
                self._release()
            if isinstance(error, TimeoutError):
                return False
            raise
        return True

    def _release(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
