"""Rule splitting: fewer variables a rule, so that grounding does not multiply what need not be multiplied.

A rule grounds to the product of what its variables can be. A variable that is not in the head can be
eliminated: the conditions that mention it become a rule of their own, for a new relation between the
other variables of these conditions, and one condition on that relation takes their place (bucket
elimination). Whether that pays is a matter of sizes, so it is done one variable at a time where an
estimate says that it does.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.guards import Guards, positions_of
from ludorum.gdl.names import FreshNames
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables
from ludorum.gdl.unify import substitute
from ludorum.ground.sizes import Extent, Sizes, join

# An elimination has to bring the cost of a rule below this part of what it was.
_WORTH = 0.8


@dataclass(frozen=True)
class _Condition:
    """One condition of a rule: an atom that holds, one that does not, or two terms that differ."""

    kind: str  # "holds", "not" or "distinct"
    terms: tuple[Argument, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset().union(*map(names_of, self.terms))

    @property
    def atom(self) -> Term:
        term = self.terms[0]
        assert isinstance(term, Term)
        return term


@dataclass(frozen=True)
class _Elimination:
    """What takes the place of a rule's conditions if some variables are eliminated, and what that costs."""

    #: The conditions of the new relation, and the variables it is between.
    bucket: tuple[_Condition, ...]
    kept: tuple[str, ...]
    #: The conditions that stay.
    rest: tuple[_Condition, ...]
    cost: float


@dataclass(frozen=True)
class Split:
    """Clauses after splitting."""

    clauses: tuple[Clause, ...]
    #: For every relation that was not kept, about how much there will be in its ground rules.
    costs: dict[Relation, float]


def split(clauses: Sequence[Clause], sizes: Sizes, *, keep: Container[Relation] = frozenset()) -> Split:
    """Clauses that mean the same, split where it pays by these sizes; the new relations come last.

    The clauses of the relations to `keep` stay as they are.
    """
    splitter = _Splitter(clauses, sizes)
    changed = [clause if relation_of(clause.head) in keep else splitter.split(clause) for clause in clauses]
    costs: dict[Relation, float] = {}
    for clause in (*changed, *splitter.auxiliary):
        relation = relation_of(clause.head)
        if relation not in keep:
            costs[relation] = costs.get(relation, 0.0) + splitter.cost(clause)
    return Split((*changed, *splitter.auxiliary, *splitter.domains()), costs)


