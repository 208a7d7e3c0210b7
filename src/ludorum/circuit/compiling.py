"""The passes in their order."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from dataclasses import replace

from ludorum.circuit.agree import merge_agreeing_fluents
from ludorum.circuit.assume import Assumptions, use_assumptions
from ludorum.circuit.build import build
from ludorum.circuit.circuit import Circuit, Pass
from ludorum.circuit.factor import factor
from ludorum.circuit.flatten import flatten
from ludorum.circuit.legality import use_legality
from ludorum.circuit.onehot import use_one_hot_moves
from ludorum.circuit.rewrite import rewrite
from ludorum.circuit.share import share
from ludorum.circuit.turns import find_turns
from ludorum.errors import TooLargeToGround
from ludorum.ground.program import GroundProgram

Optimise = Callable[[Circuit], Circuit]

Stage = tuple[tuple[str, Optimise], ...]

FIRST: Stage = (("simplify", rewrite), ("legality", use_legality))
SECOND: Stage = (("flatten", flatten), ("one-hot moves", use_one_hot_moves))
#: Each makes work for the others, so they go round until a round wins next to nothing.
ROUND: Stage = (("factor", factor), ("flatten", flatten), ("one-hot moves", use_one_hot_moves))
LAST: Stage = (("share", share), ("turns", find_turns))

MOST_ROUNDS = 4
#: A round must take away this share of the inputs to be followed by another.
WORTHWHILE = 0.01
#: And what is proved of reachable states this share, to be worth a circuit of its own.
WORTH_A_CIRCUIT = 0.05


def compile_circuit(program: GroundProgram, seconds: float | None = None) -> Circuit:
    """The circuit of a ground program, made small.

    With a limit of seconds it is made as small as they allow; TooLargeToGround if they do not suffice for a circuit.
    """
    # Millions of tuples and nothing that refers back: the collector of cycles would only walk through them.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _compile(program, math.inf if seconds is None else seconds)
    finally:
        if collects:
            gc.enable()


def assuming(circuit: Circuit, assumed: Assumptions, seconds: float | None = None) -> Circuit:
    """The circuit with a smaller one for reachable states beside it, made by what was proved of these.

    It is the same circuit if that wins nothing.
    """
    base = circuit if circuit.reachable is None else circuit.reachable
    last_start = math.inf if seconds is None else time.perf_counter() + seconds

    def use(circuit: Circuit) -> Circuit:
        return use_assumptions(circuit, assumed)

    smaller = _optimise(_run((("proved fluents", use),), base.with_passes(()), last_start), last_start)
    return replace(circuit, reachable=smaller) if smaller.inputs < base.inputs else circuit


def made_small(circuit: Circuit, seconds: float | None = None) -> Circuit:
    """The same circuit with fewer gates, as far as that many seconds allow."""
    last_start = math.inf if seconds is None else time.perf_counter() + seconds
    return _optimise(_run(FIRST, circuit.with_passes(()), last_start), last_start)


def _compile(program: GroundProgram, limit: float) -> Circuit:
    if limit <= 0:
        raise TooLargeToGround(f"grounding left no time to compile its {len(program.heads):,} rules",
                               program.report.get("sizes"))
    start = time.perf_counter()
    built = build(program)
    seconds = time.perf_counter() - start
    built = built.with_passes((Pass("build", 0, built.gates, 0, built.inputs, seconds),))
    # A pass takes about as long as building did; one that would not end in time is left out.
    last_start = start + limit - 2 * seconds
    first = _run(FIRST, built, last_start)
    circuit = _optimise(first, last_start)
    merged = _run((("agreeing fluents", merge_agreeing_fluents),), first.with_passes(()), last_start)
    if merged.inputs <= (1 - WORTH_A_CIRCUIT) * first.inputs:
        reachable = _optimise(merged, last_start)
        if reachable.inputs <= (1 - WORTH_A_CIRCUIT) * circuit.inputs:
            circuit = replace(circuit, reachable=reachable)
    if time.perf_counter() - start > limit:
        raise TooLargeToGround(f"compiling {len(program.heads):,} ground rules took more than {limit:.0f} s",
                               program.report.get("sizes"))
    return circuit


def _optimise(circuit: Circuit, last_start: float) -> Circuit:
    circuit = _run(SECOND, circuit, last_start)
    for _ in range(MOST_ROUNDS):
        before = circuit.inputs
        circuit = _run(ROUND, circuit, last_start)
        if circuit.inputs > (1 - WORTHWHILE) * before:
            break
    return _run(LAST, circuit, last_start)


def _run(stage: Stage, circuit: Circuit, last_start: float) -> Circuit:
    """The passes of a stage, each noted, as far as they can start in time."""
    for name, optimise in stage:
        began = time.perf_counter()
        if began > last_start:
            break
        smaller = optimise(circuit)
        did = Pass(name, circuit.gates, smaller.gates, circuit.inputs, smaller.inputs, time.perf_counter() - began)
        circuit = smaller.with_passes((*circuit.passes, did))
    return circuit
