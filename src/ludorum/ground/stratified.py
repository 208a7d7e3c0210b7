"""Negative cycles: atoms that depend on their own negation, for which the rules say nothing definite."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(successors: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components, each before those that point at it (Tarjan's algorithm)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    found: list[list[Node]] = []
    for root in successors:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(successors[root]))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in successors:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(successors[other])))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        other = stack.pop()
                        on_stack.discard(other)
                        component.append(other)
                        if other == node:
                            break
                    found.append(component)
    return found


def negative_cycle(heads: Sequence[int], bodies: Sequence[tuple[int, ...]]) -> list[int] | None:
    """The atoms of a shortest cycle through a negation, in the order of dependence; None if there is none."""
    depends: dict[int, set[int]] = {}
    for head, body in zip(heads, bodies, strict=True):
        depends.setdefault(head, set()).update(literal if literal >= 0 else ~literal for literal in body)
    component = {atom: i for i, atoms in enumerate(components(depends)) for atom in atoms}
    for head, body in zip(heads, bodies, strict=True):
        for literal in body:
            if literal < 0 and component.get(~literal) == component[head]:
                return _path(~literal, head, depends)
    return None


def _path(start: int, end: int, depends: Mapping[int, Iterable[int]]) -> list[int]:
    """A shortest way from an atom through what it depends on to another, which comes first."""
    before: dict[int, int] = {start: start}
    queue = [start]
    for atom in queue:
        if atom == end:
            break
        for other in depends.get(atom, ()):
            if other not in before:
                before[other] = atom
                queue.append(other)
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return [end, *reversed(way[1:])]
