"""Pairs of literals that many gates read are read once."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import replace

from ludorum.circuit.circuit import Circuit, Literal
from ludorum.circuit.rewrite import rewrite

#: A pair must be read by this many gates: a gate of its own costs two inputs, a result and its place.
WORTH = 4
#: Gates with more inputs are left alone: their pairs are too many to count.
WIDEST = 200
MOST_PAIRS = 4_000_000


def share(circuit: Circuit) -> Circuit:
    """Takes out the most common pair, then the next, until none is worth a gate."""
    first = circuit.first_gate
    gates: list[set[Literal]] = [set(inputs) for inputs in circuit.gate_inputs]
    loop_wires = {loop.wire - first for loop in circuit.loops}
    holders: dict[tuple[Literal, Literal], set[int]] = defaultdict(set)
    total = 0
    for number, inputs in sorted(enumerate(gates), key=lambda entry: len(entry[1])):
        if len(inputs) < 3 or len(inputs) > WIDEST or number in loop_wires:
            continue
        total += len(inputs) * (len(inputs) - 1) // 2
        if total > MOST_PAIRS:
            break
        ordered = sorted(inputs)
        for i, a in enumerate(ordered):
            for b in ordered[i + 1 :]:
                holders[a, b].add(number)
    for pair in [pair for pair, numbers in holders.items() if len(numbers) < 2]:
        del holders[pair]
    heap = [(-len(numbers), pair) for pair, numbers in holders.items() if len(numbers) >= WORTH]
    heapq.heapify(heap)
    extra: list[tuple[Literal, Literal]] = []
    next_literal = 2 * circuit.wires
    while heap:
        count, pair = heapq.heappop(heap)
        numbers = holders.get(pair)
        if numbers is None or len(numbers) < WORTH:
            continue
        if len(numbers) != -count:
            heapq.heappush(heap, (-len(numbers), pair))
            continue
        a, b = pair
        new, next_literal = next_literal, next_literal + 2
        extra.append(pair)
        touched: set[tuple[Literal, Literal]] = set()
        for number in sorted(numbers):
            inputs = gates[number]
            inputs.discard(a)
            inputs.discard(b)
            for x in inputs:
                for gone in (a, b):
                    old = (gone, x) if gone < x else (x, gone)
                    if old in holders:
                        holders[old].discard(number)
                holders[x, new].add(number)
                touched.add((x, new))
            inputs.add(new)
        del holders[pair]
        for fresh in touched:
            if len(holders[fresh]) >= WORTH:
                heapq.heappush(heap, (-len(holders[fresh]), fresh))
    if not extra:
        return circuit
    return _in_order(circuit, gates, extra)


def _in_order(circuit: Circuit, gates: list[set[Literal]], extra: list[tuple[Literal, Literal]]) -> Circuit:
    """The circuit with the new gates put where what they read is known."""
    first, wires = circuit.first_gate, circuit.wires
    needed_by: dict[int, list[int]] = defaultdict(list)
    # A pair stands right after the later of its two inputs; pairs of pairs after those.
    place: list[int] = []
    for number, (a, b) in enumerate(extra):
        at = 0
        for literal in (a, b):
            wire = literal >> 1
            at = max(at, place[wire - wires] if wire >= wires else wire)
        place.append(at)
        needed_by[max(at, first - 1)].append(number)
    now: dict[int, int] = {wire: wire for wire in range(first)}
    inputs: list[tuple[Literal, ...]] = []

    def add(old: int, literals: tuple[Literal, ...] | list[Literal]) -> None:
        now[old] = first + len(inputs)
        inputs.append(tuple(sorted(2 * now[x >> 1] + (x & 1) for x in literals)))

    for number in needed_by[first - 1]:
        add(wires + number, extra[number])
    for wire in range(first, wires):
        add(wire, sorted(gates[wire - first]))
        for number in needed_by[wire]:
            add(wires + number, extra[number])

    def new(literal: Literal) -> Literal:
        return 2 * now[literal >> 1] + (literal & 1)

    return rewrite(replace(
        circuit,
        gate_inputs=tuple(inputs),
        loops=tuple(replace(loop, wire=now[loop.wire], definition=new(loop.definition)) for loop in circuit.loops),
        next=tuple(map(new, circuit.next)),
        legal=tuple(tuple(map(new, of_role)) for of_role in circuit.legal),
        terminal=new(circuit.terminal),
        goals=tuple(tuple((value, new(literal)) for value, literal in goals) for goals in circuit.goals),
        percepts=tuple(tuple((term, new(literal)) for term, literal in told) for told in circuit.percepts),
    ))
