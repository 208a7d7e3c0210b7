"""A crew on Ray: a cluster that starts here and ends with us, or one that is running elsewhere.

The only module that knows Ray. A call whose worker or node died is made again there, before we hear of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

# Before Ray is imported, which may tell its makers that it is used.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
import ray.exceptions

from ludorum.crew.crew import Answer, Argument

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
        ray.init(**options)
        self.workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._remote: dict[Callable[..., Any], Any] = {}

    def submit(self, function: Callable[[Argument], Answer], argument: Argument) -> Future[Answer]:
        if function not in self._remote:
            self._remote[function] = ray.remote(num_cpus=1, max_retries=_MAX_RETRIES, retry_exceptions=False)(function)
        future: Future[Answer] = self._remote[function].remote(argument).future()
        return future

    def is_loss(self, error: BaseException) -> bool:
        # What the function itself raised comes as a RayTaskError.
        return isinstance(error, ray.exceptions.RayError) and not isinstance(error, ray.exceptions.RayTaskError)

    def close(self, *, at_once: bool = False) -> None:
        ray.shutdown()