class _Splitter:
    def __init__(self, clauses: Sequence[Clause], sizes: Sizes) -> None:
        self.clauses = clauses
        self.sizes = sizes
        self.fresh = FreshNames(clause.head.name for clause in clauses)
        self.guards = Guards(self.fresh)
        self.auxiliary: list[Clause] = []
        # The relations made here: which conditions define them, how large they are, which of them are static.
        self.made: dict[tuple[object, ...], str] = {}
        self.extents: dict[str, Extent] = {}
        self.static: set[str] = set()
        self.domain_names: set[str] = set()

    def domains(self) -> list[Clause]:
        """The domains that guards refer to; those of new relations come from the rules that make them."""
        rules = [(clause.head, clause.positive) for clause in (*self.clauses, *self.auxiliary)]
        return [Clause(head, body) for head, body in self.guards.definitions(rules)]

    def split(self, clause: Clause) -> Clause:
        conditions = _conditions(clause)
        in_head = frozenset(names_of(clause.head))
        changed = False
        while True:
            inner = _all_names(conditions) - in_head
            groups = {frozenset([name]) for name in inner} | set(_connected(conditions, inner))
            options = [self._option(group, conditions, in_head, clause)
                       for group in sorted(groups, key=sorted)]
            best = min((option for option in options if option is not None),
                       key=lambda option: option.cost, default=None)
            if best is None or best.cost >= _WORTH * self._cost(conditions):
                break
            conditions = (*best.rest, self._relation(best, clause))
            changed = True
        return _clause(clause.head, conditions, clause.span) if changed else clause

    def cost(self, clause: Clause) -> float:
        return self._cost(_conditions(clause))

    def _option(self, names: frozenset[str], conditions: tuple[_Condition, ...], in_head: frozenset[str],
                clause: Clause) -> _Elimination | None:
        bucket = tuple(condition for condition in conditions if condition.names & names)
        rest = tuple(condition for condition in conditions if not condition.names & names)
        if not rest:
            return None
        inside = _all_names(bucket)
        kept = tuple(sorted(inside & (in_head | _all_names(rest))))
        bound = _all_names(condition for condition in bucket if condition.kind == "holds")
        for free in sorted(inside - bound):
            bucket += self._guards(free, clause)
        # A domain that moved into the new relation need not be asked for again.
        rest = tuple(condition for condition in rest if condition not in bucket)
        if not rest:
            return None
        extent = self._extent(bucket).projected(kept)
        is_new = _key(bucket, kept) not in self.made
        cost = (self._cost(bucket) if is_new else 0.0) + self._cost(rest, extent, self._is_static(bucket))
        return _Elimination(bucket, kept, rest, cost)

    def _guards(self, name: str, clause: Clause) -> tuple[_Condition, ...]:
        """Conditions that bind a variable to the values it can have in a clause, and hold in every state."""
        binding = [atom for atom in clause.positive if name in names_of(atom)]
        # A domain binds as well as any made from it would.
        for atom in binding:
            if atom.name in self.domain_names:
                return (_Condition("holds", (atom,)),)
        atoms = [self.guards.atom(name, [position]) for position in positions_of(name, binding)]
        values = min(self._extent_of(atom).values[name] for atom in binding)
        for atom in atoms:
            self.extents[atom.name] = Extent(values, {name: values})
            self.static.add(atom.name)
            self.domain_names.add(atom.name)
        return tuple(_Condition("holds", (atom,)) for atom in dict.fromkeys(atoms))

    def _relation(self, option: _Elimination, clause: Clause) -> _Condition:
        """A condition on the relation of an elimination, which is defined unless it already was."""
        key = _key(option.bucket, option.kept)
        arguments = tuple(map(Variable, option.kept))
        if key not in self.made:
            name = self.made[key] = self.fresh.name("split")
            self.extents[name] = self._extent(option.bucket).projected(option.kept)
            if self._is_static(option.bucket):
                self.static.add(name)
            # The new rule may have more variables that are not in its head.
            self.auxiliary.append(self.split(_clause(Term(name, arguments), option.bucket, clause.span)))
        return _Condition("holds", (Term(self.made[key], arguments),))

    def _extent(self, conditions: Iterable[_Condition]) -> Extent:
        return join([self._extent_of(condition.atom) for condition in conditions
                     if condition.kind == "holds"])

    def _extent_of(self, atom: Term) -> Extent:
        if atom.name in self.extents:
            return self.extents[atom.name].renamed([v.name for v in atom.args if isinstance(v, Variable)])
        return self.sizes.extent(atom)

    def _is_static(self, conditions: Iterable[_Condition]) -> bool:
        return all(c.kind == "distinct" or c.atom.name in self.static
                   or self.sizes.is_static((c.atom.name, len(c.atom.args))) for c in conditions)

    def _cost(self, conditions: Sequence[_Condition], extra: Extent | None = None,
              extra_is_static: bool = True) -> float:
        """About how much there is in the ground rules of a body: its rows, and what stays of it in each."""
        atoms = [condition.atom for condition in conditions if condition.kind == "holds"]
        extents = [*map(self._extent_of, atoms), *([extra] if extra else [])]
        stays = sum(not self._is_static([condition]) for condition in conditions) + (not extra_is_static)
        return join(extents).rows * (1 + stays)


def _conditions(clause: Clause) -> tuple[_Condition, ...]:
    return (*(_Condition("holds", (atom,)) for atom in clause.positive),
            *(_Condition("not", (atom,)) for atom in clause.negative),
            *(_Condition("distinct", pair) for pair in clause.distinct))


def _clause(head: Term, conditions: Sequence[_Condition], span: Span | None) -> Clause:
    return Clause(head,
                  tuple(condition.atom for condition in conditions if condition.kind == "holds"),
                  tuple(condition.atom for condition in conditions if condition.kind == "not"),
                  tuple((condition.terms[0], condition.terms[1]) for condition in conditions
                        if condition.kind == "distinct"),
                  span)


def _all_names(conditions: Iterable[_Condition]) -> frozenset[str]:
    return frozenset[str]().union(*(condition.names for condition in conditions))


def _connected(conditions: Iterable[_Condition], names: frozenset[str]) -> list[frozenset[str]]:
    """Groups of these variables, such that no condition mentions variables of two groups."""
    groups: list[frozenset[str]] = []
    for condition in conditions:
        group = condition.names & names
        if group:
            touching = [other for other in groups if other & group]
            groups = [other for other in groups if not other & group]
            groups.append(group.union(*touching))
    return groups


def _key(bucket: Sequence[_Condition], kept: Sequence[str]) -> tuple[object, ...]:
    """The same for conditions that differ only in the names of variables and, mostly, in their order."""
    blank = Term("")
    hidden = [(condition.kind, tuple(str(substitute(term, dict.fromkeys(condition.names, blank)))
                                     for term in condition.terms), condition) for condition in bucket]
    hidden.sort(key=lambda item: item[:2])
    numbers: dict[str, Argument] = {}
    for name in kept:
        numbers[name] = Term(f"?{len(numbers)}")
    for _, _, condition in hidden:
        for term in condition.terms:
            for variable in variables(term):
                numbers.setdefault(variable.name, Term(f"?{len(numbers)}"))
    return len(kept), *((kind, tuple(substitute(term, numbers) for term in condition.terms))
                        for kind, _, condition in hidden)
