"""Work in a thread that can be left behind: who waits for it is not late because it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from ludorum.clock import Deadline

T = TypeVar("T")


class Background(Generic[T]):
    """Begins at once. Python cannot stop it: what is not done in time goes on unheard, and ends with the program."""

    def __init__(self, work: Callable[[], T], name: str = "pregame") -> None:
        self._work = work
        self._done = threading.Event()
        self._result: T | None = None
        self._error: Exception | None = None
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def wait(self, deadline: Deadline) -> bool:
        """Whether it was done by the deadline; raises what went wrong with it."""
        is_done = any(self._done.wait(seconds and min(seconds, threading.TIMEOUT_MAX)) for seconds in deadline.waits())
        if self._error is not None:
            raise self._error
        return is_done

    @property
    def result(self) -> T | None:
        """What it came to; None if it is not done."""
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._work()
        except Exception as error:
            # Raised where somebody waits for the result.
            self._error = error
        finally:
            self._done.set()


def by_deadline(work: Callable[[], T], deadline: Deadline) -> T | None:
    """What some work comes to by a deadline, None if it is not done by then; without one it is waited for."""
    if deadline.at is None:
        return work()
    background = Background(work)
    return background.result if background.wait(deadline) else None
