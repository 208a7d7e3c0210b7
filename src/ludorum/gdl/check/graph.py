"""Directed graphs: components and paths."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(graph: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """Numbers every node by its strongly connected component (Tarjan's algorithm, without recursion)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    component: dict[Node, int] = {}
    path: list[Node] = []
    count = 0
    for root in graph:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        path.append(root)
        work: list[tuple[Node, Iterator[Node]]] = [(root, iter(graph[root]))]
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    path.append(successor)
                    work.append((successor, iter(graph.get(successor, ()))))
                    break
                if successor not in component:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    while node not in component:
                        component[path.pop()] = count
                    count += 1
    return component


def reachable(graph: Mapping[Node, Iterable[Node]], starts: Iterable[Node]) -> set[Node]:
    """Every node on a path from one of `starts`, these included."""
    found = set(starts)
    stack = list(found)
    while stack:
        for successor in graph.get(stack.pop(), ()):
            if successor not in found:
                found.add(successor)
                stack.append(successor)
    return found


def path_to(graph: Mapping[Node, Iterable[Node]], start: Node, goals: Container[Node],
            closed: Container[Node] = ()) -> list[Node] | None:
    """A shortest path from `start` to one of `goals`, both included, not leading through `closed` nodes."""
    previous: dict[Node, Node | None] = {start: None}
    frontier = [start]
    for node in frontier:
        if node in goals:
            path = [node]
            while (before := previous[path[-1]]) is not None:
                path.append(before)
            return path[::-1]
        if node in closed:
            continue
        # Sorted, so that the same text always gives the same message.
        for successor in sorted(graph.get(node, ()), key=repr):
            if successor not in previous:
                previous[successor] = node
                frontier.append(successor)
    return None
