"""Numbers that rules count step by step: how many fluents of a kind hold.

Rules count by naming themselves: so many discs up to this square, so many up to the next. What comes of it is found by
trial: in states of random play the number is computed, and compared with how many fluents of each kind hold.

In the literature: sums over the elements that satisfy a formula (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ludorum.analysis.statics import static_extents
from ludorum.clock import Budget
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import Relation, dependencies, relation_of, static_relations
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.gdl.unify import unify

# What relations are called that say which states there are, and what holds in them; no rulesheet has such names.
_STATE, _HELD = "a state", "held, then"


@dataclass(frozen=True)
class RandomPlay:
    """Some states of random play, each by the fluents that hold, and the fluents that moves took away in it."""

    states: Sequence[AbstractSet[int]] = ()
    lost: AbstractSet[int] = frozenset()


@dataclass(frozen=True)
class Sum:
    """A number that is so many for each of these fluents that holds, and something else that never changes."""

    fluents: tuple[int, ...]
    slope: int


class Counters:
    """What the relations of a game that name themselves count."""

    def __init__(self, clauses: Sequence[Clause], fluents: Sequence[Term], states: Sequence[AbstractSet[int]],
                 budget: Budget) -> None:
        static = static_relations(clauses)
        self._clauses = [_in_states(clause, static) for clause in clauses]
        self._clauses += [Clause(Term(_STATE, (_number(state),)), (), ()) for state in range(len(states))]
        self._clauses += [Clause(_held(_number(number), fluents[fluent]), (), ())
                          for number, state in enumerate(states) for fluent in sorted(state)]
        self._states, self._budget = states, budget
        self._rows: dict[Relation, list[frozenset[tuple[Term, ...]]]] = {}
        kinds: dict[tuple[Relation, int, Argument], list[int]] = defaultdict(list)
        for number, fluent in enumerate(fluents):
            for place, arg in enumerate(fluent.args):
                kinds[relation_of(fluent), place, arg].append(number)
        self._kinds = [tuple(kind) for kind in kinds.values()]

    def of(self, atom: Term) -> dict[int, Sum]:
        """For every argument of an atom that is such a number, what it counts."""
        found = [self._values(atom, rows) for rows in self._told(relation_of(atom))]
        if not found or any(row is None for row in found):
            return {}
        columns = zip(*(row for row in found if row is not None), strict=True)
        sums = ((place, self._sum(column)) for place, column in enumerate(columns))
        return {place: each for place, each in sums if each is not None}

    def _told(self, relation: Relation) -> list[frozenset[tuple[Term, ...]]]:
        """What a relation holds of in each of the states."""
        if relation not in self._rows:
            asked = relation_of(_told(_number(0), Term(relation[0], (Term("any"),) * relation[1])))
            rows = static_extents(self._clauses, [asked], self._budget).get(asked, frozenset())
            self._rows[relation] = [frozenset(row[1:] for row in rows if row[0] == _number(state))
                                    for state in range(len(self._states))]
        return self._rows[relation]

    def _values(self, atom: Term, rows: AbstractSet[tuple[Term, ...]]) -> tuple[Term, ...] | None:
        """What the arguments of an atom are in a state, None unless there is exactly one way."""
        matching = [row for row in rows if unify(atom, Term(atom.name, row)) is not None]
        return matching[0] if len(matching) == 1 else None

    def _sum(self, column: Sequence[Term]) -> Sum | None:
        if not all(term.name.isdigit() and not term.args for term in column):
            return None
        values = [int(term.name) for term in column]
        if len(set(values)) < 2:
            return None
        for kind in self._kinds:
            counts = [sum(fluent in state for fluent in kind) for state in self._states]
            slope = _slope(counts, values)
            if slope:
                return Sum(kind, slope)
        return None


def _number(state: int) -> Term:
    return Term(str(state))


def _held(state: Argument, fluent: Argument) -> Term:
    return Term(_HELD, (state, fluent))


def _told(state: Argument, atom: Term) -> Term:
    """That something holds in one of the states."""
    if relation_of(atom) == ("true", 1):
        return _held(state, atom.args[0])
    return Term(f"{atom.name}, then", (state, *atom.args))


def _in_states(clause: Clause, static: AbstractSet[Relation]) -> Clause:
    """A clause about all states at once: what changes has the state as its first argument."""
    state = Variable("state")

    def told(atom: Term) -> Term:
        return atom if relation_of(atom) in static else _told(state, atom)

    if relation_of(clause.head) in static:
        return clause
    return Clause(_told(state, clause.head), (*map(told, clause.positive), Term(_STATE, (state,))),
                  tuple(map(told, clause.negative)), clause.distinct)


def _slope(counts: Sequence[int], values: Sequence[int]) -> int:
    """By how much values grow with every one counted, 0 if they do not grow evenly."""
    other = next((number for number, count in enumerate(counts) if count != counts[0]), None)
    if other is None:
        return 0
    slope, rest = divmod(values[other] - values[0], counts[other] - counts[0])
    if rest or any(value - values[0] != slope * (count - counts[0])
                   for count, value in zip(counts, values, strict=True)):
        return 0
    return slope


def recursive(clauses: Sequence[Clause]) -> frozenset[Relation]:
    """The relations whose rules lead back to them."""
    uses = dependencies(clauses)

    def leads_back(relation: Relation) -> bool:
        met: set[Relation] = set()
        waiting = list(uses.get(relation, ()))
        while waiting:
            one = waiting.pop()
            if one not in met:
                met.add(one)
                waiting += uses.get(one, ())
        return relation in met

    return frozenset(relation for relation in uses if leads_back(relation))


def freed(atom: Term) -> Iterator[Term]:
    """The atom as it is, and with its last argument left open: there a rule says which number it wants."""
    yield atom
    if atom.args and isinstance(atom.args[-1], Term):
        yield Term(atom.name, (*atom.args[:-1], Variable("wanted")))
