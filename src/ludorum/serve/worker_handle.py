"""A worker of a match together with what it has reported so far."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludorum.serve.orders import BestSoFar, Chose, Knows, Loaded, Order, Prepared, Refused, Rejected, Report
from ludorum.serve.process import WorkerProcess


class WorkerHandle:
    """What is known of a worker; `changed` is called whenever more is."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._process: WorkerProcess[Order, Report] | None = None
        self.loaded: Loaded | None = None
        self.refused: Refused | None = None
        self.knows: Knows | None = None
        self.rejected: dict[int, Rejected] = {}
        self.prepared: Prepared | None = None
        self.chose: Chose | None = None
        self.has_ended = False
        #: The number of the last news that it was sent.
        self.told = 0
        #: Whether it was given something to think about that it has not answered, and until when it may.
        self.is_thinking = False
        self.due = 0.0
        #: The number of the news that it was last asked to think about, where nobody waits for the answer.
        self.asked: int | None = None
        #: When it last reported anything.
        self.heard = time.monotonic()

    def attach(self, process: WorkerProcess[Order, Report]) -> None:
        self._process = process
        if self.has_ended:
            process.kill()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def send(self, order: Order) -> None:
        if self._process is not None:
            self._process.send(order)

    def kill(self) -> None:
        self.has_ended = True
        if self._process is not None:
            self._process.kill()

    def hear(self, report: Report) -> None:
        self.heard = time.monotonic()
        match report:
            case Loaded():
                self.loaded = report
            case Refused():
                self.refused = report
            case Knows():
                self.knows = report
            case Rejected():
                self.rejected[report.number] = report
            case Prepared():
                self.prepared = report
                self.is_thinking = False
            case BestSoFar():
                pass
            case Chose():
                self.chose = report
                self.is_thinking = False
        self._changed()

    def end(self) -> None:
        self.has_ended = True
        self._changed()

    def knows_of(self, number: int) -> Knows | None:
        return self.knows if self.knows is not None and self.knows.number == number else None
