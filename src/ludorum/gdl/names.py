"""Names for the relations that are not in the source."""

from __future__ import annotations

import re
from collections import Counter

_MADE = re.compile(r"\((\w+) (\d+)\)")


class FreshNames:
    """Gives out names like `(or 3)`, which no reader can read and so no rulesheet can hold."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def name(self, kind: str) -> str:
        self._given[kind] += 1
        return f"({kind} {self._given[kind]})"


def made(name: str) -> tuple[str, int] | None:
    """The kind and number of a name that was given out, None for one of a rulesheet."""
    match = _MADE.fullmatch(name)
    return (match[1], int(match[2])) if match else None
