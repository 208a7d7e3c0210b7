"""The rules of a ground program in an order in which atoms come after those that they are derived from."""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.graph import components
from ludorum.ground import GroundProgram

# How many atoms are worked on between two looks at the clock.
_TICK = 1 << 10
# The work of looking at a rule, for every literal.
_A_LITERAL = 2e-6


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

    def in_order(self, budget: Budget | None = None) -> Iterator[tuple[list[int], bool]]:
        """Atoms and whether they need each other; raises BudgetExceeded when the budget is used up."""
        budget = budget or Budget()
        for number, atoms in enumerate(self._components):
            budget.spend(_A_LITERAL * sum(1 + len(body) for atom in atoms for body in self.bodies[atom]))
            if number % _TICK == 0 and budget.passed:
                raise BudgetExceeded(f"{len(self.program.heads):,} ground rules were not looked at within the budget")
            yield atoms, len(atoms) > 1 or atoms[0] in self._depends[atoms[0]]
