"""Static relations that count or compare: found by what they mean, however they are called and written.

A binary relation that is the same in all states is a *successor* relation if it is antisymmetric, functional and
injective, and an *order* if it is antisymmetric and transitive (thesis, section 5.2.2). How far apart two things are is
the length of the shortest path between them in the Hasse diagram, which has an edge where nothing lies between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from ludorum.asp.encoding import decode, identifier
from ludorum.asp.process import ClingoProcess
from ludorum.asp.writing import write
from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.dependencies import Relation, relation_of, relevant, static_relations
from ludorum.gdl.domains import Domains, Place
from ludorum.gdl.names import made
from ludorum.gdl.natural import natural
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.gdl.words import KEYWORDS
from ludorum.grammar import agree

Pair = tuple[Term, Term]

# Beyond these a relation is no way to count or compare that a board or a quantity would need.
_MOST_THINGS = 2000
_MEMORY_MB = 1024
# So many seconds of the processor clingo may take to compute what rules define; a tenth of one nearly always does.
_SECONDS = 5.0


@dataclass(frozen=True)
class Hasse:
    """The Hasse diagram of a relation: from each thing to those right after it."""

    after: dict[Term, tuple[Term, ...]]
    _known: dict[Term, dict[Term, int]] = field(default_factory=dict, compare=False, repr=False)

    def distance(self, start: Term, end: Term) -> int | None:
        """How many steps lead from one to the other along the edges, None if none do."""
        return self._paths(start).get(end)

    def apart(self, one: Term, other: Term) -> int | None:
        """How many steps lie between two things, whichever comes first."""
        found = [steps for steps in (self.distance(one, other), self.distance(other, one)) if steps is not None]
        return min(found, default=None)

    def _paths(self, start: Term) -> dict[Term, int]:
        if start not in self._known:
            steps = self._known[start] = {start: 0}
            queue = [start]
            for thing in queue:
                for following in self.after.get(thing, ()):
                    if following not in steps:
                        steps[following] = steps[thing] + 1
                        queue.append(following)
        return self._known[start]


@dataclass(frozen=True)
class StaticRelation:
    """A binary relation that is the same in all states and counts or compares."""

    name: str
    pairs: frozenset[Pair]
    is_successor: bool
    is_order: bool
    hasse: Hasse = field(compare=False, repr=False)

    @cached_property
    def things(self) -> frozenset[Term]:
        """What it relates."""
        return frozenset(thing for pair in self.pairs for thing in pair)

    @cached_property
    def _levels(self) -> dict[Term, int] | None:
        """The length of the longest path to every thing, None if counting on leads back to where it began."""
        after = self.hasse.after
        waiting = dict.fromkeys(self.things, 0)
        for followers in after.values():
            for thing in followers:
                waiting[thing] += 1
        levels = {thing: 0 for thing, count in waiting.items() if not count}
        ready = list(levels)
        for thing in ready:
            for following in after.get(thing, ()):
                levels[following] = max(levels.get(following, 0), levels[thing] + 1)
                waiting[following] -= 1
                if not waiting[following]:
                    ready.append(following)
        return levels if len(ready) == len(self.things) else None

    @cached_property
    def is_cyclic(self) -> bool:
        """Whether counting on leads back to where it began."""
        return self._levels is None

    def in_order(self, things: Iterable[Term]) -> tuple[Term, ...] | None:
        """These things one after the other as the relation puts them, None if it does not put them all in line.

        A circle is cut before the thing whose text comes first.
        """
        wanted = set(things)
        if not wanted <= self.things:
            return None
        levels = self._levels
        start = min(wanted, key=natural if levels is None else lambda thing: levels[thing])
        if levels is not None and self.is_order:
            chain = sorted(wanted, key=lambda thing: levels[thing])
            return tuple(chain) if all(pair in self.pairs for pair in pairwise(chain)) else None
        # A successor relation: there is one way on from the first.
        chain = [start]
        met = {start}
        while following := self.hasse.after.get(chain[-1]):
            if following[0] in met:
                break
            chain.append(following[0])
            met.add(following[0])
        return tuple(thing for thing in chain if thing in wanted) if wanted <= met else None

    @property
    def kind(self) -> str:
        """The kind in words."""
        if self.is_order:
            return "order"
        return "cyclic successor" if self.is_cyclic else "successor"

    def __str__(self) -> str:
        return f"{self.name}: {self.kind} of {len(self.things)} {agree(len(self.things), 'thing')}"


def counting_relations(rules: Rulesheet, budget: Budget,
                       domains: Domains | None = None) -> tuple[StaticRelation, ...]:
    """The successor and order relations of a rulesheet, in the order of the source.

    What rules define is computed by clingo; if that takes more than a few seconds, it is left out.
    """
    domains = domains or Domains(rules)
    clauses = flatten(rules)
    static = static_relations(clauses)
    wanted = [relation for relation in dict.fromkeys(relation_of(clause.head) for clause in clauses)
              if relation[1] == 2 and relation in static and relation[0] not in KEYWORDS and made(relation[0]) is None
              and domains.same(*(Place("relation", relation[0], 2, i) for i in (1, 2)))]
    found = []
    extents = static_extents(clauses, wanted, budget)
    for relation in wanted:
        described = _describe(relation[0], frozenset(map(_pair, extents.get(relation, frozenset()))))
        if described is not None:
            found.append(described)
    return tuple(found)


def static_extents(clauses: Sequence[Clause], wanted: Sequence[Relation],
                   budget: Budget) -> dict[Relation, frozenset[tuple[Term, ...]]]:
    """What these relations hold of, which are static; those that take too long are left out."""
    of_relation: dict[Relation, list[Clause]] = defaultdict(list)
    for clause in clauses:
        of_relation[relation_of(clause.head)].append(clause)
    found: dict[Relation, frozenset[tuple[Term, ...]]] = {}
    ruled = []
    for relation in wanted:
        if all(not clause.atoms for clause in of_relation[relation]):
            found[relation] = frozenset(map(_ground, of_relation[relation]))
        else:
            ruled.append(relation)
    if ruled and not budget.is_late:
        process = ClingoProcess(memory_mb=_MEMORY_MB)
        try:
            answer = process.ask("models", seconds=min(10 * _SECONDS, budget.seconds), cpu_seconds=_SECONDS,
                                 program=write(relevant(clauses, ruled)),
                                 shown=[(identifier(name), arity) for name, arity in ruled])
        except LudorumError:
            return found
        finally:
            process.close()
        tuples: dict[Relation, set[tuple[Term, ...]]] = defaultdict(set)
        for atom in (map(decode, answer["models"][0]) if answer["models"] else ()):
            tuples[relation_of(atom)].add(tuple(arg for arg in atom.args if isinstance(arg, Term)))
        found |= {relation: frozenset(tuples[relation]) for relation in ruled}
    return found


def _ground(clause: Clause) -> tuple[Term, ...]:
    return tuple(arg for arg in clause.head.args if isinstance(arg, Term))


def _pair(args: Sequence[object]) -> Pair:
    one, other = args
    assert isinstance(one, Term)
    assert isinstance(other, Term)
    return one, other


def _describe(name: str, pairs: frozenset[Pair]) -> StaticRelation | None:
    """The relation if it counts or compares."""
    things = sorted({thing for pair in pairs for thing in pair}, key=str)
    numbers = {thing: number for number, thing in enumerate(things)}
    if not 3 <= len(things) <= _MOST_THINGS:
        return None
    table = np.zeros((len(things), len(things)), dtype=np.float32)
    for one, other in pairs:
        table[numbers[one], numbers[other]] = 1
    holds = table > 0
    apart = ~np.eye(len(things), dtype=bool)
    strict = holds & apart
    # Something must come both after one thing and before another: what only pairs things up puts nothing in line.
    if not (strict.any(axis=0) & strict.any(axis=1)).any() or (strict & strict.T).any():
        return None
    is_successor = bool((holds.sum(axis=0) <= 1).all() and (holds.sum(axis=1) <= 1).all())
    is_order = not ((table @ table > 0) & ~holds).any()
    if not is_successor and not is_order:
        return None
    between = strict.astype(np.float32)
    edges = strict & ~(between @ between > 0)
    after = {thing: tuple(things[following] for following in np.flatnonzero(edges[number]))
             for number, thing in enumerate(things)}
    return StaticRelation(name, pairs, is_successor, is_order, Hasse(after))
