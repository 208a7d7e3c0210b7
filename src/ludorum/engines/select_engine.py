"""Which engine answers for a game."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from ludorum.clock import Deadline
from ludorum.engines.protocol import Reasoner
from ludorum.errors import TooLargeToGround
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term

if TYPE_CHECKING:
    from ludorum.circuit import Circuit

_REQUEST = re.compile(r"(\s*;[^\n]*\n)*\s*;+\s*engine:\s*relations\s*\n")

#: The engines by name, the fastest first.
ENGINES = ("circuit", "relations", "prolog", "reference")
# Who has little time to load a game does not wait a minute for an answer; less than the least would end games that can
# be played.
_LEAST_ASKED, _MOST_ASKED = 10.0, 60.0


@dataclass(frozen=True, slots=True)
class Choice:
    """An engine for a game, and how it came about."""

    reasoner: Reasoner
    #: One sentence.
    why: str
    #: Every fluent that may hold and every move a role may have; None where the engine does not know.
    fluents: tuple[Term, ...] | None = None
    moves: tuple[tuple[Term, ...], ...] | None = None
    #: `load_seconds`, for a circuit `gates`, `passes` and `grounding`, for relations `plans`, and where they did not
    #: ground `grounding` with the `sizes` of relations in ground rules.
    report: dict[str, Any] = field(default_factory=dict)


def select_engine(rules: Rulesheet, engine: str | None = None, *, seconds: float = 60,
                  memory_mb: int = 4096) -> Choice:
    """The fastest engine that can load the rules within the budget, or the one that is named.

    The seconds are those of the processor. That rules do not ground within a budget is kept in the cache.

    Raises TooLargeToGround if the named engine has to ground the rules and cannot, and PrologMissing if it is a Prolog
    that is not installed.
    """
    if engine not in (None, *ENGINES):
        raise ValueError(f"there is no engine {engine!r}, only {', '.join(ENGINES[:-1])} and {ENGINES[-1]}")
    start = time.perf_counter()
    if engine == "reference":
        choice = _reference(rules, "it was asked for")
    elif engine == "prolog":
        choice = _prolog(rules, "it was asked for", memory_mb)
    elif engine == "relations":
        choice = _relations(rules, "it was asked for", seconds, memory_mb)
    elif engine is None and _asks_for_relations(rules):
        choice = _relations(rules, "its rulesheet says that it is too large to ground", seconds, memory_mb)
    else:
        try:
            choice = _circuit(rules, "it was asked for" if engine else "the rules ground within the budget",
                              seconds, memory_mb)
        except TooLargeToGround as error:
            if engine == "circuit":
                raise
            choice = _relations(rules, str(error), seconds, memory_mb)
            choice.report["grounding"] = {"sizes": error.sizes}
    choice.report["load_seconds"] = time.perf_counter() - start
    return choice


def specialize(choice: Choice, *, one_hot: Iterable[Iterable[Term]], exclusive: Iterable[Iterable[Term]],
           never: Iterable[Term], always: Iterable[Term]) -> Choice:
    """The same engine, made faster by what was proved of fluents where it can make use of that."""
    from ludorum.circuit import Assumptions
    from ludorum.circuit import specialize as specialize_circuit
    from ludorum.engines.circuit import CircuitReasoner

    if not isinstance(choice.reasoner, CircuitReasoner):
        return choice
    circuit = choice.reasoner.circuit
    number = {fluent: number for number, fluent in enumerate(circuit.fluents)}
    assumed = Assumptions(tuple(tuple(number[fluent] for fluent in group) for group in one_hot),
                          tuple(tuple(number[fluent] for fluent in group) for group in exclusive),
                          tuple(number[fluent] for fluent in never), tuple(number[fluent] for fluent in always))
    start = time.perf_counter()
    smaller = specialize_circuit(circuit, assumed)
    report = {**choice.report, "load_seconds": choice.report["load_seconds"] + time.perf_counter() - start}
    if smaller.reachable is not None:
        report["reachable"] = {"gates": smaller.reachable.gates,
                               "passes": [asdict(did) for did in smaller.reachable.passes]}
    return replace(choice, reasoner=cast(Reasoner, CircuitReasoner(smaller)), report=report)


def of_circuit(circuit: Circuit, why: str) -> Choice:
    """The engine that plays a circuit which is there already."""
    from ludorum.engines.circuit import CircuitReasoner

    report = {"load_seconds": 0.0, "gates": circuit.gates, "passes": [asdict(did) for did in circuit.passes]}
    return Choice(cast(Reasoner, CircuitReasoner(circuit)), why, circuit.fluents, circuit.moves, report)


def _asks_for_relations(rules: Rulesheet) -> bool:
    """Whether a comment before the rules is `engine: relations`: trying to ground them would only take time."""
    return _REQUEST.match(rules.source.text) is not None


def _reference(rules: Rulesheet, why: str) -> Choice:
    from ludorum.engines.reference import ReferenceReasoner

    return Choice(ReferenceReasoner(rules), why)


def _prolog(rules: Rulesheet, why: str, memory_mb: int) -> Choice:
    from ludorum.engines.prolog import PrologReasoner

    return Choice(PrologReasoner(rules, memory_mb=memory_mb), why)


def _relations(rules: Rulesheet, why: str, seconds: float, memory_mb: int) -> Choice:
    from ludorum.engines.relations import RelationsReasoner
    from ludorum.relations import plan_joins

    # A time of its own: grounding may have used up what there was.
    answer_seconds = min(_MOST_ASKED, max(_LEAST_ASKED, seconds))
    plans = plan_joins(rules, deadline=Deadline.within(seconds), seconds=answer_seconds, memory_mb=memory_mb)
    # To everyone but itself a reasoner's positions are opaque.
    return Choice(cast(Reasoner, RelationsReasoner(plans)), why, report={"plans": plans.report})


def _circuit(rules: Rulesheet, why: str, seconds: float, memory_mb: int) -> Choice:
    from ludorum.circuit import cache, compile_circuit
    from ludorum.engines.circuit import CircuitReasoner
    from ludorum.ground import ground

    kept = cache.find(rules)
    if kept is not None:
        circuit, report = kept
    else:
        if (failed := cache.find_failure(rules, seconds, memory_mb)) is not None:
            raise failed
        try:
            program = ground(rules, seconds=seconds, memory_mb=memory_mb)
        except TooLargeToGround as error:
            if error.is_repeatable:
                cache.keep_failure(rules, seconds, memory_mb, error)
            raise
        circuit = compile_circuit(program, seconds=seconds - program.report["cpu_seconds"], memory_mb=memory_mb)
        report = {"gates": circuit.gates, "passes": [asdict(did) for did in circuit.passes],
                  "phases": [[str(fluent) for fluent in held] for held in circuit.held_in_phases()],
                  "grounding": program.report}
        if circuit.reachable is not None:
            report["reachable"] = {"gates": circuit.reachable.gates,
                                   "passes": [asdict(did) for did in circuit.reachable.passes]}
        cache.keep(rules, circuit, report)
    report["cached"] = kept is not None
    return Choice(cast(Reasoner, CircuitReasoner(circuit)), why, circuit.fluents, circuit.moves, report)
