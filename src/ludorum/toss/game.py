"""Games as structures that are rewritten: what a reader returns, and what everything else takes.

In the literature: structure rewriting games (Kaiser 2009; Kaiser, Stafiniak 2011, Definitions 1 to 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ludorum.gdl.diagnostics import Diagnostic
from ludorum.gdl.source import Source
from ludorum.gdl.terms import Span
from ludorum.toss.formulas import TRUE, Formula, Real, relations_of

#: A relation and what it holds of.
Fact = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Structure:
    """Elements, and which relations hold of which of them. A state of a game, or a side of a rule."""

    elements: tuple[str, ...]
    facts: frozenset[Fact] = frozenset()
    #: On a left side: what may hold or not, although its relation is embedded exactly.
    optional: frozenset[Fact] = frozenset()

    @cached_property
    def relations(self) -> Mapping[str, frozenset[tuple[str, ...]]]:
        """For every relation that holds of something, of what."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for relation, args in self.facts:
            found.setdefault(relation, set()).add(args)
        return {relation: frozenset(tuples) for relation, tuples in found.items()}

    def of(self, relation: str) -> frozenset[tuple[str, ...]]:
        """What the relation holds of."""
        return self.relations.get(relation, frozenset())


@dataclass(frozen=True)
class RewritingRule:
    """Where the left side is found, the right side takes its place."""

    name: str
    left: Structure
    right: Structure
    #: For an element of the right side the one of the left side that it replaces; new elements are not in it.
    replaces: Mapping[str, str]
    #: The relations that must hold of matched elements exactly as the left side says.
    embedded: frozenset[str] = frozenset()
    pre: Formula = TRUE
    post: Formula = TRUE
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def keeps_elements(self) -> bool:
        """Whether it neither adds nor copies nor deletes elements."""
        return (len(self.left.elements) == len(self.right.elements) == len(self.replaces)
                and set(self.replaces.values()) == set(self.left.elements))

    @cached_property
    def survivors(self) -> Mapping[str, str]:
        """For an element of the left side the one of the right side that it lives on as.

        Copies are as good as each other; the one with the same name is the old element, else the first.
        """
        found: dict[str, str] = {}
        for new in self.right.elements:
            old = self.replaces.get(new)
            if old is not None and (old not in found or new == old):
                found[old] = new
        return found


@dataclass(frozen=True)
class Edge:
    """A rule that may be applied at a location, and the location where play goes on."""

    rule: str
    to: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Location:
    """A vertex of the game graph: who chooses, among what, and what the game is worth if it ends here."""

    name: str
    player: str
    payoffs: Mapping[str, Real]
    edges: tuple[Edge, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Definition:
    """A relation that is defined by a formula; one that names itself is the smallest that satisfies it."""

    name: str
    variables: tuple[str, ...]
    formula: Formula
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Game:
    """A structure rewriting game."""

    players: tuple[str, ...]
    definitions: Mapping[str, Definition]
    rules: Mapping[str, RewritingRule]
    locations: Mapping[str, Location]
    start: Structure
    first: str
    #: The number of arguments of every relation, defined ones included.
    arities: Mapping[str, int]
    source: Source = field(default=Source(""), compare=False, repr=False)
    #: The warnings that came with it.
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def used_rules(self) -> tuple[RewritingRule, ...]:
        """The rules that are on an edge, in the order of the source."""
        used = {edge.rule for location in self.locations.values() for edge in location.edges}
        return tuple(rule for rule in self.rules.values() if rule.name in used)

    @property
    def keeps_elements(self) -> bool:
        """Whether no move adds, copies or deletes elements."""
        return all(rule.keeps_elements for rule in self.used_rules)

    @cached_property
    def fluents(self) -> frozenset[str]:
        """The relations that a move can change; all others that are not defined are stable.

        Where elements come and go, everything changes with them.
        """
        base = self.arities.keys() - self.definitions.keys()
        if not self.keeps_elements:
            return frozenset(base)
        return frozenset(relation for relation in base if any(_changes(rule, relation) for rule in self.used_rules))

    @cached_property
    def changing(self) -> frozenset[str]:
        """The relations that can differ between states: the fluents, and what is defined by them."""
        return frozenset(_closure(self.fluents, {name: relations_of(definition.formula)
                                                 for name, definition in self.definitions.items()}))


    @cached_property
    def recursive(self) -> Mapping[str, tuple[str, ...]]:
        """For every defined relation those that depend on it and on which it depends: none, or itself and others."""
        uses = {name: relations_of(definition.formula) & self.definitions.keys()
                for name, definition in self.definitions.items()}
        reached = {name: _reached(name, uses) for name in uses}
        return {name: tuple(other for other in uses if other in reached[name] and name in reached[other])
                for name in uses}


def _reached(start: str, uses: Mapping[str, set[str]]) -> set[str]:
    """What a relation depends on, directly or not."""
    found: set[str] = set()
    stack = [start]
    while stack:
        new = uses[stack.pop()] - found
        found |= new
        stack.extend(new)
    return found


def _changes(rule: RewritingRule, relation: str) -> bool:
    """Whether applying a rule that keeps its elements can change what a relation holds of."""
    before = rule.left.of(relation)
    # What a survivor is called on the right side is what it was called on the left.
    after = {tuple(rule.replaces[arg] for arg in args) for args in rule.right.of(relation)}
    if relation not in rule.embedded:
        return not after <= before
    return after != before or any(name == relation for name, _ in rule.left.optional)


def _closure(start: Iterable[str], uses: Mapping[str, set[str]]) -> set[str]:
    """What depends on these relations, directly or not."""
    found = set(start)
    while more := {name for name, used in uses.items() if name not in found and used & found}:
        found |= more
    return found
