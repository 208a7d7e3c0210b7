"""What random play says of groups of fluents: how many of a group hold at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples

_BLOCK = 4096
_SOME = 20_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Of some groups the samples, if there are any, where several or none of a group hold."""

    several: int | None
    none: int | None


def count(samples: Samples, groups: Sequence[Sequence[int]]) -> Counts:
    """The first samples where more than one, or none, of a group of fluents hold."""
    bits = samples.bits
    order = np.fromiter((number for group in groups for number in group), dtype=np.intp)
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    several = none = None
    # In blocks, so that nothing as large as the samples themselves is copied.
    for start in range(0, len(samples), _BLOCK):
        held: NDArray[np.uint16] = np.add.reduceat(bits[start : start + _BLOCK, order], starts, axis=1, dtype=np.uint16)
        if several is None:
            several = _first(held.max(axis=1) > 1, start)
        if none is None:
            none = _first(held.min(axis=1) == 0, start)
        if several is not None and none is not None:
            break
    return Counts(several, none)


def alone(samples: Samples, groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For every group whether at most one, and whether at least one, of its fluents held in some thousands of samples.

    The initial state is one of them.
    """
    bits = samples.bits[:: max(1, len(samples) // _SOME)]
    order = np.fromiter((number for group in groups for number in group), dtype=np.intp)
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    at_most, at_least = np.ones(len(groups), dtype=bool), np.ones(len(groups), dtype=bool)
    for start in range(0, len(bits), _BLOCK):
        held = np.add.reduceat(bits[start : start + _BLOCK, order], starts, axis=1, dtype=np.uint16)
        at_most &= held.max(axis=0) <= 1
        at_least &= held.min(axis=0) >= 1
    return at_most, at_least


@dataclass(frozen=True, slots=True)
class Changes:
    """For every fluent the first sample that it began, or ceased, to hold in; −1 where there is none."""

    rises: NDArray[np.intp]
    falls: NDArray[np.intp]


def changes(samples: Samples) -> Changes:
    bits = samples.bits
    rises, falls = (np.full(bits.shape[1], -1, dtype=np.intp) for _ in range(2))
    for start in range(0, len(samples), _BLOCK):
        parents = samples.parents[start : start + _BLOCK]
        now = bits[start : start + _BLOCK][parents >= 0]
        before = bits[parents[parents >= 0]]
        indices = start + np.flatnonzero(parents >= 0)
        if len(indices):
            for found, happened in ((rises, now > before), (falls, now < before)):
                new = (found < 0) & happened.any(axis=0)
                found[new] = indices[np.argmax(happened[:, new], axis=0)]
    return Changes(rises, falls)


def _first(where: NDArray[np.bool_], start: int) -> int | None:
    return start + int(np.argmax(where)) if where.any() else None
