"""What is counted for the roles of a game, its values by the definition, and as steps of a program.

In the literature: heuristics from existential formulas, and with rule conditions (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ludorum.evaluate.absences import Absence
from ludorum.evaluate.code import Code, Slot
from ludorum.evaluate.openings import Opening


@dataclass(frozen=True)
class Node:
    """Where a fluent holds: a number, and the sums of what follows."""

    fluent: int
    weight: float
    children: tuple[Node, ...] = ()

    def value(self, holds: Sequence[bool]) -> float:
        return self.weight + sum(child.value(holds) for child in self.children) if holds[self.fluent] else 0.0


@dataclass(frozen=True)
class Line:
    """Fluents that make a goal together, in any order, each with the ways in which a move can bring it about."""

    fluents: tuple[int, ...]
    openings: tuple[tuple[Opening, ...], ...] = ()

    def is_open(self, holds: Sequence[bool]) -> bool:
        """Whether each of the fluents holds or can be brought about by a move."""
        return all(holds[fluent] or any(opening.is_open(holds) for opening in openings)
                   for fluent, openings in zip(self.fluents, self.openings, strict=True))

    def count(self, holds: Sequence[bool]) -> int:
        return sum(holds[fluent] for fluent in self.fluents)


@dataclass
class Counted:
    """What is counted for one role."""

    nodes: list[Node] = field(default_factory=list)
    #: Lines that are told by how many of their fluents hold, since these have no order.
    lines: list[Line] = field(default_factory=list)
    #: Where goals need only that something is not so.
    absences: list[Absence] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.nodes or self.lines or self.absences)


@dataclass(frozen=True)
class Counting:
    """What the goals of the roles say about states; value 50 where nobody is ahead."""

    form: Literal["goals", "moves"]
    alpha: float
    power: int
    roles: tuple[Counted, ...]
    #: What was left out, and how often.
    left_out: Mapping[str, int]

    @property
    def is_empty(self) -> bool:
        """Whether the goals gave nothing to count."""
        return all(counted.is_empty for counted in self.roles)

    def score(self, role: int, holds: Sequence[bool]) -> float:
        """How far a role has come, by the definition."""
        counted = self.roles[role]
        found = sum(node.value(holds) for node in counted.nodes) + sum(
            absence.value(holds) for absence in counted.absences)
        if self.form == "moves":
            return found + float(sum(line.count(holds) ** self.power for line in counted.lines if line.is_open(holds)))
        return found + sum(self._share(len(line.fluents), line.count(holds)) for line in counted.lines)

    def balance(self, role: int, holds: Sequence[bool]) -> float:
        """How much further a role has come than the others on average."""
        others = [self.score(other, holds) for other in range(len(self.roles)) if other != role]
        return self.score(role, holds) - (sum(others) / len(others) if others else 0.0)

    def _share(self, length: int, held: int) -> float:
        return self.alpha ** (length - held) if held else 0.0

    @property
    def largest(self) -> float:
        """No balance is larger than this, nor smaller than its negative."""
        bounds = [self._bounds(counted) for counted in self.roles]
        others = max(1, len(bounds) - 1)
        lows, highs = (sum(bound[side] for bound in bounds) for side in (0, 1))
        return max([*(high - (lows - low) / others for low, high in bounds),
                    *((highs - high) / others - low for low, high in bounds), 1e-9])

    def _bounds(self, counted: Counted) -> tuple[float, float]:
        """The least and the most that a role can have."""
        known: dict[int, float] = {}

        def whole(node: Node) -> float:
            if id(node) not in known:
                known[id(node)] = node.weight + sum(map(whole, node.children))
            return known[id(node)]

        lines = sum(len(line.fluents) ** self.power if self.form == "moves" else 1.0 for line in counted.lines)
        return (sum(min(0.0, whole(node)) for node in counted.nodes),
                sum(max(0.0, whole(node)) for node in counted.nodes) + lines + len(counted.absences))

    def write(self, code: Code, role: int) -> Slot:
        """The value for a role from 1 to 99, as steps of a program."""
        scale, others = 49 / self.largest, len(self.roles) - 1
        parts = [(scale if other == role else -scale / others, self._written(code, other))
                 for other in range(len(self.roles))]
        return code.weighted(parts, 50)

    def _written(self, code: Code, role: int) -> Slot:
        counted = self.roles[role]
        known: dict[int, Slot] = {}
        parts = [(1.0, self._sum(code, counted.nodes, 0.0, known)),
                 *((1.0, absence.write(code)) for absence in counted.absences)]
        for line in counted.lines:
            held = code.count([(1.0, fluent) for fluent in line.fluents])
            if self.form == "moves":
                shut = [code.if_holds(fluent, code.constant(0), code.product([way.shut(code) for way in ways])
                                      if ways else code.constant(1))
                        for fluent, ways in zip(line.fluents, line.openings, strict=True)]
                total = code.weighted([(1.0, slot) for slot in shut])
                parts.append((1.0, code.if_less(total, 0.5, code.power(held, self.power), code.constant(0))))
            else:
                slot = code.constant(1)
                for count in range(len(line.fluents) - 1, -1, -1):
                    slot = code.if_less(held, count + 0.5, code.constant(self._share(len(line.fluents), count)), slot)
                parts.append((1.0, slot))
        return code.weighted(parts)

    def _sum(self, code: Code, nodes: Iterable[Node], start: float, known: dict[int, Slot]) -> Slot:
        """A number and what nodes add to it; leaves are counted at once."""
        leaves: dict[int, float] = defaultdict(float)
        deeper: list[tuple[float, Slot]] = []
        for node in nodes:
            if not node.children:
                leaves[node.fluent] += node.weight
                continue
            if id(node) not in known:
                inside = self._sum(code, node.children, node.weight, known)
                known[id(node)] = code.if_holds(node.fluent, inside, code.constant(0))
            deeper.append((1.0, known[id(node)]))
        counted = code.count([(weight, fluent) for fluent, weight in sorted(leaves.items())], start)
        return code.weighted([(1.0, counted), *deeper]) if deeper else counted
