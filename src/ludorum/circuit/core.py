"""Circuits and ground programs handed to the core and back, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Circuit as CoreCircuit
from ludorum._core import CircuitSimulator as CircuitSimulator
from ludorum._core import GroundProgram as CoreProgram
from ludorum.circuit.circuit import Circuit, Loop
from ludorum.ground.program import GroundProgram


def simulator(circuit: Circuit) -> CircuitSimulator:
    """What plays this circuit."""
    return CircuitSimulator(core_circuit(circuit))


def core_circuit(circuit: Circuit) -> CoreCircuit:
    """The circuit as the core knows it."""
    offsets = np.zeros(circuit.wires + 1, dtype=np.uint32)
    np.cumsum([len(inputs) for inputs in circuit.gate_inputs], out=offsets[circuit.first_gate + 1 :])
    loops = sorted(circuit.loops, key=lambda loop: loop.component)
    return CoreCircuit(
        fluents=len(circuit.fluents),
        moves=[len(of_role) for of_role in circuit.moves],
        turns=circuit.turns,
        phases=circuit.phases,
        offsets=offsets,
        inputs=_numbers(literal for inputs in circuit.gate_inputs for literal in inputs),
        loop_wires=_numbers(loop.wire for loop in loops),
        loop_definitions=_numbers(loop.definition for loop in loops),
        loop_components=_numbers(loop.component for loop in loops),
        next=_numbers(circuit.next),
        legal=_numbers(literal for of_role in circuit.legal for literal in of_role),
        terminal=circuit.terminal,
        goals=[(role, value, literal) for role, goals in enumerate(circuit.goals) for value, literal in goals],
        percepts=[(role, literal) for role, told in enumerate(circuit.percepts) for _, literal in told],
    )


def with_gates(circuit: Circuit, made: CoreCircuit) -> Circuit:
    """A circuit with the gates of another that has the same inputs and questions."""
    ends = [0, *accumulate(map(len, circuit.moves))]
    goals, percepts = iter(made.goals), iter(made.percepts)
    return replace(
        circuit,
        gate_inputs=made.gate_inputs,
        loops=tuple(Loop(*loop) for loop in made.loops),
        next=tuple(made.next),
        legal=tuple(tuple(made.legal[start:end]) for start, end in pairwise(ends)),
        terminal=made.terminal,
        goals=tuple(tuple((value, next(goals)[2]) for value, _ in of_role) for of_role in circuit.goals),
        percepts=tuple(tuple((term, next(percepts)[1]) for term, _ in told) for told in circuit.percepts),
        turns=made.turns,
        phases=tuple(map(tuple, made.phases)),
    )


def core_program(program: GroundProgram) -> CoreProgram:
    """The ground program as the core knows it."""
    heads, ends, literals = program.rules.arrays
    return CoreProgram(
        atoms=program.atom_count,
        heads=heads,
        ends=ends,
        literals=literals,
        facts=list(program.facts),
        fluents=program.fluent_atoms,
        moves=[len(of_role) for of_role in program.moves],
        does=[atom for of_role in program.move_atoms for atom in of_role],
        legal=[atom for of_role in program.legal_atoms for atom in of_role],
        next=program.next_atoms,
        terminal=program.terminal_atom,
        goals=[(role, value, atom) for role, goals in enumerate(program.goal_atoms) for value, atom in goals],
        percepts=[(role, atom) for role, told in enumerate(program.percept_atoms) for _, atom in told],
    )


def _numbers(values: Iterable[int]) -> NDArray[np.uint32]:
    return np.fromiter(values, dtype=np.uint32)
