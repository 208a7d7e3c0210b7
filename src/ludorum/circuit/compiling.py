"""The passes in their order."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ludorum import _core
from ludorum._core import Circuit as CoreCircuit
from ludorum.circuit.circuit import Circuit, Pass
from ludorum.circuit.core import core_circuit, core_program, with_gates
from ludorum.circuit.passes import (
    UNLIMITED,
    Agreements,
    Assumptions,
    CircuitPass,
    empty,
    factor,
    find_turns,
    flatten,
    share,
    simplify,
    use_legality,
    use_one_hot_moves,
)
from ludorum.errors import TooLargeToGround
from ludorum.ground.program import GroundProgram

Stage = tuple[CircuitPass, ...]

FIRST: Stage = (simplify, use_legality)
SECOND: Stage = (flatten, use_one_hot_moves)
#: Each makes work for the others, so they go round until a round wins next to nothing.
ROUND: Stage = (factor, flatten, use_one_hot_moves)
LAST: Stage = (share, find_turns)

MOST_ROUNDS = 4
#: A round must take away this share of the inputs to be followed by another.
WORTHWHILE = 0.01
#: And what is proved of reachable states this share, to be worth a circuit of its own.
WORTH_A_CIRCUIT = 0.05


def compile_circuit(program: GroundProgram, seconds: float | None = None, memory_mb: int | None = None) -> Circuit:
    """The circuit of a ground program, made small.

    With a limit of seconds of CPU time, or of memory, it is made as small as they allow. Raises TooLargeToGround if
    they do not suffice for a circuit.
    """
    work = _Work.within(program.initial, seconds, memory_mb)
    built = work.build(program)
    if built is None:
        reason = ("grounding left no time to compile its {} rules" if seconds is not None and seconds <= 0
                  else "compiling {} ground rules passed the budget")
        raise TooLargeToGround(reason.format(f"{len(program.rules):,}"), program.report.get("sizes"))
    first = work.run(FIRST, built)
    made = work.optimise(first)
    circuit = with_gates(empty(program), made).with_passes(work.take_report())
    merged, agreements = work.merge_agreeing_fluents(first)
    if merged.inputs <= (1 - WORTH_A_CIRCUIT) * first.inputs:
        reachable = work.optimise(merged)
        if reachable.inputs <= (1 - WORTH_A_CIRCUIT) * made.inputs:
            smaller = replace(with_gates(circuit, reachable), agreements=agreements)
            return replace(circuit, reachable=smaller.with_passes(work.take_report()))
    return circuit


def specialize(circuit: Circuit, assumed: Assumptions, seconds: float | None = None) -> Circuit:
    """The circuit with a smaller one for reachable states beside it, made by what was proved of these.

    It is the same circuit if that wins nothing.
    """
    base = circuit if circuit.reachable is None else circuit.reachable
    work = _Work.within(circuit.initial, seconds)
    smaller = work.optimise(work.run((assumed.as_pass(),), core_circuit(base)))
    if smaller.inputs >= base.inputs:
        return circuit
    return replace(circuit, reachable=assumed.on(with_gates(base, smaller)).with_passes(work.take_report()))


def made_small(circuit: Circuit, seconds: float | None = None) -> Circuit:
    """The same circuit with fewer gates, as far as that many seconds allow."""
    work = _Work.within(circuit.initial, seconds)
    smaller = work.optimise(work.run(FIRST, core_circuit(circuit)))
    return with_gates(circuit, smaller).with_passes(work.take_report())


@dataclass(slots=True)
class _Work:
    """Passes on circuits of the core, each noted, as far as a budget allows: what passes it is left out."""

    initial: Sequence[int]
    until: float
    memory: int
    done: list[Pass] = field(default_factory=list)

    @classmethod
    def within(cls, initial: Sequence[int], seconds: float | None, memory_mb: int | None = None) -> _Work:
        until = math.inf if seconds is None else time.process_time() + seconds
        return cls(initial, until, UNLIMITED[1] if memory_mb is None else memory_mb << 20)

    @property
    def left(self) -> float:
        return min(UNLIMITED[0], self.until - time.process_time())

    def build(self, program: GroundProgram) -> CoreCircuit | None:
        start = time.process_time()
        built = _core.build(core_program(program), self.left, self.memory)
        if built is not None:
            self.done.append(Pass("build", 0, built.gates, 0, built.inputs, time.process_time() - start))
        return built

    def run(self, stage: Stage, circuit: CoreCircuit) -> CoreCircuit:
        for one in stage:
            start = time.process_time()
            circuit = self._noted(one.name, start, circuit, one.run(circuit, self.initial, self.left, self.memory))
        return circuit

    def merge_agreeing_fluents(self, circuit: CoreCircuit) -> tuple[CoreCircuit, Agreements]:
        start = time.process_time()
        merged, agreements = _core.merge_agreeing_fluents(circuit, self.initial, self.left, self.memory) or (None, [])
        return self._noted("agreeing fluents", start, circuit, merged), tuple(agreements)

    def optimise(self, circuit: CoreCircuit) -> CoreCircuit:
        circuit = self.run(SECOND, circuit)
        for _ in range(MOST_ROUNDS):
            before = circuit.inputs
            circuit = self.run(ROUND, circuit)
            if circuit.inputs > (1 - WORTHWHILE) * before:
                break
        return self.run(LAST, circuit)

    def take_report(self) -> tuple[Pass, ...]:
        done, self.done = self.done, []
        return tuple(done)

    def _noted(self, name: str, start: float, before: CoreCircuit, after: CoreCircuit | None) -> CoreCircuit:
        if after is None:
            return before
        seconds = time.process_time() - start
        self.done.append(Pass(name, before.gates, after.gates, before.inputs, after.inputs, seconds))
        return after
