"""A circuit handed to the core, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Circuit as CoreCircuit
from ludorum._core import CircuitSimulator as CircuitSimulator
from ludorum.circuit.circuit import Circuit


def simulator(circuit: Circuit) -> CircuitSimulator:
    """What plays this circuit."""
    return CircuitSimulator(core_circuit(circuit))


def core_circuit(circuit: Circuit) -> CoreCircuit:
    """The circuit as the core knows it."""

    def numbers(values: Iterable[int]) -> NDArray[np.uint32]:
        return np.fromiter(values, dtype=np.uint32)

    offsets = np.zeros(circuit.wires + 1, dtype=np.uint32)
    np.cumsum([len(inputs) for inputs in circuit.gate_inputs], out=offsets[circuit.first_gate + 1 :])
    loops = sorted(circuit.loops, key=lambda loop: loop.component)
    return CoreCircuit(
        fluents=len(circuit.fluents),
        moves=[len(of_role) for of_role in circuit.moves],
        turns=circuit.turns,
        phases=circuit.phases,
        offsets=offsets,
        inputs=numbers(literal for inputs in circuit.gate_inputs for literal in inputs),
        loop_wires=numbers(loop.wire for loop in loops),
        loop_definitions=numbers(loop.definition for loop in loops),
        loop_components=numbers(loop.component for loop in loops),
        next=numbers(circuit.next),
        legal=numbers(literal for of_role in circuit.legal for literal in of_role),
        terminal=circuit.terminal,
        goals=[(role, value, literal) for role, goals in enumerate(circuit.goals) for value, literal in goals],
        percepts=[(role, literal) for role, told in enumerate(circuit.percepts) for _, literal in told],
    )
