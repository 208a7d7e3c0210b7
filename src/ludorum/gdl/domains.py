"""Domains: what can stand at the arguments of relations and functions, and which arguments share their values.

The domain graph (thesis, section 5.2.1) has a node for every argument position and for every symbol. A symbol is joined
to the positions where it is written, and two positions are joined where one rule has the same variable at both; what is
connected is one domain. The improved graph (section 7.4.2) is directed, from the bodies of rules to their heads, and
gives smaller domains: only what rules can put there.

`init`, `next` and `true` have the same argument here, and so have `legal` and `does`; whoever moves, gets a goal or
sees something is a role. `distinct` joins nothing: to compare two things does not make them of one kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

from ludorum.gdl.clauses import flatten
from ludorum.gdl.guards import places
from ludorum.gdl.rulesheet import Rulesheet, atoms
from ludorum.gdl.terms import Term, Variable


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """An argument position: the `argument`-th argument, counted from 1, of a relation or a function."""

    kind: Literal["relation", "function"]
    name: str
    arity: int
    argument: int

    def __str__(self) -> str:
        return f"{self.name},{self.argument}"


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A constant, or a function by its number of arguments."""

    name: str
    arity: int = 0

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


Node = Place | Symbol


class Domains:
    """The domain graph of a rulesheet: what is connected in it shares a domain."""

    def __init__(self, rules: Rulesheet) -> None:
        self._edges: dict[Node, set[Node]] = defaultdict(set)
        for rule in rules.rules:
            shared: dict[str, list[Place]] = defaultdict(list)
            for atom in (rule.head, *(atom for formula in rule.body for atom in atoms(formula))):
                if atom.name == "distinct":
                    continue
                for place, value in _places(atom):
                    self._edges[place]
                    if isinstance(value, Variable):
                        shared[value.name].append(place)
                    else:
                        self._join(place, Symbol(value.name, len(value.args)))
            for same in shared.values():
                for place in same[1:]:
                    self._join(same[0], place)

    def _join(self, one: Node, other: Node) -> None:
        self._edges[one].add(other)
        self._edges[other].add(one)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every argument position and symbol, in the order of the source."""
        return tuple(self._edges)

    @property
    def edges(self) -> Iterator[tuple[Node, Node]]:
        """Every edge once."""
        order = {node: number for number, node in enumerate(self._edges)}
        for one, others in self._edges.items():
            for other in sorted(others, key=lambda node: order[node]):
                if order[one] < order[other]:
                    yield one, other

    @cached_property
    def _components(self) -> dict[Node, int]:
        return _components(self._edges)

    @cached_property
    def _links(self) -> dict[Node, int]:
        return _components({node: {other for other in others if isinstance(other, Place)}
                            for node, others in self._edges.items() if isinstance(node, Place)})

    def of(self, place: Place) -> frozenset[Symbol]:
        """The constants and functions of the domain that an argument belongs to; nothing for an unknown argument."""
        component = self._components.get(place)
        return frozenset(node for node, number in self._components.items()
                         if number == component and isinstance(node, Symbol))

    def same(self, one: Place, other: Place) -> bool:
        """Whether two arguments share a domain."""
        return one in self._components and self._components[one] == self._components.get(other)

    def link(self, place: Place) -> int | None:
        """A number that is the same for arguments that variables of rules join; None for an unknown argument.

        Two arguments may share a domain only because the same numbers are written at both; variables that go from one
        to the other say more.
        """
        return self._links.get(place)

    def __str__(self) -> str:
        groups: dict[int, list[Node]] = defaultdict(list)
        for node, component in self._components.items():
            groups[component].append(node)
        lines = []
        for nodes in groups.values():
            found = [str(node) for node in nodes if isinstance(node, Place)]
            symbols = [node.name if not node.arity else str(node) for node in nodes if isinstance(node, Symbol)]
            if found:
                lines.append(f"{' '.join(found)}: {' '.join(symbols)}")
        return "\n".join(lines)


class ImprovedDomains:
    """The directed domain graph of a rulesheet, and the values that it lets into every argument position."""

    def __init__(self, rules: Rulesheet) -> None:
        self._into: dict[Place, set[Node]] = defaultdict(set)
        for clause in flatten(rules):
            bound: dict[str, list[Place]] = defaultdict(list)
            for atom in clause.positive:
                for place, value in _places(atom):
                    if isinstance(value, Variable):
                        bound[value.name].append(place)
            for place, value in _places(clause.head):
                self._into[place]
                if isinstance(value, Variable):
                    self._into[place].update(bound[value.name])
                else:
                    self._into[place].add(Symbol(value.name, len(value.args)))

    @property
    def edges(self) -> Iterator[tuple[Node, Place]]:
        """Every edge, from where values come to where they go."""
        for place, sources in self._into.items():
            for source in sorted(sources, key=repr):
                yield source, place

    def of(self, place: Place) -> frozenset[Symbol]:
        """The constants and functions that rules can put at an argument."""
        found: set[Symbol] = set()
        seen = {place}
        stack = [place]
        while stack:
            for source in self._into.get(stack.pop(), ()):
                if isinstance(source, Symbol):
                    found.add(source)
                elif source not in seen:
                    seen.add(source)
                    stack.append(source)
        return frozenset(found)

    def terms(self, place: Place, limit: int = 100_000) -> frozenset[Term] | None:
        """Every ground term of a domain; None if there are more than `limit`, or no end of them."""
        return self._terms(place, limit, frozenset())

    def _terms(self, place: Place, limit: int, above: frozenset[Symbol]) -> frozenset[Term] | None:
        found: set[Term] = set()
        for symbol in self.of(place):
            if not symbol.arity:
                found.add(Term(symbol.name))
                continue
            if symbol in above:
                return None
            arguments = [self._terms(Place("function", symbol.name, symbol.arity, i), limit, above | {symbol})
                         for i in range(1, symbol.arity + 1)]
            values = [known for known in arguments if known is not None]
            if len(values) < len(arguments) or prod(map(len, values)) + len(found) > limit:
                return None
            found.update(Term(symbol.name, chosen) for chosen in product(*values))
        return frozenset(found)


def fluent_places(fluent: Term) -> tuple[Place, ...]:
    """The argument positions of a fluent."""
    return tuple(Place("function", fluent.name, len(fluent.args), i) for i in range(1, len(fluent.args) + 1))


def _places(atom: Term) -> Iterator[tuple[Place, Term | Variable]]:
    for (kind, name, arity, index), value in places(atom):
        yield Place("relation" if kind == "relation" else "function", name, arity, index + 1), value


def _components(edges: dict[Node, set[Node]]) -> dict[Node, int]:
    """A number for every node, the same for what is connected."""
    found: dict[Node, int] = {}
    for number, root in enumerate(edges):
        if root in found:
            continue
        found[root] = number
        stack: list[Iterable[Node]] = [edges[root]]
        while stack:
            for node in stack.pop():
                if node not in found:
                    found[node] = number
                    stack.append(edges[node])
    return found
