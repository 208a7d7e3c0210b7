"""How much memory was used at most."""

from __future__ import annotations

import re
from pathlib import Path


def forget_peak() -> None:
    """Start measuring anew, where the system can; elsewhere the peak is that of the whole process."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_mb() -> float:
    """The peak of this process's memory in megabytes."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        import resource
        import sys

        # In bytes on macOS, in kilobytes elsewhere.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def peak_of_children_mb() -> float:
    """The peaks of the memory of all processes that this one has started and that still run, in megabytes."""
    total = 0.0
    for task in Path("/proc/self/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            # A thread that has ended meanwhile.
            continue
        for child in children:
            try:
                found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{child}/status").read_text())
            except OSError:
                continue
            total += int(found[1]) / 1024 if found else 0.0
    return total
