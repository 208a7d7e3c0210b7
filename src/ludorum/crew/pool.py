"""A crew of processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from typing import Any

from ludorum.crew.crew import Answer, Argument
from ludorum.crew.station import CallingStation, Station, Work


class PoolCrew:
    """Processes that start with the first call. One that dies takes the calls under way with it; the next are new."""

    def __init__(self, workers: int, settle_in: Callable[[], None] | None = None) -> None:
        self.workers = workers
        self._settle_in = settle_in
        self._pool: ProcessPoolExecutor | None = None
        self._stop: Event | None = None

    def submit(self, function: Callable[[Argument], Answer], argument: Argument) -> Future[Answer]:
        if self._pool is not None:
            try:
                return self._pool.submit(function, argument)
            except BrokenProcessPool:
                self._end()
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(self.workers, context, _settle_in, (self._stop, self._settle_in))
        return self._pool.submit(function, argument)

    def station(self, make: Callable[[Any], Work], plan: Hashable) -> Station[Any, Any, Any]:
        return CallingStation(self.submit, make, plan)

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)

    def close(self, *, at_once: bool = False) -> None:
        if at_once and self._stop is not None:
            self._stop.set()
        self._end()

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _settle_in(stop: Event, more: Callable[[], None] | None) -> None:
    """A worker leaves when it is told to, or when its parent was killed."""
    if more is not None:
        more()
    # Ctrl-C reaches all processes of a terminal; the parent decides what comes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def leave_after(moment: Callable[[], object]) -> None:
        def wait_and_leave() -> None:
            moment()
            os._exit(1)

        threading.Thread(target=wait_and_leave, daemon=True).start()

    leave_after(stop.wait)
    if parent is not None:
        leave_after(parent.join)
