"""What random play says of groups of fluents: how many of a group hold at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples

_FIRST_BLOCK, _BLOCK = 16, 4096


@dataclass(frozen=True, slots=True)
class Counts:
    """Of some groups the samples, if there are any, where several or none of a group hold."""

    several: int | None
    none: int | None


def count(samples: Samples, groups: Sequence[Sequence[int]]) -> Counts:
    """The first samples where more than one, or none, of a group of fluents hold."""
    found = _found(samples, groups)
    crowded = [group for group, is_crowded in zip(groups, found.several, strict=True) if is_crowded]
    everywhere = np.bitwise_and.reduce(found.held, axis=0)
    return Counts(_first_crowded(samples, crowded) if crowded else None, _first_clear(everywhere, len(samples)))


def alone(samples: Samples, groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For every group whether at most one, and whether at least one, of its fluents held in all samples."""
    found = _found(samples, groups)
    return ~found.several, np.bitwise_count(found.held).sum(axis=1, dtype=np.intp) == len(samples)


@dataclass(frozen=True, slots=True)
class _Found:
    """For every group a bit a sample, whether any of it holds there; and whether several do in any sample."""

    held: NDArray[np.uint64]
    several: NDArray[np.bool_]


def _found(samples: Samples, groups: Sequence[Sequence[int]]) -> _Found:
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    columns = samples.columns[np.fromiter((number for group in groups for number in group), dtype=np.intp)]
    held = np.bitwise_or.reduceat(columns, starts, axis=0)
    # Where no two hold at once, and only there, the union has as many bits as its parts together.
    parts = np.add.reduceat(np.bitwise_count(columns).sum(axis=1, dtype=np.intp), starts)
    return _Found(held, parts > np.bitwise_count(held).sum(axis=1, dtype=np.intp))


def _first_crowded(samples: Samples, groups: Sequence[Sequence[int]]) -> int | None:
    order = np.fromiter((number for group in groups for number in group), dtype=np.intp)
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    # Small blocks first: most of what is wrong is wrong at once.
    start, size = 0, _FIRST_BLOCK
    while start < len(samples):
        held = np.add.reduceat(samples.bits[start : start + size, order], starts, axis=1, dtype=np.uint16)
        if (held > 1).any():
            return start + int(np.argmax((held > 1).any(axis=1)))
        start, size = start + size, min(4 * size, _BLOCK)
    return None


def _first_clear(words: NDArray[np.uint64], count: int) -> int | None:
    """The first of so many bits that is not set."""
    clear = np.unpackbits(words.view(np.uint8), bitorder="little", count=count) == 0
    return int(np.argmax(clear)) if clear.any() else None


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
