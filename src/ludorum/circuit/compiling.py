"""The passes in their order."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludorum.circuit.build import build
from ludorum.circuit.circuit import Circuit, Pass
from ludorum.circuit.factor import factor
from ludorum.circuit.flatten import flatten
from ludorum.circuit.legality import use_legality
from ludorum.circuit.onehot import use_one_hot_moves
from ludorum.circuit.rewrite import rewrite
from ludorum.circuit.share import share
from ludorum.ground.program import GroundProgram

PASSES: tuple[tuple[str, Callable[[Circuit], Circuit]], ...] = (
    ("simplify", rewrite),
    ("legality", use_legality),
    ("flatten", flatten),
    ("one-hot moves", use_one_hot_moves),
    ("factor", factor),
    ("flatten", flatten),
    ("one-hot moves", use_one_hot_moves),
    ("factor", factor),
    ("flatten", flatten),
    ("one-hot moves", use_one_hot_moves),
    ("share", share),
)


def compile_circuit(program: GroundProgram) -> Circuit:
    """The circuit of a ground program, made small."""
    began = time.perf_counter()
    circuit = build(program)
    passes = [Pass("build", 0, circuit.gates, 0, circuit.inputs, time.perf_counter() - began)]
    for name, optimise in PASSES:
        began = time.perf_counter()
        smaller = optimise(circuit)
        passes.append(Pass(name, circuit.gates, smaller.gates, circuit.inputs, smaller.inputs,
                           time.perf_counter() - began))
        circuit = smaller
    return circuit.with_passes(tuple(passes))
