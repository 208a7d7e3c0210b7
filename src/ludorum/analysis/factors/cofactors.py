"""A circuit where some inputs are known: what is left of its gates, and what they still depend on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludorum._core import GateBuilder
from ludorum.circuit import Circuit
from ludorum.circuit.circuit import FALSE, TRUE, Literal, Wire

#: A set of inputs, bit w for wire w.
Support = int


class Cofactors:
    """Values of wires under assumptions; the same function written the same way always gets the same literal."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        #: How many gates were looked at so far.
        self.looked_at = 0
        self._builder = GateBuilder(circuit.first_gate)
        #: What every wire of the builder depends on.
        self._supports: list[Support] = [0, *(1 << wire for wire in range(1, circuit.first_gate))]
        # A recursive wire stays as it is, and depends on all that its component does.
        self._loops = {wire: self._loop(support) for wire, support in _loop_supports(circuit).items()}
        #: For a set of inputs the wires that depend on any of them.
        self._affected: dict[Support, list[Wire]] = {}
        #: Nothing assumed.
        self.plain = self._plain()
        #: Recursive wires with their definitions; components that others read come first.
        self.components = self._components()

    def under(self, known: Mapping[Wire, bool], values: Sequence[Literal] | None = None) -> list[Literal]:
        """The literal of every wire where some inputs are known, beside what was assumed for `values` already."""
        circuit = self.circuit
        found = list(self.plain if values is None else values)
        for wire, value in known.items():
            found[wire] = TRUE if value else FALSE
        depending = self._depending(_union(1 << wire for wire in known))
        self.looked_at += len(depending)
        for wire in depending:
            inputs = circuit.gate_inputs[wire - circuit.first_gate]
            found[wire] = self._all_of([found[literal >> 1] ^ (literal & 1) for literal in inputs])
        return found

    def _plain(self) -> list[Literal]:
        circuit = self.circuit
        found = list(range(0, 2 * circuit.first_gate, 2))
        for wire, inputs in enumerate(circuit.gate_inputs, start=circuit.first_gate):
            loop = self._loops.get(wire)
            found.append(self._all_of([found[literal >> 1] ^ (literal & 1) for literal in inputs])
                         if loop is None else loop)
        return found

    def _components(self) -> list[dict[Wire, Literal]]:
        found: dict[int, dict[Wire, Literal]] = {}
        for loop in sorted(self.circuit.loops, key=lambda loop: loop.component):
            definition = self.plain[loop.definition >> 1] ^ (loop.definition & 1)
            found.setdefault(loop.component, {})[self.plain[loop.wire] >> 1] = definition
        return list(found.values())

    def _depending(self, inputs: Support) -> list[Wire]:
        """The gates that have to be looked at again when some inputs are known."""
        if inputs not in self._affected:
            self._affected[inputs] = [wire for wire in range(self.circuit.first_gate, self.circuit.wires)
                                      if wire not in self._loops and self.support(self.plain[wire]) & inputs]
        return self._affected[inputs]

    def inputs_of(self, wire: Wire) -> tuple[Literal, ...]:
        """The literals whose conjunction a wire is; none for an input of the game and for a recursive wire."""
        return self._builder.inputs_of(wire)

    def support(self, literal: Literal) -> Support:
        return self._supports[literal >> 1]

    def conjuncts(self, literal: Literal) -> list[Literal]:
        """Literals whose conjunction it is, taken apart as far as they are conjunctions."""
        found: list[Literal] = []
        stack = [literal]
        while stack:
            item = stack.pop()
            inputs = self._builder.inputs_of(item >> 1) if item & 1 == 0 else ()
            if inputs:
                stack.extend(inputs)
            else:
                found.append(item)
        return sorted(set(found) - {TRUE})

    def _all_of(self, literals: list[Literal]) -> Literal:
        made = self._builder.again(literals)
        while len(self._supports) < self._builder.wires:
            inputs = self._builder.inputs_of(len(self._supports))
            self._supports.append(_union(self._supports[literal >> 1] for literal in inputs))
        return made

    def _loop(self, support: Support) -> Literal:
        self._supports.append(support)
        return 2 * self._builder.loop_wire()


def _union(supports: Iterable[Support]) -> Support:
    union = 0
    for support in supports:
        union |= support
    return union


def _loop_supports(circuit: Circuit) -> dict[Wire, Support]:
    """What recursive wires depend on, as the least sets that agree with each other."""
    supports: dict[Wire, Support] = {loop.wire: 0 for loop in circuit.loops}
    changed = bool(supports)
    while changed:
        every: list[Support] = [0, *(1 << wire for wire in range(1, circuit.first_gate))]
        for wire, inputs in enumerate(circuit.gate_inputs, start=circuit.first_gate):
            every.append(supports[wire] if wire in supports else _union(every[literal >> 1] for literal in inputs))
        after = {loop.wire: every[loop.definition >> 1] for loop in circuit.loops}
        changed = after != supports
        supports = after
    return supports
