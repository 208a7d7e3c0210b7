"""A process that works for the page, as the server sees it: it is asked, and ended if it does not answer in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

from ludorum.errors import Refusal, TooSlow
from ludorum.serve.process import WorkerProcess
from ludorum.web.orders import Answer, Ask, Failed, Ready, Refused, Report, Told


class Helper:
    """Asks one process, whose end is told to everybody who waits for it."""

    def __init__(self, on_told: Callable[[Told], None] = lambda told: None,
                 on_end: Callable[[], None] = lambda: None) -> None:
        self.on_told = on_told
        self.on_end = on_end
        self._process: WorkerProcess[Ask, Report] | None = None
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._ready: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        #: Nobody need have waited for it.
        self._ready.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.has_ended = False

    async def start(self, context: ForkServerContext, work: Callable[[Any, Connection], None], task: object) -> None:
        self._process = await WorkerProcess.start(context, work, task, self._hear, self._end)
        if self.has_ended:
            self._process.kill()

    async def ready(self, seconds: float) -> dict[str, Any]:
        """What it reports when it is ready; raises Refusal, or TooSlow if it takes longer."""
        loaded: dict[str, Any] = await self._within(asyncio.shield(self._ready), seconds,
                                                    "the game could not be loaded")
        return loaded

    async def ask(self, verb: str, within: float, /, **arguments: Any) -> Any:
        """Its answer; raises Refusal for what it says cannot be, and TooSlow, which ends it."""
        if self.has_ended or self._process is None:
            raise Refusal(503, "ended", "the process of this match has ended; try again")
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._process.send(Ask(number, verb, arguments))
        try:
            return await self._within(answer, within, "the rules are too large to answer")
        finally:
            self._waiting.pop(number, None)

    def tell(self, verb: str, **arguments: Any) -> None:
        """Ask without waiting for an answer."""
        if self._process is not None and not self.has_ended:
            self._process.send(Ask(0, verb, arguments))

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        self.has_ended = True
        if self._process is not None:
            self._process.kill()

    async def _within(self, answer: asyncio.Future[Any], seconds: float, what: str) -> Any:
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            self.kill()
            raise TooSlow(f"{what} within {seconds:g} s") from None

    def _hear(self, report: Report) -> None:
        match report:
            case Ready(value):
                if not self._ready.done():
                    self._ready.set_result(value)
            case Refused(reason, diagnostics):
                if not self._ready.done():
                    self._ready.set_exception(Refusal(422, "rules", reason, diagnostics))
            case Answer(number, value):
                if (waiting := self._waiting.get(number)) is not None and not waiting.done():
                    waiting.set_result(value)
            case Failed(number, kind, reason):
                if (waiting := self._waiting.get(number)) is not None and not waiting.done():
                    waiting.set_exception(Refusal(409, kind, reason))
            case Told():
                self.on_told(report)

    def _end(self) -> None:
        self.has_ended = True
        gone = "its process ended: it ran out of memory, or was ended"
        for waiting in (self._ready, *self._waiting.values()):
            if not waiting.done():
                waiting.set_exception(Refusal(503, "ended", gone))
        self.on_end()

