"""A worker as the server sees it: a process that is started, told things, heard and killed without ever waiting."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import select
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from typing import Any, Generic, TypeVar

Order = TypeVar("Order")
Report = TypeVar("Report")


def workshop(preload: str = "ludorum.serve.preload") -> ForkServerContext:
    """Where workers come from: they are forked from a process that has imported all they need.

    There is one such process in a program, and what it imports is what was named before the first worker.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([preload])
    return context


def leave_with_the_server(connection: Connection) -> None:
    """For a thread of a worker: end when the other side is gone, also in the middle of thinking."""
    watching = select.poll()
    watching.register(connection.fileno(), getattr(select, "POLLRDHUP", select.POLLHUP))
    watching.poll()
    os._exit(0)


class WorkerProcess(Generic[Order, Report]):
    """Calls `on_report` for every report, and `on_end` once when the process has ended for whatever reason."""

    def __init__(self, process: ForkServerProcess, connection: Connection, on_report: Callable[[Report], None],
                 on_end: Callable[[], None]) -> None:
        self._process = process
        self._connection = connection
        self._on_report = on_report
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(connection.fileno(), self._read)

    @classmethod
    async def start(cls, context: ForkServerContext, work: Callable[[Any, Connection], None], task: object,
                    on_report: Callable[[Report], None], on_end: Callable[[], None]) -> WorkerProcess[Order, Report]:
        """A process that does this work on a task, and hears and reports over a connection."""
        def launch() -> tuple[ForkServerProcess, Connection]:
            ours, theirs = context.Pipe()
            with theirs:
                process = context.Process(target=work, args=(task, theirs), daemon=True)
                process.start()
            return process, ours

        # In a thread: the process that others are forked from may be busy.
        process, connection = await asyncio.to_thread(launch)
        return cls(process, connection, on_report, on_end)

    @property
    def pid(self) -> int | None:
        return None if self._connection.closed else self._process.pid

    def send(self, order: Order) -> None:
        try:
            self._connection.send(order)
        except OSError:
            # It has died; reading will tell.
            return

    def kill(self) -> None:
        if not self._connection.closed:
            self._process.kill()
            self._close()

    def _read(self) -> None:
        try:
            while not self._connection.closed and self._connection.poll():
                self._on_report(self._connection.recv())
        except (EOFError, OSError):
            self.kill()

    def _close(self) -> None:
        self._loop.remove_reader(self._connection.fileno())
        self._connection.close()
        self._loop.add_reader(self._process.sentinel, self._bury)
        self._on_end()

    def _bury(self) -> None:
        """Its end has come through: leave nothing behind."""
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        self._process.close()


def warm_up(preload: str = "ludorum.serve.preload") -> None:
    """Have the process that workers are forked from import what they need, before the first match wants one."""
    process = workshop(preload).Process(target=_nothing, daemon=True)
    process.start()
    process.join()
    process.close()


def _nothing() -> None:
    """What a worker does that only shows that others can be started."""
