"""A crew on Ray: a cluster that starts here and ends with us, or one that is running elsewhere.

The only module that knows Ray. A call whose worker or node died is made again there, before we hear of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

# Before Ray is imported, which may tell its makers that it is used.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
import ray.exceptions

from ludorum.crew.crew import Answer, Argument
from ludorum.crew.station import Station, Work
from ludorum.errors import UnknownCrew

# How often Ray makes a call again whose worker or node died.
_MAX_RETRIES = 2


class RayCrew:
    """Workers of a Ray cluster, one core each."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        options: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
        if address is None:
            # One of our own, also where another one is running on this machine.
            options |= {"address": "local", "num_cpus": workers or os.cpu_count() or 1, "include_dashboard": False}
        else:
            options |= {"address": address}
        try:
            ray.init(**options)
        except Exception as error:
            # Ray has no class of its own for a node that does not start in time.
            raise UnknownCrew(f"{address or 'ray'} cannot be used as a crew: {error}") from error
        self.workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._remote: dict[Callable[..., Any], Any] = {}

    def submit(self, function: Callable[[Argument], Answer], argument: Argument) -> Future[Answer]:
        if function not in self._remote:
            self._remote[function] = ray.remote(num_cpus=1, max_retries=_MAX_RETRIES, retry_exceptions=False)(function)
        future: Future[Answer] = self._remote[function].remote(argument).future()
        return future

    def station(self, make: Callable[[Any], Work], plan: Hashable) -> Station[Any, Any, Any]:
        return _RayStation(make, plan, self.workers)

    def is_loss(self, error: BaseException) -> bool:
        # What the function itself raised comes as a RayTaskError.
        return isinstance(error, ray.exceptions.RayError) and not isinstance(error, ray.exceptions.RayTaskError)

    def close(self, *, at_once: bool = False) -> None:
        ray.shutdown()


class _Resident:
    """An actor. It makes what it works with when it is first asked, and again when Ray had to start it anew."""

    def __init__(self, make: Callable[[Any], Work], plan: Hashable) -> None:
        self._make, self._plan = make, plan
        self._made: Work | None = None

    def work(self, shared: Any, argument: Any) -> Any:
        if self._made is None:
            self._made = self._make(self._plan)
        return self._made(shared, argument)


class _RayStation:
    """Actors, one a core, that Ray starts again when they die, and asks again what they had not answered."""

    def __init__(self, make: Callable[[Any], Work], plan: Hashable, workers: int) -> None:
        hire = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(_Resident)
        self._actors = [hire.remote(make, plan) for _ in range(workers)]
        self._orders = 0
        self._shared: Any = None

    def share(self, value: Any) -> None:
        self._shared = ray.put(value)

    def submit(self, argument: Any) -> Future[Any]:
        actor = self._actors[self._orders % len(self._actors)]
        self._orders += 1
        future: Future[Any] = actor.work.remote(self._shared, argument).future()
        return future
