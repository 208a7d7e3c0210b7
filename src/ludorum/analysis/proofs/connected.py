"""What belongs together because it shares names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

_Thing = TypeVar("_Thing")


def connected(things: Iterable[tuple[_Thing, set[str]]]) -> list[list[_Thing]]:
    """Groups of things, each given with its names, such that no two groups share a name."""
    groups: list[tuple[list[_Thing], set[str]]] = []
    for thing, names in things:
        touching = [group for group in groups if group[1] & names]
        groups = [group for group in groups if not group[1] & names]
        groups.append(([*(other for group in touching for other in group[0]), thing],
                       names.union(*(group[1] for group in touching))))
    return [group for group, _ in groups]
