"""Workers that stay: each makes what it works with once, and is then asked again and again."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

Shared = TypeVar("Shared", contravariant=True)
Argument = TypeVar("Argument", contravariant=True)
Answer = TypeVar("Answer")

#: What a worker does with what all share and with an argument of its own.
Work = Callable[[Any, Any], Any]


class Station(Protocol[Shared, Argument, Answer]):
    """Workers who do one kind of work: `make(plan)` was called by each, and what it gave is called with every order.

    An order may be worked on twice where a worker died, so it must come to the same answer every time.

    In the literature: actors (Hewitt, Bishop and Steiger 1973).
    """

    def share(self, value: Shared) -> None:
        """What every order from now on comes with; it is sent once, however many orders there are."""

    def submit(self, argument: Argument) -> Future[Answer]:
        """An order, under way or waiting for a worker."""


class CallingStation(Generic[Shared, Argument, Answer]):
    """A station of a crew that has no workers who stay: whoever is called keeps what it made for the next call."""

    def __init__(self, submit: Callable[[Callable[[Any], Any], Any], Future[Any]], make: Callable[[Any], Work],
                 plan: Hashable) -> None:
        self._submit, self._make, self._plan = submit, make, plan
        self._shared: Any = None

    def share(self, value: Shared) -> None:
        self._shared = value

    def submit(self, argument: Argument) -> Future[Answer]:
        future: Future[Answer] = self._submit(_work, (self._make, self._plan, self._shared, argument))
        return future


def _work(order: tuple[Callable[[Any], Work], Hashable, Any, Any]) -> Any:
    make, plan, shared, argument = order
    return _made(make, plan)(shared, argument)


# Of one process, which seldom works at more than one station.
@lru_cache(maxsize=2)
def _made(make: Callable[[Any], Work], plan: Hashable) -> Work:
    return make(plan)


# What the core holds is given back before the interpreter goes.
atexit.register(_made.cache_clear)
