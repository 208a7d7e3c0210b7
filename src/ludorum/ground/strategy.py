"""How a game is grounded: all at once, split, or on demand; what pays is decided by sizes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ludorum.asp.encoding import identifier
from ludorum.asp.process import ClingoProcess
from ludorum.asp.writing import write
from ludorum.errors import TooLargeToGround
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import is_stratified, relation_of, relevant, static_relations
from ludorum.ground.assembly import NAMED
from ludorum.ground.demand import Demand, on_demand
from ludorum.ground.relaxation import relaxed_program
from ludorum.ground.shares import by_relation
from ludorum.ground.sizes import Uniform
from ludorum.ground.sketch import Sketch
from ludorum.ground.splitting import split

Splitting = Literal["auto", "always", "never", "demand"]

# From this estimate on (ground rules with their literals, mostly far too many), it is worth finding out first
# which atoms are demanded at all.
_LARGE = 2_000_000


# However busy the machine is, it ends after so many times the seconds of its budget, and some for starting a process.
_BUSY = 10.0
_STARTING_S = 10.0


class Grounder:
    """Grounds programs until a budget for all of them is used up.

    The seconds are those of the processor, here and in the process that grounds, so that a game which grounds on a free
    machine grounds on a busy one.
    """

    def __init__(self, seconds: float, memory_mb: int) -> None:
        self._seconds = seconds
        self._memory_mb = memory_mb
        #: What was used in other processes.
        self._elsewhere = 0.0
        self._start = time.thread_time()
        self._process = ClingoProcess(memory_mb=memory_mb)

    def close(self) -> None:
        self._process.close()

    def ask(self, task: str, share: float = 1.0, **arguments: Any) -> dict[str, Any]:
        """What a task of clingo_worker.py gives, within a share of the time that is left."""
        allowed = max(0.0, self._seconds - self.used) * share
        if not self._process.is_open:
            self._process = ClingoProcess(memory_mb=self._memory_mb)
        try:
            answer = self._process.ask(task, seconds=_BUSY * allowed + _STARTING_S, cpu_seconds=allowed,
                                       budget=self._seconds, **arguments)
        except TooLargeToGround as error:
            self._elsewhere += allowed
            raise TooLargeToGround(f"grounding {error}", error.sizes, is_repeatable=error.is_repeatable) from None
        self._elsewhere += answer["cpu_seconds"]
        return answer

    @property
    def used(self) -> float:
        """The seconds of the processor that grounding took so far."""
        return time.thread_time() - self._start + self._elsewhere


@dataclass(frozen=True)
class Grounded:
    """What grounding gave: the answer of clingo_worker.py, and what was done to the rules before."""

    answer: dict[str, Any]
    #: Of a large program how many ground rules the relations of the game have.
    sizes: dict[str, int] = field(default_factory=dict)
    splits: int = 0
    is_on_demand: bool = False


def ground_clauses(clauses: Sequence[Clause], grounder: Grounder, splitting: Splitting) -> Grounded:
    return _WAYS[splitting](clauses, grounder)


def _whole(clauses: Sequence[Clause], grounder: Grounder) -> Grounded:
    try:
        answer = grounder.ask("ground", program=relaxed_program(clauses), atoms=NAMED)
    except TooLargeToGround as error:
        raise TooLargeToGround(str(error), by_relation(error.sizes, clauses),
                               is_repeatable=error.is_repeatable) from None
    return Grounded(answer, by_relation(answer["sizes"], clauses))


def _split_by_guess(clauses: Sequence[Clause], grounder: Grounder) -> Grounded:
    changed = relevant(split(clauses, Uniform(static_relations(clauses))).clauses)
    return replace(_whole(changed, grounder), splits=_relations(changed) - _relations(clauses))


def _split_by_sizes(clauses: Sequence[Clause], grounder: Grounder) -> Grounded:
    """Grounds what is the same in all states first, and splits the other rules by what that gave."""
    static = static_relations(clauses)
    unchanging = [clause for clause in clauses if relation_of(clause.head) in static]
    if not is_stratified(unchanging):
        # What is neither true nor false would be lost between the two parts.
        return _split_by_guess(clauses, grounder)
    used = {relation_of(atom) for clause in clauses for atom in clause.positive} & static | {("init", 1)}
    signatures = [(identifier(name), arity) for name, arity in sorted(used)]
    try:
        found = grounder.ask("begin", 1 / 6, program=write(unchanging), tables=signatures)
    except TooLargeToGround:
        return _demanded_by_guess(clauses, grounder)
    tables = {(name, arity): found["tables"][identifier(name), arity] for name, arity in used}
    result = split(clauses, Sketch(clauses, tables, static), keep=static)
    changed = relevant(result.clauses)
    splits = _relations(changed) - _relations(clauses)
    if sum(result.costs.values()) > _LARGE:
        large = {relation for relation, cost in result.costs.items() if cost > _LARGE / 100}
        try:
            return _demanded(on_demand(changed, whole=static, wanted=large), 1 / 4, grounder, splits)
        except TooLargeToGround:
            grounder.ask("begin", program=write(unchanging), tables=[])
    changing = [clause for clause in changed if relation_of(clause.head) not in static]
    return replace(_whole(changing, grounder), splits=splits)


def _demanded_by_guess(clauses: Sequence[Clause], grounder: Grounder) -> Grounded:
    changed = relevant(split(clauses, Uniform(static_relations(clauses))).clauses)
    return _demanded(on_demand(changed), 1.0, grounder, _relations(changed) - _relations(clauses))


def _demanded(demand: Demand, share: float, grounder: Grounder, splits: int) -> Grounded:
    """Finds out what is demanded, within a share of the time, and grounds no more than that."""
    grounder.ask("begin", share, program=write(demand.first), tables=[])
    return replace(_whole(demand.second, grounder), splits=splits, is_on_demand=True)


_WAYS: dict[Splitting, Callable[[Sequence[Clause], Grounder], Grounded]] = {
    "never": _whole,
    "always": _split_by_guess,
    "auto": _split_by_sizes,
    "demand": _demanded_by_guess,
}


def _relations(clauses: Iterable[Clause]) -> int:
    return len({relation_of(clause.head) for clause in clauses})
