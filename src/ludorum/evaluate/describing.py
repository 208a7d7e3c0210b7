"""A set described by steps along relations that never change, where the rules only say what it is not.

"No square lies above" says nothing about how far a pawn has come. "A square lies below it, below that another, …" does.

In the literature: existential descriptions by hit-rank (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

#: What is described: numbers, which are compared faster than terms.
Thing = int
#: A relation with its extent.
Extents = Mapping[str, frozenset[tuple[Thing, ...]]]

# What can be satisfied in more ways than this is not made longer: it says too little.
_MOST_EXTENDED = 1_000
_MOST_ASSIGNMENTS = 250_000


@dataclass(frozen=True, slots=True)
class Literal:
    """A relation holds of variables, or does not; variable 0 is what is described."""

    relation: str
    args: tuple[int, ...]
    holds: bool = True

    def __str__(self) -> str:
        shown = f"{self.relation}({', '.join('x' if arg == 0 else f'y{arg}' for arg in self.args)})"
        return shown if self.holds else f"¬{shown}"


@dataclass(frozen=True)
class Conjunction:
    """Literals, and all ways to satisfy them: what each variable is, in their order."""

    literals: tuple[Literal, ...]
    assignments: frozenset[tuple[Thing, ...]]

    @property
    def described(self) -> frozenset[Thing]:
        return frozenset(assignment[0] for assignment in self.assignments)

    def hit_rank(self, wanted: frozenset[Thing]) -> Fraction:
        """How many of those that it is true of are wanted; 0 if it is true of none."""
        described = self.described
        return Fraction(len(described & wanted), len(described)) if described else Fraction(0)

    def __str__(self) -> str:
        return " ∧ ".join(map(str, self.literals)) or "⊤"


def describe(wanted: frozenset[Thing], things: Sequence[Thing], relations: Extents,
             most_literals: int = 10) -> tuple[Conjunction, ...] | None:
    """Conjunctions one of which is true exactly of what is wanted; None if none are found with so many literals.

    The pair of a conjunction and a literal with the highest rank comes first; where ranks are equal, the relation that
    is named first.
    """
    search = _Search(wanted, things, relations)
    open_ = [search.best(Conjunction((), frozenset((thing,) for thing in things)))]
    while True:
        hits = [conjunction for conjunction, _, _ in open_ if conjunction.hit_rank(wanted) == 1]
        if wanted and frozenset[Thing]().union(*(hit.described for hit in hits)) == wanted:
            return tuple(hits)
        going = [item for item in open_ if item[2] is not None and item[1] and len(item[0].literals) < most_literals]
        if not going:
            return None
        chosen = max(going, key=lambda item: item[1])
        conjunction, _, literal = chosen
        assert literal is not None
        open_.remove(chosen)
        for part in search.both(conjunction, literal):
            if part is not None:
                open_.append(search.best(part))


class _Search:
    def __init__(self, wanted: frozenset[Thing], things: Sequence[Thing], relations: Extents) -> None:
        self.wanted, self.things, self.relations = wanted, things, relations
        #: For a relation and a place in it, of how many pairs each thing is a part there.
        self._degrees: dict[tuple[str, int], Counter[Thing]] = {}

    def best(self, conjunction: Conjunction) -> tuple[Conjunction, Fraction, Literal | None]:
        """A conjunction with the literal of the highest rank, and that rank."""
        best: tuple[Fraction, Literal | None] = (Fraction(0), None)
        if len(conjunction.assignments) > _MOST_EXTENDED:
            return (conjunction, *best)
        for literal in _literals(conjunction, self.relations):
            for described in self._described(conjunction, literal):
                rank = Fraction(len(described & self.wanted), len(described)) if described else Fraction(0)
                if rank > best[0]:
                    best = (rank, literal)
        return (conjunction, *best)

    def _described(self, conjunction: Conjunction, literal: Literal) -> tuple[set[Thing], set[Thing]]:
        """What the conjunction is true of with the literal, and with its negation."""
        width = len(next(iter(conjunction.assignments), ()))
        extent = self.relations[literal.relation]
        if max(literal.args) < width:
            holding = {assignment for assignment in conjunction.assignments
                       if tuple(assignment[arg] for arg in literal.args) in extent}
            return ({assignment[0] for assignment in holding},
                    {assignment[0] for assignment in conjunction.assignments - holding})
        # Whether there is something new, or something that it does not hold of: by how many there are.
        place = min(range(len(literal.args)), key=literal.args.__getitem__)
        degrees = self._degree(literal.relation, place)
        known = {(assignment[0], degrees[assignment[literal.args[place]]]) for assignment in conjunction.assignments}
        return ({thing for thing, degree in known if degree},
                {thing for thing, degree in known if degree < len(self.things)})

    def _degree(self, relation: str, place: int) -> Counter[Thing]:
        if (relation, place) not in self._degrees:
            self._degrees[relation, place] = Counter(args[place] for args in self.relations[relation])
        return self._degrees[relation, place]

    def both(self, conjunction: Conjunction, literal: Literal) -> tuple[Conjunction | None, Conjunction | None]:
        """The conjunction with the literal, and with its negation; None where it can be satisfied in too many ways."""
        extent = self.relations[literal.relation]
        width = len(next(iter(conjunction.assignments), ()))
        is_new = max(literal.args) >= width
        too_many = is_new and len(conjunction.assignments) * len(self.things) > _MOST_ASSIGNMENTS
        if not width or too_many:
            return None, None
        holding: set[tuple[Thing, ...]] = set()
        failing: set[tuple[Thing, ...]] = set()
        for assignment in conjunction.assignments:
            for thing in self.things if is_new else (None,):
                whole = assignment if thing is None else (*assignment, thing)
                (holding if tuple(whole[arg] for arg in literal.args) in extent else failing).add(whole)
        negated = Literal(literal.relation, literal.args, holds=False)
        return (Conjunction((*conjunction.literals, literal), frozenset(holding)),
                Conjunction((*conjunction.literals, negated), frozenset(failing)))


def _literals(conjunction: Conjunction, relations: Extents) -> Iterator[Literal]:
    """Every literal that adds one variable at most and says something new."""
    variables = 1 + max((arg for literal in conjunction.literals for arg in literal.args), default=0)
    known = {(literal.relation, literal.args) for literal in conjunction.literals}
    for relation in sorted(relations):
        arity = len(next(iter(relations[relation]), ()))
        if not 1 <= arity <= 2:
            continue
        for args in product(range(variables + 1), repeat=arity):
            # What speaks of none of the others says nothing about them.
            if min(args) < variables and (relation, args) not in known:
                yield Literal(relation, args)


def steps(conjunction: Conjunction, things: Sequence[Thing], relations: Extents) -> dict[Thing, list[int]]:
    """For every thing in how many ways the description is satisfied as far as each of its variables goes.

    The first number is 1, for the thing itself; the last counts the ways to satisfy all of it.
    """
    found: dict[Thing, list[int]] = {thing: [] for thing in things}
    variables = 1 + max((arg for literal in conjunction.literals for arg in literal.args), default=0)
    assignments: set[tuple[Thing, ...]] = {()}
    for variable in range(variables):
        assignments = {(*assignment, thing) for assignment in assignments for thing in things}
        for literal in conjunction.literals:
            if max(literal.args) == variable:
                assignments = {assignment for assignment in assignments if literal.holds == (
                    tuple(assignment[arg] for arg in literal.args) in relations[literal.relation])}
        for thing in things:
            found[thing].append(sum(assignment[0] == thing for assignment in assignments))
    return found
