"""A crew by what people call it."""

from __future__ import annotations

import os
from collections.abc import Callable

from ludorum.crew.crew import Crew, LocalCrew
from ludorum.crew.pool import PoolCrew
from ludorum.errors import UnknownCrew


def select_crew(name: str = "pool", *, workers: int | None = None,
                settle_in: Callable[[], None] | None = None) -> Crew:
    """`local` is this process, `pool` processes of this machine, `ray` and `ray://HOST:PORT` a Ray cluster.

    `settle_in` is called once in every process of a pool. Raises UnknownCrew.
    """
    if name == "local" or (name == "pool" and workers == 0):
        return LocalCrew()
    if name == "pool":
        return PoolCrew(os.cpu_count() or 1 if workers is None else workers, settle_in)
    if name != "ray" and not name.startswith("ray://"):
        raise UnknownCrew(f"there is no crew {name!r}, only local, pool, ray and ray://HOST:PORT")
    try:
        from ludorum.crew.on_ray import RayCrew
    except ModuleNotFoundError as error:
        raise UnknownCrew("the crew ray needs Ray: pip install 'ludorum[ray]'") from error
    return RayCrew(None if name == "ray" else name, workers)
