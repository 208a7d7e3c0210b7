"""The rules of a ground program in an order in which atoms come after those that they are derived from."""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.clock import NEVER, Deadline
from ludorum.errors import BudgetExceeded
from ludorum.ground import GroundProgram
from ludorum.ground.stratified import components

# How many atoms are worked on between two looks at the clock.
_TICK = 1 << 10


class Strata:
    """Atoms that need each other are together; all others are by themselves."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.bodies: dict[int, list[tuple[int, ...]]] = {}
        for head, body in zip(program.heads, program.bodies, strict=True):
            self.bodies.setdefault(head, []).append(body)
        self._depends = {head: {literal if literal >= 0 else ~literal for body in found for literal in body}
                         for head, found in self.bodies.items()}
        self._components = components(self._depends)

    def in_order(self, deadline: Deadline = NEVER) -> Iterator[tuple[list[int], bool]]:
        """Atoms and whether they need each other; raises BudgetExceeded when the deadline has passed."""
        for number, atoms in enumerate(self._components):
            if number % _TICK == 0 and deadline.passed:
                raise BudgetExceeded(f"{len(self.program.heads):,} ground rules were not looked at in time")
            yield atoms, len(atoms) > 1 or atoms[0] in self._depends[atoms[0]]
