"""What single conditions are worth inside a fuzzy formula: true or false, or how far they are from being true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ludorum.analysis.distances import Distances
from ludorum.evaluate.code import Code, Plane, Slot

Group = tuple[float, tuple[Plane, ...]]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number for every state: that of the first group that has a plane that holds, else the last."""

    groups: tuple[Group, ...]
    otherwise: float
    #: What it is worth where it is true is this at least, and where it is false at most that.
    least_true: float
    most_false: float

    def negated(self) -> Leaf:
        return replace(self, groups=tuple((1 - value, planes) for value, planes in self.groups),
                       otherwise=1 - self.otherwise, least_true=1 - self.most_false, most_false=1 - self.least_true)

    def to_power(self, code: Code, exponent: float) -> Slot:
        """Its number, to a power."""
        return code.first([(value**exponent, planes) for value, planes in self.groups], self.otherwise**exponent)


@dataclass(frozen=True, slots=True)
class MeanLeaf:
    """A number for every state: `true` where a plane holds, else the mean of the numbers of the planes that hold."""

    plane: Plane
    true: float
    parts: tuple[tuple[float, Plane], ...]
    otherwise: float
    least_true: float
    most_false: float

    def negated(self) -> MeanLeaf:
        return MeanLeaf(self.plane, 1 - self.true, tuple((1 - value, plane) for value, plane in self.parts),
                        1 - self.otherwise, 1 - self.most_false, 1 - self.least_true)

    def to_power(self, code: Code, exponent: float) -> Slot:
        mean = code.mean(self.parts, self.otherwise)
        return code.if_holds(self.plane, code.constant(self.true**exponent),
                             mean if exponent == 1 else code.power(mean, exponent))


AnyLeaf = Leaf | MeanLeaf


def binary(plane: Plane, *, true: float, false: float) -> Leaf:
    """Equation 5.5."""
    return Leaf(((true, (plane,)),), false, true, false)


def by_values(values: Iterable[tuple[float, Plane]], otherwise: float, *, least_true: float,
              most_false: float) -> Leaf:
    """The largest number of those whose planes hold."""
    groups: dict[float, list[Plane]] = {}
    for value, plane in values:
        groups.setdefault(value, []).append(plane)
    return Leaf(tuple((value, tuple(groups[value])) for value in sorted(groups, reverse=True)), otherwise,
                least_true, most_false)


def lasting(leaf: AnyLeaf, plane: Plane, *, true: float, stays_true: bool, stays_false: bool) -> AnyLeaf:
    """The leaf of a fluent that stays true, or false, once it is (section 7.6 of the thesis): then it is 1, or 0."""
    if stays_true:
        true = 1.0
    if stays_false:
        return binary(plane, true=true, false=0.0)
    if not stays_true:
        return leaf
    if isinstance(leaf, MeanLeaf):
        return replace(leaf, true=true, least_true=true)
    # What it is worth where it is true comes first.
    return replace(leaf, groups=((true, (plane,)), *leaf.groups[1:]), least_true=true)


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
        otherwise = worth(anyway) if anyway > 0 else 0.0
        leaves[target] = Leaf(tuple((value, tuple(planes)) for value, planes in groups if planes), otherwise,
                              true, max([otherwise, *(value for value, _ in groups[1:])]))
    return leaves
