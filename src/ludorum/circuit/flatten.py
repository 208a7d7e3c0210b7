"""A conjunction that only one other conjunction reads is part of that one."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.circuit.rewrite import fan_out, rewrite


def flatten(circuit: Circuit) -> Circuit:
    readers = fan_out(circuit)

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        flat: list[Literal] = []
        for old, literal in zip(circuit.inputs_of(wire), inputs, strict=True):
            below = builder.inputs_of(literal >> 1) if not literal & 1 and readers[old >> 1] == 1 else ()
            if below:
                flat.extend(below)
            else:
                flat.append(literal)
        return builder.again(inputs) if len(flat) == len(inputs) else builder.all_of(flat)

    return rewrite(circuit, rule)
