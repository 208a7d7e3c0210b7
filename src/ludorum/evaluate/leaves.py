"""What single fluents are worth inside a fuzzy formula: true or false, or how far they are from being true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludorum.analysis.distances import Distances
from ludorum.evaluate.code import Plane


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number for every state: that of the first group that has a plane that holds, else the last.

    The number of the first group is what the leaf is worth where it is true; everywhere else it is false.
    """

    groups: tuple[tuple[float, tuple[Plane, ...]], ...]
    otherwise: float

    @property
    def true(self) -> float:
        return self.groups[0][0]

    @property
    def most_false(self) -> float:
        """The largest number that it has where it is false."""
        return max([self.otherwise, *(value for value, _ in self.groups[1:])])


def binary(plane: Plane, *, true: float, false: float) -> Leaf:
    """Equation 5.5."""
    return Leaf(((true, (plane,)),), false)


def by_distance(distances: Distances, *, true: float, most: float, least: float,
                is_past_longest: bool) -> dict[int, Leaf]:
    """Equation 6.1 for every target: what is further away is worth less, from `most` down to `least`, and what can
    never hold again nothing. The longest distance is worth `least`, or with `is_past_longest` that plus one is."""
    leaves = {}
    for target, row in zip(distances.targets, distances.rows, strict=True):
        longest = max(int(row.max()) + is_past_longest, 1)

        def worth(steps: int, longest: int = longest) -> float:
            return least + (most - least) * (1 - steps / longest)

        anyway = int(row[-1])
        last = anyway - 1 if anyway > 0 else int(row.max())
        groups: list[tuple[float, Sequence[int]]] = [(true, (target,))]
        groups += [(worth(steps), np.flatnonzero(row[:-1] == steps).tolist()) for steps in range(1, last + 1)]
        leaves[target] = Leaf(tuple((value, tuple(planes)) for value, planes in groups if planes),
                              worth(anyway) if anyway > 0 else 0.0)
    return leaves
