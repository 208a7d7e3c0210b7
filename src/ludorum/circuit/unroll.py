"""Recursion without loops, for formats that have none.

The wires of a component start false and never fall back, so after as many rounds as it has wires nothing can
change any more: that many copies of its gates, each reading the one before, give the fixpoint. Mostly fewer
do, which shows when two rounds give the same literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import FALSE, Circuit, Literal, Loop, Wire
from ludorum.circuit.rewrite import rewrite
from ludorum.errors import BudgetExceeded


def unroll(circuit: Circuit, *, most_gates: int = 2_000_000) -> Circuit:
    """The same circuit without loops; raises BudgetExceeded if it would get too large."""
    if not circuit.loops:
        return circuit
    first = circuit.first_gate
    builder = Builder(first)
    now: dict[Wire, Literal] = {wire: 2 * wire for wire in range(first)}

    def make(wire: Wire, values: dict[Wire, Literal]) -> None:
        values[wire] = builder.all_of([_new(literal, values) for literal in circuit.inputs_of(wire)])
        if len(builder.gate_inputs) > most_gates:
            raise BudgetExceeded(f"without its loops the circuit has more than {most_gates:,} gates")

    for loops in _components(circuit):
        cone = _cone(circuit, loops)
        turning = _turning(circuit, cone, loops)
        for wire in cone:
            if wire not in turning and wire not in now:
                make(wire, now)
        values: dict[Wire, Literal] = dict.fromkeys((loop.wire for loop in loops), FALSE)
        for _ in loops:
            round_ = now | values
            for wire in cone:
                if wire in turning and wire not in values:
                    make(wire, round_)
            following = {loop.wire: _new(loop.definition, round_) for loop in loops}
            if following == values:
                break
            values = following
        now |= values
    for wire in range(first, circuit.wires):
        if wire not in now:
            make(wire, now)

    def new(literal: Literal) -> Literal:
        return _new(literal, now)

    # Rewriting drops what only the rounds that were broken off or made constant needed.
    return rewrite(replace(
        circuit,
        gate_inputs=tuple(builder.gate_inputs),
        loops=(),
        next=tuple(map(new, circuit.next)),
        legal=tuple(tuple(map(new, of_role)) for of_role in circuit.legal),
        terminal=new(circuit.terminal),
        goals=tuple(tuple((value, new(literal)) for value, literal in goals) for goals in circuit.goals),
        percepts=tuple(tuple((term, new(literal)) for term, literal in told) for told in circuit.percepts),
    ))


def _new(literal: Literal, values: dict[Wire, Literal]) -> Literal:
    return values[literal >> 1] ^ (literal & 1)


def _components(circuit: Circuit) -> Iterator[list[Loop]]:
    """The loops of each component; those that others read come first, as their numbers do."""
    for component in sorted({loop.component for loop in circuit.loops}):
        yield [loop for loop in circuit.loops if loop.component == component]


def _cone(circuit: Circuit, loops: list[Loop]) -> list[Wire]:
    """The gates and loop wires that the definitions of a component read, in order, up to other loops."""
    found: set[Wire] = set()
    stack = [loop.definition >> 1 for loop in loops]
    while stack:
        wire = stack.pop()
        if wire >= circuit.first_gate and wire not in found:
            found.add(wire)
            stack.extend(literal >> 1 for literal in circuit.inputs_of(wire))
    return sorted(found)


def _turning(circuit: Circuit, cone: list[Wire], loops: list[Loop]) -> set[Wire]:
    """The wires of a component's cone that depend on its own loop wires."""
    found = {loop.wire for loop in loops}
    for wire in cone:
        if any(literal >> 1 in found for literal in circuit.inputs_of(wire)):
            found.add(wire)
    return found
