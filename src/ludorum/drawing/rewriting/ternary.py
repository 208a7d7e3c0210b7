"""What wires of a circuit carry where only some fluents are known: true, false, or either.

In the literature: ternary simulation (Eichelberger 1965).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.circuit import Circuit
from ludorum.errors import NoPictures

# So many wires times lanes are worked out at once.
_MOST = 30_000_000

Known = Mapping[int, bool]


class Ternary:
    """Simulates a circuit for many cases side by side."""

    def __init__(self, circuit: Circuit) -> None:
        if circuit.loops:
            raise NoPictures("its rules name themselves")
        self.circuit = circuit

    def values(self, base: Known, cases: Sequence[Known], literals: Sequence[int]) -> NDArray[np.int8]:
        """int8 [cases, literals]: 1 true, 0 false, -1 either; what is known in all cases, and in each, by wire."""
        step = max(1, _MOST // self.circuit.wires)
        parts = [self._values(base, cases[start : start + step], literals) for start in range(0, len(cases), step)]
        return np.concatenate(parts) if parts else np.zeros((0, len(literals)), np.int8)

    def _values(self, base: Known, cases: Sequence[Known], literals: Sequence[int]) -> NDArray[np.int8]:
        circuit = self.circuit
        may_hold = np.ones((circuit.wires, len(cases)), np.bool_)
        may_fail = np.ones((circuit.wires, len(cases)), np.bool_)
        may_hold[0] = False
        for wire, holds in base.items():
            may_hold[wire], may_fail[wire] = holds, not holds
        for lane, known in enumerate(cases):
            for wire, holds in known.items():
                may_hold[wire, lane], may_fail[wire, lane] = holds, not holds
        for wire, inputs in enumerate(circuit.gate_inputs, circuit.first_gate):
            all_hold = np.ones(len(cases), np.bool_)
            some_fails = np.zeros(len(cases), np.bool_)
            for literal in inputs:
                one, other = (may_fail, may_hold) if literal & 1 else (may_hold, may_fail)
                all_hold &= one[literal >> 1]
                some_fails |= other[literal >> 1]
            may_hold[wire], may_fail[wire] = all_hold, some_fails
        found = np.empty((len(cases), len(literals)), np.int8)
        for column, literal in enumerate(literals):
            one, other = (may_fail, may_hold) if literal & 1 else (may_hold, may_fail)
            wire = literal >> 1
            found[:, column] = np.where(one[wire] & other[wire], -1, one[wire])
        return found

    def fluents_of(self, literal: int) -> set[int]:
        """The fluents that a literal depends on, by number."""
        circuit = self.circuit
        found, stack, seen = set[int](), [literal >> 1], set[int]()
        while stack:
            wire = stack.pop()
            if wire in seen or wire == 0:
                continue
            seen.add(wire)
            if wire < circuit.first_move:
                found.add(wire - 1)
            elif wire >= circuit.first_gate:
                stack += [inner >> 1 for inner in circuit.gate_inputs[wire - circuit.first_gate]]
        return found
