"""From a rulesheet to its ground program."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing

from ludorum.asp.encoding import decode
from ludorum.errors import UnstratifiedRules
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import is_stratified, relevant
from ludorum.gdl.names import made
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.ground.assembly import assemble
from ludorum.ground.negative_cycles import negative_cycle
from ludorum.ground.program import GroundProgram
from ludorum.ground.strategy import Grounder, Splitting, ground_clauses


def ground(rulesheet: Rulesheet, *, seconds: float = 60.0, memory_mb: int = 4096,
           split: Splitting = "auto") -> GroundProgram:
    """The ground program of a rulesheet.

    Rules are split where that makes the result smaller: "auto" by sizes, "always" by a guess without them.
    "demand" also leaves out whatever no question can ask for, as "auto" does in large games.
    Raises TooLargeToGround if it takes more than `seconds` of the processor or `memory_mb`, and UnstratifiedRules if an
    atom depends on its own negation.
    """
    start = time.perf_counter()
    clauses = relevant(flatten(rulesheet))
    with closing(Grounder(seconds, memory_mb)) as grounder:
        grounded = ground_clauses(clauses, grounder, split)
        result = assemble(rulesheet.roles, grounded.answer)
        if not is_stratified(clauses):
            cycle = negative_cycle(result.heads, result.bodies)
            if cycle is not None:
                raise UnstratifiedRules(_names(cycle, grounder))
    result.report.update(splits=grounded.splits, on_demand=grounded.is_on_demand, sizes=grounded.sizes,
                         seconds=time.perf_counter() - start, cpu_seconds=grounder.used)
    return result


def _names(atoms: Sequence[int], grounder: Grounder) -> list[str]:
    """The atoms with these numbers, without those of relations that are not in the rulesheet."""
    found = grounder.ask("names", atoms=[atom + 1 for atom in atoms])
    return [str(atom) for atom in map(decode, found["names"]) if made(atom.name) is None]
