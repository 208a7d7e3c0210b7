"""Parts of a circuit that are only asked whether they hold: a circuit of their own, evaluated one bit a state."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.circuit.circuit import FALSE, Circuit, Literal, Loop
from ludorum.circuit.core import CircuitSimulator, simulator
from ludorum.gdl.terms import Term


def conditions(circuit: Circuit, literals: Sequence[Literal]) -> CircuitSimulator:
    """What tells which of the literals hold in a state: as the legal moves of its only role, in their order.

    The literals must not depend on moves.
    """
    needed = _cone(circuit, literals)
    first = 1 + len(circuit.fluents) + len(literals)
    wires = {wire: wire for wire in range(circuit.first_move)} | {wire: first + i for i, wire in enumerate(needed)}

    def moved(literal: Literal) -> Literal:
        return 2 * wires[literal >> 1] | literal & 1

    return simulator(Circuit(
        roles=(Term("asker"),),
        fluents=circuit.fluents,
        moves=(tuple(Term(f"condition{number}") for number in range(len(literals))),),
        initial=(),
        gate_inputs=tuple(tuple(map(moved, circuit.inputs_of(wire))) for wire in needed),
        loops=tuple(Loop(wires[loop.wire], moved(loop.definition), loop.component)
                    for loop in circuit.loops if loop.wire in wires),
        next=(FALSE,) * len(circuit.fluents),
        legal=(tuple(map(moved, literals)),),
        terminal=FALSE,
        goals=((),),
        percepts=((),),
    ))


def fluents_below(circuit: Circuit, literal: Literal) -> set[int]:
    """The numbers of the fluents that a literal depends on."""
    gates = _cone(circuit, [literal])
    inputs = {wire >> 1 for gate in gates for wire in circuit.inputs_of(gate)} | {literal >> 1}
    inputs |= {loop.definition >> 1 for loop in circuit.loops if loop.wire in set(gates)}
    return {wire - 1 for wire in inputs if 0 < wire < circuit.first_move}


def _cone(circuit: Circuit, literals: Sequence[Literal]) -> list[int]:
    """The gates and loop wires that literals depend on, ascending."""
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    found: set[int] = set()
    stack = [literal >> 1 for literal in literals]
    while stack:
        wire = stack.pop()
        if wire in found or wire < circuit.first_gate:
            continue
        found.add(wire)
        stack += [literal >> 1 for literal in circuit.inputs_of(wire)]
        if wire in definitions:
            stack.append(definitions[wire] >> 1)
    return sorted(found)
