"""Formulas of a game that was taken apart: what they say of each part, and what follows from that for the whole."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.factors.cofactors import Cofactors, Support
from ludorum.circuit.circuit import Literal, Wire

Truths = NDArray[np.bool_]


def interface(cofactors: Cofactors, roots: Iterable[Literal], parts: Sequence[Support]) -> list[list[Wire]]:
    """For every part, and last for the clock, the wires by which the roots depend on it and on nothing else.

    They are the first on the way down from the roots that are about one part only.
    """
    found: list[dict[Wire, None]] = [{} for _ in range(len(parts) + 1)]
    stack = [root >> 1 for root in roots]
    seen = set(stack)
    while stack:
        wire = stack.pop()
        support = cofactors.support(2 * wire)
        about = [number for number, part in enumerate(parts) if support & part]
        if len(about) < 2:
            found[about[0] if about else -1][wire] = None
            continue
        for literal in cofactors.inputs_of(wire):
            if literal >> 1 not in seen:
                seen.add(literal >> 1)
                stack.append(literal >> 1)
    return [sorted(wires) for wires in found]


def evaluate(cofactors: Cofactors, literals: Sequence[Literal], given: Mapping[Wire, Truths], size: int) -> Truths:
    """The truth of literals in many cases at once; the wires that are given are not looked into."""
    values: dict[Wire, Truths] = {0: np.zeros(size, dtype=bool), **given}
    needed = _recursive_wires(cofactors, literals, values)
    for component in cofactors.components:
        wires = [wire for wire in component if wire in needed]
        assumed = dict.fromkeys(wires, values[0])
        changed = bool(wires)
        while changed:
            known = {**values, **assumed}
            after = {wire: _evaluated(cofactors, component[wire], known) for wire in wires}
            changed = any((after[wire] != assumed[wire]).any() for wire in wires)
            assumed = after
        values.update(assumed)
    return np.array([_evaluated(cofactors, literal, values) for literal in literals]).reshape(len(literals), size)


def _recursive_wires(cofactors: Cofactors, literals: Iterable[Literal], given: Container[Wire]) -> set[Wire]:
    """The recursive wires that literals depend on, where some wires are given."""
    definitions = {wire: definition for component in cofactors.components for wire, definition in component.items()}
    stack = [literal >> 1 for literal in literals]
    seen: set[Wire] = set()
    while stack:
        wire = stack.pop()
        if wire in given or wire in seen:
            continue
        seen.add(wire)
        below = (definitions[wire],) if wire in definitions else cofactors.inputs_of(wire)
        stack.extend(literal >> 1 for literal in below)
    return seen & definitions.keys()


def _evaluated(cofactors: Cofactors, root: Literal, values: dict[Wire, Truths]) -> Truths:
    """The truth of one literal; what is found out on the way is added to the values."""
    stack = [root >> 1]
    while stack:
        wire = stack[-1]
        if wire in values:
            stack.pop()
            continue
        inputs = cofactors.inputs_of(wire)
        missing = [literal >> 1 for literal in inputs if literal >> 1 not in values]
        stack.extend(missing)
        if not missing:
            values[wire] = np.logical_and.reduce([values[literal >> 1] ^ bool(literal & 1) for literal in inputs])
    return values[root >> 1] ^ bool(root & 1)
