"""Rebuilding a circuit gate by gate: the frame of every pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import Circuit, Literal, Loop, Wire

#: Makes a gate anew: gets the builder, the old wire and its inputs in the new circuit.
Rule = Callable[[Builder, Wire, Sequence[Literal]], Literal]


def needed_wires(circuit: Circuit) -> bytearray:
    """For every wire whether something that is asked for depends on it."""
    needed = bytearray(circuit.wires)
    definitions = {loop.wire: loop.definition >> 1 for loop in circuit.loops}
    stack = [literal >> 1 for literal in circuit.roots()]
    first = circuit.first_gate
    while stack:
        wire = stack.pop()
        if needed[wire]:
            continue
        needed[wire] = 1
        if wire >= first:
            stack.extend(literal >> 1 for literal in circuit.gate_inputs[wire - first])
            if wire in definitions:
                stack.append(definitions[wire])
    return needed


def fan_out(circuit: Circuit) -> list[int]:
    """For every wire how often it is read, by gates or from outside."""
    readers = [0] * circuit.wires
    for inputs in circuit.gate_inputs:
        for literal in inputs:
            readers[literal >> 1] += 1
    for literal in circuit.roots():
        readers[literal >> 1] += 1
    for loop in circuit.loops:
        readers[loop.definition >> 1] += 1
    return readers


def rewrite(circuit: Circuit, rule: Rule | None = None, given: Sequence[Literal] | None = None) -> Circuit:
    """The circuit rebuilt: every gate that is needed made anew by `rule`, inputs before the gates that read them.

    `given`, if there is one, says what to use in place of the constant, the fluents and the moves. What is known of
    turns is to be found anew.
    """
    first = circuit.first_gate
    builder = Builder(first)
    needed = needed_wires(circuit)
    loop_wires = {loop.wire for loop in circuit.loops}
    # What each old wire is now.
    now: list[Literal] = [2 * wire for wire in range(first)] if given is None else list(given)
    for wire in range(first, circuit.wires):
        if not needed[wire]:
            now.append(-1)
        elif wire in loop_wires:
            now.append(2 * builder.loop_wire())
        else:
            inputs = [now[literal >> 1] ^ (literal & 1) for literal in circuit.gate_inputs[wire - first]]
            now.append(rule(builder, wire, inputs) if rule else builder.all_of(inputs))

    def new(literal: Literal) -> Literal:
        return now[literal >> 1] ^ (literal & 1)

    return replace(
        circuit,
        turns=1,
        phases=(),
        gate_inputs=tuple(builder.gate_inputs),
        loops=tuple(Loop(now[loop.wire] >> 1, new(loop.definition), loop.component)
                    for loop in circuit.loops if needed[loop.wire]),
        next=tuple(map(new, circuit.next)),
        legal=tuple(tuple(map(new, of_role)) for of_role in circuit.legal),
        terminal=new(circuit.terminal),
        goals=tuple(tuple((value, new(literal)) for value, literal in goals) for goals in circuit.goals),
        percepts=tuple(tuple((term, new(literal)) for term, literal in told) for told in circuit.percepts),
    )
