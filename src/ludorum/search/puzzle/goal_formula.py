"""The formula of a goal, for the core to tell how far a state is from it."""

from __future__ import annotations

import numpy as np

from ludorum._core import GoalDistance
from ludorum.circuit import Circuit
from ludorum.circuit.circuit import Literal

# A goal that takes more gates than this (such as one that counts points) says little, and takes long to evaluate.
_MAX_CONE_GATES = 20_000


def goal_distance(circuit: Circuit, value: int) -> GoalDistance | None:
    """How far states are from a goal of this value of the only role; None where the formula is too large."""
    roots = [literal for goal, literal in circuit.goals[0] if goal == value]
    wires = _cone(circuit, roots[0]) if roots else []
    if not wires or len(wires) > _MAX_CONE_GATES:
        return None
    # Gates are numbered anew, right after the fluents; a loop wire keeps no inputs: nothing is known of it.
    first = 1 + len(circuit.fluents)
    numbers = {wire: first + i for i, wire in enumerate(wire for wire in wires if wire >= first)}
    inputs: list[Literal] = []
    offsets = [0]
    for wire in numbers:
        inputs += [2 * numbers.get(literal >> 1, literal >> 1) + (literal & 1) for literal in circuit.inputs_of(wire)]
        offsets.append(len(inputs))
    root = roots[0]
    return GoalDistance(len(circuit.fluents), np.array(offsets, dtype=np.uint32), np.array(inputs, dtype=np.uint32),
                        2 * numbers.get(root >> 1, root >> 1) + (root & 1))


def _cone(circuit: Circuit, root: Literal) -> list[int]:
    """The wires that a literal depends on without going through a loop, in the order of their numbers."""
    seen: set[int] = set()
    stack = [root >> 1]
    while stack:
        wire = stack.pop()
        if wire not in seen:
            seen.add(wire)
            stack += [literal >> 1 for literal in circuit.inputs_of(wire)]
    return sorted(seen)
