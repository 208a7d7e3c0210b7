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
