"""What a crew promises, and the crew of one: this process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from ludorum.crew.station import CallingStation, Station, Work

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Crew(Protocol):
    """Workers that call a function of a module with one plain argument.

    In the literature: an executor, as in PEP 3148.
    """

    #: How many calls are worth having under way at once.
    workers: int

    def submit(self, function: Callable[[Argument], Answer], argument: Argument) -> Future[Answer]:
        """The call, under way or waiting for a worker."""

    def station(self, make: Callable[[Any], Work], plan: Hashable) -> Station[Any, Any, Any]:
        """Workers who each call `make(plan)` once, and then what it gave with every order."""

    def is_loss(self, error: BaseException) -> bool:
        """Whether a future ended so because its worker died, and not because of what the function did."""

    def close(self, *, at_once: bool = False) -> None:
        """Sends everybody home; at once, even from work that is under way."""


class LocalCrew:
    """This process: a call is over when it has been submitted."""

    workers = 1

    def submit(self, function: Callable[[Argument], Answer], argument: Argument) -> Future[Answer]:
        future: Future[Answer] = Future()
        future.set_result(function(argument))
        return future

    def station(self, make: Callable[[Any], Work], plan: Hashable) -> Station[Any, Any, Any]:
        return CallingStation(self.submit, make, plan)

    def is_loss(self, error: BaseException) -> bool:
        return False

    def close(self, *, at_once: bool = False) -> None:
        pass
