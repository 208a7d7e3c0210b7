"""What must not be: a goal that nothing of a kind holds is the nearer the less of it does.

In the literature: universally quantified conditions are counted by how many instances satisfy them, as existential ones
are by sums (Kaiser, Stafiniak 2011, treat them as atoms).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludorum.evaluate.code import Code, Slot


@dataclass(frozen=True)
class Absence:
    """Combinations of fluents none of which must hold: worth the share of those that do not."""

    instances: tuple[tuple[int, ...], ...]

    def value(self, holds: Sequence[bool]) -> float:
        return 1.0 - sum(all(holds[fluent] for fluent in each) for each in self.instances) / len(self.instances)

    def write(self, code: Code) -> Slot:
        share = 1.0 / len(self.instances)
        parts: list[tuple[float, Slot]] = []
        for each in self.instances:
            slot = code.constant(1)
            for fluent in each[1:]:
                slot = code.if_holds(fluent, slot, code.constant(0))
            if len(each) > 1:
                parts.append((-share, code.if_holds(each[0], slot, code.constant(0))))
        single = code.count([(-share, each[0]) for each in self.instances if len(each) == 1], 1.0)
        return code.weighted([(1.0, single), *parts]) if parts else single
