"""Timed calls: a seat is asked in a thread of its own, and its answer is waited for no longer than the clock."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ludorum import clock
from ludorum.clock import Deadline
from ludorum.errors import Fault

T = TypeVar("T")

# An idle thread needs a moment to end; one that hangs is not worth more.
_JOIN_S = 0.05


@dataclass(frozen=True, slots=True)
class TimedAnswer(Generic[T]):
    """What a seat answered, its fault, or both if it was late; and how long it took."""

    value: T | None
    fault: Fault | None
    seconds: float


class TimedCall(Generic[T]):
    """A question on its way: it can be waited for, once, until its time is up."""

    def __init__(self, future: Future[T], asked_at: float, allowed: float | None) -> None:
        self._future = future
        self._asked_at = asked_at
        self._allowed = allowed
        self._answered_at: float | None = None
        future.add_done_callback(self._note)

    def _note(self, future: Future[T]) -> None:
        self._answered_at = clock.now()

    def wait(self) -> TimedAnswer[T]:
        """The answer; a Fault of kind `late` if it is not there in time."""
        late = Deadline(None if self._allowed is None else self._asked_at + self._allowed)
        is_there = any(wait([self._future], seconds).done for seconds in late.waits())
        try:
            value = self._future.result(0 if not is_there else None)
        except (FutureTimeoutError, TimeoutError):
            # If it has not even begun, because the seat is still busy with something older, it never will.
            self._future.cancel()
            return TimedAnswer(None, Fault("late", "no answer in time"), self._seconds())
        except Fault as fault:
            return TimedAnswer(None, fault, self._seconds())
        # It may have come while others were waited for; then only its own time counts.
        if self._allowed is not None and self._seconds() > self._allowed:
            return TimedAnswer(value, Fault("late", f"answered after {self._seconds():.2f} s"), self._seconds())
        return TimedAnswer(value, None, self._seconds())

    def _seconds(self) -> float:
        return (self._answered_at or clock.now()) - self._asked_at


class Caller:
    """A thread for one seat, which asks it one thing after the other.

    A seat that is late is abandoned, not stopped: Python cannot stop it. While it goes on with what nobody wants any
    more, further questions wait in line, each no longer than its own time, so that a seat that comes back is in the
    match again.
    """

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        # A daemon, so that a seat that hangs for ever does not keep the program.
        self._thread = threading.Thread(target=self._work, name=f"seat of {name}", daemon=True)
        self._thread.start()

    def ask(self, question: Callable[[Deadline], T], seconds: float | None, allowed: float | None) -> TimedCall[T]:
        """Ask for an answer within so many seconds; it counts if it comes within those that are allowed."""
        future: Future[T] = Future()
        deadline = Deadline.within(seconds)
        asked = TimedCall(future, clock.now(), allowed)
        self._jobs.put((future, lambda: question(deadline)))
        return asked

    def dismiss(self) -> None:
        """Let the thread end: at once if its seat is idle, else after what it is doing."""
        self._jobs.put(None)
        self._thread.join(_JOIN_S)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, question = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                answer = question()
            except Fault as fault:
                future.set_exception(fault)
            except BaseException as error:
                # A mistake of a seat, whatever it is, must not end the thread: others would wait for nothing.
                future.set_exception(Fault("failed", f"{type(error).__name__}: {error}"))
            else:
                future.set_result(answer)
