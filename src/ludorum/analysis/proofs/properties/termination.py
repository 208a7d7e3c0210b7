"""Why every match ends: something that can only go one way goes that way in every step.

Either a counter, fluents of which exactly one holds, each followed only by ones that lead no way back; or fluents that
once they hold (or do not) stay so, of which at least one changes in every step; or a measure, the weights of all
fluents that hold, which falls in every step. A match that comes back to a state it was in refutes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ludorum.analysis.proofs.encoding.frames import any_step
from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.properties.ranking import ranking
from ludorum.analysis.samples import Samples
from ludorum.clock import Budget
from ludorum.grammar import agree

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """No match has more steps than this."""

    steps: int
    #: What shows it, in words.
    why: str


def returning(samples: Samples) -> int | None:
    """A sample that is the same state as an earlier one of the same match, if there is one."""
    _, same = np.unique(samples.rows, axis=0, return_inverse=True)
    states = same.reshape(-1).tolist()
    parents = samples.parents.tolist()
    match = list(range(len(samples)))
    met: set[tuple[int, int]] = set()
    for index in range(1, len(samples)):
        # A match is named after its first sample past the initial state.
        match[index] = match[parents[index]] if parents[index] > 0 else index
        key = match[index], states[index]
        if key in met or states[index] == states[0]:
            return index
        met.add(key)
    return None


def counted(model: PropertyCircuit, group: Sequence[int], known: Iterable[Literal], samples: Samples, why: str,
            budget: Budget) -> Bound | None:
    """A bound by a counter: `group` are fluents of which exactly one holds, always. Raises BudgetExceeded."""
    value = np.argmax(samples.bits[:, list(group)], axis=1)
    came = samples.parents >= 0
    edges = set(zip(value[samples.parents[came]].tolist(), value[came].tolist(), strict=True))
    first = int(value[0])
    if _longest(edges, len(group), first) is None:
        return None
    with any_step(model, known, budget) as (solver, frame, after):
        here, there = ([step.literal(model.fluent(number)) for number in group] for step in (frame, after))
        # One of them holds afterwards, too.
        solver.add(there, *([-here[a], -there[b]] for a, b in edges))
        while solver.solve():
            edge = next(a for a, x in enumerate(here) if solver.holds(x)), next(
                b for b, x in enumerate(there) if solver.holds(x))
            edges.add(edge)
            if _longest(edges, len(group), first) is None:
                return None
            solver.add([-here[edge[0]], -there[edge[1]]])
    longest = _longest(edges, len(group), first)
    assert longest is not None
    return Bound(longest, why)


def _longest(edges: set[Edge], nodes: int, start: int) -> int | None:
    """The number of edges of the longest path from a node; None if there is a cycle anywhere."""
    following: list[list[int]] = [[] for _ in range(nodes)]
    entering = [0] * nodes
    for a, b in edges:
        following[a].append(b)
        entering[b] += 1
    ready = [node for node in range(nodes) if not entering[node]]
    depth = [0 if node == start else -nodes - 1 for node in range(nodes)]
    done = 0
    while ready:
        node = ready.pop()
        done += 1
        for other in following[node]:
            depth[other] = max(depth[other], depth[node] + 1)
            entering[other] -= 1
            if not entering[other]:
                ready.append(other)
    return max(0, *depth) if done == nodes else None


def worn_down(model: PropertyCircuit, stays_true: Sequence[int], stays_false: Sequence[int], known: Iterable[Literal],
              budget: Budget) -> Bound | None:
    """A bound by fluents that change at most once, at least one of them in every step; raises BudgetExceeded."""
    initial = set(model.circuit.initial)
    rising = [number for number in stays_true if number not in initial]
    falling = [number for number in stays_false if number in initial]
    with any_step(model, known, budget) as (solver, frame, after):
        # One switch a fluent: it does not change.
        still = {number: solver.variable() for number in (*rising, *falling)}
        for number, switch in still.items():
            here, there = (step.literal(model.fluent(number)) for step in (frame, after))
            solver.add([-switch, -here, there], [-switch, here, -there])
        for numbers, how in sorted(((falling, "stops holding"), (rising, "begins to hold"),
                                    ([*falling, *rising], "changes")), key=lambda option: len(option[0])):
            if numbers and not solver.solve(still[number] for number in numbers):
                which = f"one of {len(numbers)} fluents" if len(numbers) > 1 else str(model.circuit.fluents[numbers[0]])
                return Bound(len(numbers), f"in every step {which} {how} for good")
    return None


def measured(model: PropertyCircuit, samples: Samples, known: Iterable[Literal], budget: Budget) -> Bound | None:
    """A bound by a measure of states that falls in every step; raises BudgetExceeded."""
    found = ranking(model, samples, known, budget)
    if found is None:
        return None
    counted = sum(map(bool, found.true)) + sum(map(bool, found.false))
    return Bound(found.steps, f"in every step a sum of {counted} weighted {agree(counted, 'fluent')} falls")
