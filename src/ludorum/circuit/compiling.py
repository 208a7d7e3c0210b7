"""The passes in their order."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

from ludorum.circuit.agree import merge_agreeing_fluents
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

FIRST: Stage = (("simplify", rewrite), ("legality", use_legality), ("agreeing fluents", merge_agreeing_fluents),
                ("flatten", flatten), ("one-hot moves", use_one_hot_moves))
#: Each makes work for the others, so they go round until a round wins next to nothing.
ROUND: Stage = (("factor", factor), ("flatten", flatten), ("one-hot moves", use_one_hot_moves))
LAST: Stage = (("share", share), ("turns", find_turns))

MOST_ROUNDS = 4
#: A round must take away this share of the inputs to be followed by another.
WORTHWHILE = 0.01


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


def _compile(program: GroundProgram, limit: float) -> Circuit:
    start = time.perf_counter()
    circuit = build(program)
    passes = [Pass("build", 0, circuit.gates, 0, circuit.inputs, time.perf_counter() - start)]

    def run(stage: Stage) -> None:
        nonlocal circuit
        for name, optimise in stage:
            began = time.perf_counter()
            # A pass takes about as long as building did; one that would not end in time is left out.
            if began - start + 2 * passes[0].seconds > limit:
                return
            smaller = optimise(circuit)
            passes.append(Pass(name, circuit.gates, smaller.gates, circuit.inputs, smaller.inputs,
                               time.perf_counter() - began))
            circuit = smaller

    run(FIRST)
    for _ in range(MOST_ROUNDS):
        before = circuit.inputs
        run(ROUND)
        if circuit.inputs > (1 - WORTHWHILE) * before:
            break
    run(LAST)
    if time.perf_counter() - start > limit:
        raise TooLargeToGround(f"compiling {len(program.heads)} ground rules took more than {limit:.0f} s")
    return circuit.with_passes(tuple(passes))
