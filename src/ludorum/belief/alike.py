"""Moves that have the same effect on the state and on what a role is told, so that one of them stands for all."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from ludorum.circuit import Circuit


def alike_moves(circuit: Circuit, *seats: int) -> NDArray[np.uint32]:
    """For every move, role by role, the first that no fluent and no percept of the roles in these seats tells from it.

    Two moves are taken to be alike if they are inputs of the same gates: a gate does not know its inputs apart. This
    finds fewer than there are, but none that are not.
    """
    outputs = [*circuit.next, *(literal for seat in seats for _, literal in circuit.percepts[seat])]
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    uses: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for place, literal in enumerate(outputs):
        uses[literal >> 1].append((0, place, bool(literal & 1)))
    waiting = [literal >> 1 for literal in outputs]
    reached = set(waiting)
    while waiting:
        wire = waiting.pop()
        inputs = circuit.inputs_of(wire)
        if wire in definitions:
            inputs = (*inputs, definitions[wire])
        for literal in inputs:
            uses[literal >> 1].append((1, wire, bool(literal & 1)))
            if literal >> 1 not in reached:
                reached.add(literal >> 1)
                waiting.append(literal >> 1)
    firsts: dict[tuple[object, ...], int] = {}
    classes = np.empty(sum(map(len, circuit.moves)), dtype=np.uint32)
    number = 0
    for role, moves in enumerate(circuit.moves):
        for _ in moves:
            kind = (role, *sorted(uses[circuit.first_move + number]))
            classes[number] = firsts.setdefault(kind, number)
            number += 1
    return classes
