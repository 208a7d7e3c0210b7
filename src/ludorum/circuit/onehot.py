"""Exactly one move of a role is made: none of these is one of the others.

A frame axiom reads most of a role's moves (a cell stays as it is whatever is played elsewhere); its complement reads
the few others.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.circuit.rewrite import rewrite


def use_one_hot_moves(circuit: Circuit) -> Circuit:
    first_move, first_gate = circuit.first_move, circuit.first_gate
    ranges: list[range] = []
    start = first_move
    for of_role in circuit.moves:
        ranges.append(range(start, start + len(of_role)))
        start += len(of_role)
    role_of = [role for role, of_role in enumerate(circuit.moves) for _ in of_role]

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        barred: dict[int, set[Wire]] = {}
        for literal in inputs:
            if literal & 1 and first_move <= literal >> 1 < first_gate:
                barred.setdefault(role_of[(literal >> 1) - first_move], set()).add(literal >> 1)
        inputs = list(inputs)
        for role, moves in barred.items():
            others = len(ranges[role]) - len(moves)
            if others < len(moves):
                gone = {2 * move + 1 for move in moves}
                inputs = [literal for literal in inputs if literal not in gone]
                inputs.append(builder.any_of([2 * move for move in ranges[role] if move not in moves]))
        return builder.all_of(inputs)

    return rewrite(circuit, rule)
