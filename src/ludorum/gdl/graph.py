"""Directed graphs: components and paths."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
_Thing = TypeVar("_Thing")


def strongly_connected(roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The strongly connected components that can be reached from some nodes, each before those that point at it.

    A component is yielded when it is complete; what `successors` says may depend on what was yielded before. Without
    recursion: rules come from strangers.

    In the literature: Tarjan 1972.
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        work = [(root, iter(successors(root)))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(successors(other))))
                    break
                if other in on_path:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    component = []
                    while node in on_path:
                        component.append(path.pop())
                        on_path.discard(component[-1])
                    yield component


def components(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components of the nodes that have an entry, each before those that point at it."""
    return list(strongly_connected(graph, lambda node: (other for other in graph[node] if other in graph)))


def component_numbers(graph: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """For every node, also those without an entry, the number of its strongly connected component."""
    found = strongly_connected(graph, lambda node: graph.get(node, ()))
    return {node: number for number, component in enumerate(found) for node in component}


def closure(starts: Iterable[Node], graph: Mapping[Node, Iterable[Node]]) -> set[Node]:
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


def connected(things: Iterable[tuple[_Thing, set[str]]]) -> list[list[_Thing]]:
    """Groups of things, each given with its names, such that no two groups share a name."""
    groups: list[tuple[list[_Thing], set[str]]] = []
    for thing, names in things:
        touching = [group for group in groups if group[1] & names]
        groups = [group for group in groups if not group[1] & names]
        groups.append(([*(other for group in touching for other in group[0]), thing],
                       names.union(*(group[1] for group in touching))))
    return [group for group, _ in groups]
