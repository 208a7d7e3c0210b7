"""In which order the conditions of a rule are looked at.

What counts is how many rows are looked at in all: a condition that gives few rows comes before one that gives many,
and a test as soon as its variables have values. (The ordering of hypotheses of Schofield and Saffidine, 2013, with
joins through indexes.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.terms import Argument, Term
from ludorum.relations.estimates import Estimate

# So many partial orders are followed at a time.
_BEAM = 12


@dataclass(frozen=True, slots=True)
class Condition:
    """An atom that holds or does not, or two terms that differ."""

    kind: str  # "holds", "not" or "differ"
    terms: tuple[Argument, ...]
    names: frozenset[str]

    @property
    def atom(self) -> Term:
        assert isinstance(self.terms[0], Term)
        return self.terms[0]

    def __str__(self) -> str:
        if self.kind == "differ":
            return f"(distinct {self.terms[0]} {self.terms[1]})"
        return str(self.atom) if self.kind == "holds" else f"(not {self.atom})"


def conditions_of(clause: Clause) -> list[Condition]:
    return [*(Condition("holds", (atom,), frozenset(names_of(atom))) for atom in clause.positive),
            *(Condition("not", (atom,), frozenset(names_of(atom))) for atom in clause.negative),
            *(Condition("differ", pair, frozenset(names_of(pair[0]) | names_of(pair[1]))) for pair in clause.distinct)]


#: What a condition gives and costs if these variables have values.
Estimator = Callable[[Condition, frozenset[str]], Estimate]


@dataclass(frozen=True, slots=True)
class _Partial:
    cost: float
    rows: float
    known: frozenset[str]
    order: tuple[int, ...]


def ordered(conditions: Sequence[Condition], known: frozenset[str], estimate: Estimator) -> list[Condition]:
    """The conditions in the order that is expected to look at the fewest rows."""
    binding = [i for i, condition in enumerate(conditions) if condition.kind == "holds"]
    tests = [i for i, condition in enumerate(conditions) if condition.kind != "holds"]
    beam = [_tested(_Partial(0.0, 1.0, known, ()), conditions, tests, estimate)]
    for _ in binding:
        longer: dict[frozenset[int], _Partial] = {}
        for partial in beam:
            for i in binding:
                if i in partial.order:
                    continue
                found = _tested(_then(partial, i, conditions[i], estimate), conditions, tests, estimate)
                key = frozenset(found.order)
                if key not in longer or found.cost < longer[key].cost:
                    longer[key] = found
        beam = sorted(longer.values(), key=lambda partial: (partial.cost + partial.rows, partial.order))[:_BEAM]
    return [conditions[i] for i in beam[0].order]


def expected(conditions: Sequence[Condition], known: frozenset[str], estimate: Estimator) -> Estimate:
    """What is expected of all conditions together, the one with the fewest rows always first."""
    binding = [i for i, condition in enumerate(conditions) if condition.kind == "holds"]
    tests = [i for i, condition in enumerate(conditions) if condition.kind != "holds"]
    partial = _tested(_Partial(0.0, 1.0, known, ()), conditions, tests, estimate)
    while left := [i for i in binding if i not in partial.order]:
        longer = [_then(partial, i, conditions[i], estimate) for i in left]
        partial = _tested(min(longer, key=lambda found: (found.rows, found.cost)), conditions, tests, estimate)
    return Estimate(partial.rows, partial.cost)


def _then(partial: _Partial, i: int, condition: Condition, estimate: Estimator) -> _Partial:
    given = estimate(condition, partial.known)
    rows = partial.rows * max(given.rows, 1e-6)
    cost = partial.cost + partial.rows * given.cost + rows * given.of_row
    return _Partial(cost, rows, partial.known | condition.names, (*partial.order, i))


def _tested(partial: _Partial, conditions: Sequence[Condition], tests: Sequence[int],
            estimate: Estimator) -> _Partial:
    """With every test that can be made now, the cheapest first."""
    ready = [i for i in tests if i not in partial.order and conditions[i].names <= partial.known]
    for i in sorted(ready, key=lambda i: (estimate(conditions[i], partial.known).cost, i)):
        partial = _then(partial, i, conditions[i], estimate)
    return partial
