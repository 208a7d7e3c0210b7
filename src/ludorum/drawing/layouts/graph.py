"""Cells with names and neighbours, laid out so that distances in the picture are those along the edges.

In the literature: stress majorization (Gansner, Koren, North 2004), begun with classical scaling (Torgerson 1952), so
that the picture is the same at every run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.drawing.layouts.layout import Coordinates, Layout, disc
from ludorum.drawing.scene import UNIT, Label

_ROUNDS = 150
_SPACE = 1.25 * UNIT
_MARGIN = 0.8 * UNIT


def graph(cells: Sequence[Coordinates], pairs: frozenset[tuple[Coordinates, Coordinates]]) -> Layout:
    """The cells in the order of their names in the rules, and lines between neighbours."""
    number = {cell: index for index, cell in enumerate(cells)}
    after: list[set[int]] = [set() for _ in cells]
    for one, other in pairs:
        after[number[one]].add(number[other])
        after[number[other]].add(number[one])
    points = _majorized(_distances(after))
    points -= points.min(axis=0)
    points = points * _SPACE + _MARGIN
    width, height = points.max(axis=0) + _MARGIN
    slots = {cell: disc(float(x), float(y)) for cell, (x, y) in zip(cells, points, strict=True)}
    lines = tuple(((slots[cells[one]].x, slots[cells[one]].y), (slots[cells[other]].x, slots[cells[other]].y))
                  for one, others in enumerate(after) for other in sorted(others) if one < other)
    labels = tuple(Label(slot.x, slot.y + 0.58 * UNIT, " ".join(cell)[:8]) for cell, slot in slots.items())
    return Layout("graph", float(width), float(height), slots, lines, labels)


def _distances(after: Sequence[set[int]]) -> NDArray[np.float64]:
    count = len(after)
    found = np.full((count, count), -1.0)
    for start in range(count):
        found[start, start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in sorted(after[here]):
                if found[start, there] < 0:
                    found[start, there] = found[start, here] + 1
                    queue.append(there)
    # What is not joined at all lies apart.
    found[found < 0] = found.max() + 1
    return found


def _majorized(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    count = len(distances)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centring @ distances**2 @ centring / 2)
    points = vectors[:, -2:][:, ::-1] * np.sqrt(np.maximum(values[-2:][::-1], 1e-6))
    # The same way round every time: the first cells at the bottom left.
    points *= np.where(points[np.argmax(np.abs(points), axis=0), [0, 1]] > 0, -1.0, 1.0)
    # No two may begin in one place.
    points += 1e-3 * np.stack([np.cos(np.arange(count)), np.sin(np.arange(count))], axis=1)
    weights = np.where(distances > 0, 1 / np.maximum(distances, 1e-9) ** 2, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        ratio = np.where(apart > 1e-9, weights * distances / np.maximum(apart, 1e-9), 0.0)
        points = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ points)
    return _turned(points)


def _turned(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """With the longest direction across."""
    centred = points - points.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    turned = centred @ vectors[:, ::-1]
    turned *= np.where(turned[0] > 0, -1.0, 1.0)
    rounded: NDArray[np.float64] = np.round(turned, 6)
    return rounded
