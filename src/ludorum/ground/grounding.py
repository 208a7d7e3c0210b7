"""From a rulesheet to its ground program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Any, Literal

from ludorum.errors import BudgetExceeded, TooLargeToGround, UnstratifiedRules
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.ground.assembly import NAMED, assemble
from ludorum.ground.dependencies import is_stratified, relation_of, relevant, static_relations
from ludorum.ground.encoding import decode, identifier
from ludorum.ground.process import ClingoProcess
from ludorum.ground.program import GroundProgram
from ludorum.ground.relaxation import relaxed_program, write
from ludorum.ground.sizes import Uniform
from ludorum.ground.sketch import Sketch
from ludorum.ground.splitting import split as split_rules
from ludorum.ground.stratified import negative_cycle

Splitting = Literal["auto", "always", "never"]


def ground(rulesheet: Rulesheet, *, seconds: float = 60.0, memory_mb: int = 4096,
           split: Splitting = "auto") -> GroundProgram:
    """The ground program of a rulesheet.

    Rules are split where that makes the result smaller: "auto" by sizes, "always" by a guess without them.
    Raises TooLargeToGround if it takes more than `seconds` or `memory_mb`, and UnstratifiedRules if an atom
    depends on its own negation.
    """
    start = time.perf_counter()
    clauses = relevant(flatten(rulesheet))
    with closing(_Grounder(seconds, memory_mb)) as grounder:
        answer, splits = _GROUND[split](clauses, grounder)
        result = assemble(rulesheet.roles, answer)
        if not is_stratified(clauses):
            cycle = negative_cycle(result.heads, result.bodies)
            if cycle is not None:
                raise UnstratifiedRules(_names(cycle, grounder))
    result.report.update(splits=splits, seconds=time.perf_counter() - start)
    return result


class _Grounder:
    """Grounds programs until a budget for all of them is used up."""

    def __init__(self, seconds: float, memory_mb: int) -> None:
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._deadline = time.monotonic() + seconds
        self._process = ClingoProcess(memory_mb=memory_mb)

    def close(self) -> None:
        self._process.close()

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def ask(self, task: str, seconds: float | None = None, **arguments: Any) -> dict[str, Any]:
        """What a task of asp.py gives."""
        if not self._process.is_open:
            self._process = ClingoProcess(memory_mb=self._memory_mb)
        seconds = self.seconds_left if seconds is None else seconds
        try:
            return self._process.ask(task, seconds=seconds, budget=self._seconds, **arguments)
        except BudgetExceeded as error:
            raise TooLargeToGround(f"grounding {error}") from None


def _unsplit(clauses: Sequence[Clause], grounder: _Grounder) -> tuple[dict[str, Any], int]:
    return grounder.ask("ground", program=relaxed_program(clauses), atoms=NAMED), 0


def _split_by_guess(clauses: Sequence[Clause], grounder: _Grounder) -> tuple[dict[str, Any], int]:
    changed = relevant(split_rules(clauses, Uniform(static_relations(clauses))))
    return _unsplit(changed, grounder)[0], _relations(changed) - _relations(clauses)


def _split_by_sizes(clauses: Sequence[Clause], grounder: _Grounder) -> tuple[dict[str, Any], int]:
    """Grounds what is the same in all states first, and splits the other rules by what that gave."""
    static = static_relations(clauses)
    fixed = tuple(clause for clause in clauses if relation_of(clause.head) in static)
    used = {relation_of(atom) for clause in clauses for atom in clause.positive} & static | {("init", 1)}
    signatures = [(identifier(name), arity) for name, arity in sorted(used)]
    try:
        found = grounder.ask("begin", grounder.seconds_left / 6, program=write(fixed), tables=signatures)
    except TooLargeToGround:
        fixed = relevant(split_rules(fixed, Uniform(static)), static)
        found = grounder.ask("begin", program=write(fixed), tables=signatures)
        # Their new relations keep the names they have got.
        clauses = (*fixed, *(clause for clause in clauses if relation_of(clause.head) not in static))
        static = static_relations(clauses)
    tables = {(name, arity): found["tables"][identifier(name), arity] for name, arity in used}
    changed = relevant(split_rules(clauses, Sketch(clauses, tables, static), keep=static))
    moving = [clause for clause in changed if relation_of(clause.head) not in static]
    answer = grounder.ask("ground", program=relaxed_program(moving), atoms=NAMED)
    return answer, _relations(changed) - _relations(clauses)


_GROUND: dict[Splitting, Callable[[Sequence[Clause], _Grounder], tuple[dict[str, Any], int]]] = {
    "never": _unsplit,
    "always": _split_by_guess,
    "auto": _split_by_sizes,
}


def _relations(clauses: Iterable[Clause]) -> int:
    return len({relation_of(clause.head) for clause in clauses})


def _names(atoms: Sequence[int], grounder: _Grounder) -> list[str]:
    found = grounder.ask("names", atoms=[atom + 1 for atom in atoms])
    return [str(decode(symbol)) for symbol in found["names"]]
