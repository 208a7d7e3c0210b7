"""How much memory there is for an answer that could be of any size."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from ludorum.errors import TooLarge
from ludorum.grammar import agree

# What takes less than this is not worth asking the system for.
_LITTLE = 2**26


def check_memory_for_playouts(n: int, roles: int) -> None:
    """Raise TooLarge if the results of so many playouts do not fit into memory: a goal a role, a length, an outcome."""
    needed = n * (2 * roles + 4 + 1)
    if needed <= _LITTLE or (free := _free_memory()) is None or needed <= free:
        return
    raise TooLarge(f"the results of {n:,} {agree(n, 'playout')} would take {_gigabytes(needed)} of memory, and "
                   f"{_gigabytes(free)} are free; ask for fewer at a time, each time with another seed")


def _free_memory() -> int | None:
    """The bytes that can still be had, as far as the system tells."""
    found = [bytes_ for bytes_ in (_available(), _allowed_here(), _allowed_to_us()) if bytes_ is not None]
    return min(found, default=None)


def _available() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def _allowed_here() -> int | None:
    """What a container may have, if there is a limit."""
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _allowed_to_us() -> int | None:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _gigabytes(bytes_: int) -> str:
    return f"{bytes_ / 1e9:,.1f} GB"
