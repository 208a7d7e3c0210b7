"""Packages of npm, fetched by its own client from wherever that is set up to look."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path


def packed(name: str, version: str) -> bytes:
    """The archive of a package; raises OSError where there is no npm, or where it has no such package for us."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["npm", "pack", f"{name}@{version}", "--silent", "--pack-destination", folder],
                              capture_output=True, text=True, check=False, timeout=120)
        archives = list(Path(folder).glob("*.tgz"))
        if done.returncode != 0 or len(archives) != 1:
            raise OSError(f"npm has no {name} {version} for us: {done.stderr.strip()[:300]}")
        return archives[0].read_bytes()
