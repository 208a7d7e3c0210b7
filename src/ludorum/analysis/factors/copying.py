"""Formulas of a game that was taken apart, copied into a circuit of their own."""

from __future__ import annotations

from collections.abc import Mapping

from ludorum._core import GateBuilder
from ludorum.analysis.factors.cofactors import Cofactors
from ludorum.circuit.circuit import Literal, Loop, Wire


class Copying:
    """Makes gates of a new circuit that say what formulas of the old one say, where wires stand for what is given."""

    def __init__(self, cofactors: Cofactors, builder: GateBuilder, given: Mapping[Wire, Literal]) -> None:
        self._cofactors = cofactors
        self._builder = builder
        self._made: dict[Wire, Literal] = {0: 0, **given}
        self._definitions = {wire: (definition, number) for number, component in enumerate(cofactors.components)
                             for wire, definition in component.items()}
        #: Recursive wires of the new circuit, as far as they are needed.
        self.loops: list[Loop] = []

    def literal(self, asked: Literal) -> Literal:
        """What a literal is in the new circuit."""
        waiting = self._copy(asked >> 1)
        while waiting:
            wire = waiting.pop()
            definition, component = self._definitions[wire]
            waiting += self._copy(definition >> 1)
            self.loops.append(Loop(self._made[wire] >> 1, self._new(definition), component))
        return self._new(asked)

    def _copy(self, root: Wire) -> list[Wire]:
        """Makes all gates that a wire needs; the recursive wires among them that are still to be defined."""
        waiting = []
        stack = [root]
        while stack:
            wire = stack[-1]
            if wire in self._made:
                stack.pop()
            elif wire in self._definitions:
                self._made[wire] = 2 * self._builder.loop_wire()
                waiting.append(wire)
            else:
                inputs = self._cofactors.inputs_of(wire)
                assert inputs, f"wire {wire} is not given"
                missing = [literal >> 1 for literal in inputs if literal >> 1 not in self._made]
                stack.extend(missing)
                if not missing:
                    self._made[wire] = self._builder.all_of([self._new(literal) for literal in inputs])
        return waiting

    def _new(self, literal: Literal) -> Literal:
        return self._made[literal >> 1] ^ (literal & 1)
