"""Names for the relations that are not in the source."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MADE = re.compile(r"\((\w+) (\d+)\)")


class FreshNames:
    """Gives out names like `(or 3)`, which no reader can read and so no rulesheet can hold."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._last: dict[str, int] = {}
        for name in taken:
            kind, number = made(name) or ("", 0)
            self._last[kind] = max(number, self._last.get(kind, 0))

    def name(self, kind: str) -> str:
        self._last[kind] = self._last.get(kind, 0) + 1
        return f"({kind} {self._last[kind]})"


def made(name: str) -> tuple[str, int] | None:
    """The kind and number of a name that was given out, None for one of a rulesheet."""
    match = _MADE.fullmatch(name)
    return (match[1], int(match[2])) if match else None
