"""Which version of Ludorum this is: who works for another one refuses."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("ludorum")
    except PackageNotFoundError:
        return "unknown"


#: Ours.
VERSION = _version()
