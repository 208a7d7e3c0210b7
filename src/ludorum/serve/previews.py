"""A look at rules before a match, so that they are in the cache when it starts."""

from __future__ import annotations

import asyncio
import time

from ludorum.protocol.messages import Preview
from ludorum.serve.hosting import Hosting
from ludorum.serve.orders import Assignment, Order, Report
from ludorum.serve.process import WorkerProcess
from ludorum.serve.worker import work


class Previews:
    """Looks at one rulesheet at a time, for as long as its clock runs; others are let pass."""

    def __init__(self, hosting: Hosting) -> None:
        self._hosting = hosting
        self._looking: asyncio.Task[None] | None = None

    def look(self, preview: Preview) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look(preview))

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self, preview: Preview) -> None:
        options = self._hosting.options
        task = Assignment("preview", None, preview.rules, None, None, 1, False,
                          min(preview.clock, options.load_seconds), options.memory_mb)
        ended = asyncio.Event()
        until = time.monotonic() + preview.clock
        async with self._hosting.loading.turn(preview.rules):
            process: WorkerProcess[Order, Report] = await WorkerProcess.start(
                self._hosting.workshop, work, task, options.log.debug, ended.set)
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await ended.wait()
            except TimeoutError:
                options.log.info("the preview did not load in %g s", preview.clock)
            finally:
                process.kill()
