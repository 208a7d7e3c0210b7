"""Flat clauses: rules without `or`, `and` and compound `not`, ready for engines.

A rule becomes one clause for every way its body can hold. Where that would explode, and where `not`
covers more than one atom, a part of the body becomes a relation of its own. A variable that occurs only
under a `not` is existential inside it. A variable of the head or of a `distinct` that no positive
condition binds ranges over its domain (see `guards`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from ludorum.gdl.guards import Guards, Position, positions_of
from ludorum.gdl.names import FreshNames
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rulesheet
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables
from ludorum.gdl.unify import Substitution, substitute_atom, unify

# A body that can hold in more ways than this names its disjunctions instead of multiplying them out.
MOST_ALTERNATIVES = 32


@dataclass(frozen=True, slots=True)
class Clause:
    """A head that holds if all the positive atoms hold, none of the negative ones, and all pairs differ.

    Every variable occurs in a positive atom.
    """

    head: Term
    positive: tuple[Term, ...] = ()
    negative: tuple[Term, ...] = ()
    distinct: tuple[tuple[Argument, Argument], ...] = ()
    #: Where the rule stands that the clause came from.
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        conditions = [*map(str, self.positive), *(f"(not {atom})" for atom in self.negative),
                      *(f"(distinct {left} {right})" for left, right in self.distinct)]
        return f"(<= {' '.join([str(self.head), *conditions])})" if conditions else str(self.head)

    @property
    def atoms(self) -> tuple[Term, ...]:
        """The atoms of the body."""
        return self.positive + self.negative


def flatten(rulesheet: Rulesheet) -> tuple[Clause, ...]:
    """The clauses of a rulesheet in the order of its rules; new relations come after the rule they serve."""
    flattener = _Flattener()
    for rule in rulesheet.rules:
        flattener.define(rule.head, rule.body, rule.span)
    flattener.add_domains()
    return tuple(flattener.clauses)


def names_of(argument: Argument) -> set[str]:
    """The names of the variables of a term."""
    return {variable.name for variable in variables(argument)}


class _Flattener:
    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.fresh = FreshNames()
        self.guards = Guards(self.fresh)

    def add_domains(self) -> None:
        heads_and_bodies = [(clause.head, clause.positive) for clause in self.clauses]
        denied = [(atom, (clause.head, *clause.positive)) for clause in self.clauses for atom in clause.negative]
        self.clauses += [Clause(head, body) for head, body in self.guards.definitions(heads_and_bodies, denied)]

    def define(self, head: Term, body: Iterable[Formula], span: Span | None) -> None:
        """Clauses for `head` that hold where the conjunction `body` does."""
        parts = list(_conjuncts(body))
        choices = [part for part in parts if isinstance(part, Or)]
        if not choices:
            self._emit(head, parts, span)
        elif len(choices) == 1 or prod(map(_alternatives, choices)) <= MOST_ALTERNATIVES:
            rest = list(parts)
            rest.remove(choices[0])
            for formula in choices[0].formulas:
                self.define(head, [*rest, formula], span)
        else:
            self.define(head, [self._named(part, head, parts, span) if isinstance(part, Or) else part
                               for part in parts], span)

    def _named(self, choice: Or, head: Term, parts: Sequence[Formula], span: Span | None) -> Term:
        """An atom of a new relation that holds where one of the alternatives does."""
        others = [part for part in parts if part is not choice]
        outside = names_of(head).union(*map(_mentioned, others))
        exposed = names_of(head).union(*map(_exposed, parts))
        shared = sorted(_mentioned(choice) & outside & exposed)
        atom = Term(self.fresh.name("or"), tuple(map(Variable, shared)))
        for formula in choice.formulas:
            unbound = set(shared) - _bound(formula)
            self.define(atom, [*self._bindings(unbound, parts), formula], span)
        return atom

    def _bindings(self, unbound: set[str], parts: Iterable[Formula]) -> list[Term]:
        """Atoms that are implied by the other conditions of a rule and bind these variables."""
        atoms = [atom for part in parts for atom in _positive_atoms(part)]
        return [self.guards.atom(name, positions_of(name, atoms)) for name in sorted(unbound)]

    def _emit(self, head: Term, parts: Sequence[Formula], span: Span | None) -> None:
        solved = _solve_equalities(head, parts)
        if solved is None:
            return
        head, parts = solved
        positive = [part for part in parts if isinstance(part, Term) and not is_distinct(part)]
        pairs = _differing(part for part in parts if isinstance(part, Term) and is_distinct(part))
        if pairs is None:
            return
        bound = set().union(*map(names_of, positive))
        exposed = bound.union(names_of(head), *(names_of(side) for pair in pairs for side in pair))
        denied = [part.formula for part in parts if isinstance(part, Not)]
        for name in sorted(exposed - bound):
            self.guards.leave_open(name, head)
            positive.append(self.guards.atom(name, _places(name, head, denied, pairs, positive)))
        later: list[tuple[Term, Formula]] = []
        negative: list[Term] = []
        for formula in denied:
            if isinstance(formula, Term) and names_of(formula) <= exposed:
                negative.append(formula)
                continue
            shared = sorted(_mentioned(formula) & exposed)
            atom = Term(self.fresh.name("not"), tuple(map(Variable, shared)))
            negative.append(atom)
            later.append((atom, formula))
        self.clauses.append(
            Clause(head, tuple(dict.fromkeys(positive)), tuple(dict.fromkeys(negative)), pairs, span))
        for atom, formula in later:
            unbound = {str(v.name) for v in atom.args if isinstance(v, Variable)} - _bound(formula)
            self.define(atom, [*self._bindings(unbound, positive), formula], span)


def _places(name: str, head: Term, denied: Iterable[Formula], pairs: Sequence[tuple[Argument, Argument]],
            positive: Sequence[Term]) -> list[Position]:
    """The places that say what a variable can be that no positive condition binds."""
    places = list(positions_of(name, [head, *(formula for formula in denied if isinstance(formula, Term))]))
    if places:
        return places
    # Only `distinct` mentions it: what it is compared with ranges over the right things.
    compared = {other for pair in pairs for side in pair if name in names_of(side)
                for other in names_of(pair[0]) | names_of(pair[1]) if other != name}
    return [place for other in sorted(compared) for place in positions_of(other, positive)]


def is_distinct(atom: Term) -> bool:
    return atom.name == "distinct" and len(atom.args) == 2


def _conjuncts(body: Iterable[Formula]) -> Iterator[Formula]:
    """The body as atoms, negated atoms, negated conjunctions and disjunctions; negation pushed inwards."""
    for formula in body:
        if isinstance(formula, And) or (isinstance(formula, Or) and len(formula.formulas) == 1):
            yield from _conjuncts(formula.formulas)
        elif not isinstance(formula, Not):
            yield formula
        elif isinstance(formula.formula, Not):
            yield from _conjuncts([formula.formula.formula])
        elif isinstance(formula.formula, Or):
            yield from _conjuncts(Not(part) for part in formula.formula.formulas)
        elif isinstance(formula.formula, And) and len(formula.formula.formulas) == 1:
            yield from _conjuncts([Not(formula.formula.formulas[0])])
        elif formula.formula == And(()):
            yield Or(())
        else:
            yield formula


def _alternatives(formula: Formula) -> int:
    """In how many ways a formula can hold, multiplied out."""
    if isinstance(formula, And):
        return prod(map(_alternatives, formula.formulas))
    if isinstance(formula, Or):
        return sum(map(_alternatives, formula.formulas))
    return 1


def _mentioned(formula: Formula) -> set[str]:
    """All variables of a formula."""
    if isinstance(formula, Term):
        return names_of(formula)
    parts = (formula.formula,) if isinstance(formula, Not) else formula.formulas
    return set().union(*map(_mentioned, parts))


def _exposed(formula: Formula) -> set[str]:
    """The variables that occur outside every `not`."""
    if isinstance(formula, Not):
        return set()
    return names_of(formula) if isinstance(formula, Term) else set().union(*map(_exposed, formula.formulas))


def _bound(formula: Formula) -> set[str]:
    """The variables that have a value wherever the formula holds."""
    if isinstance(formula, Term):
        return set() if is_distinct(formula) else names_of(formula)
    if isinstance(formula, Not):
        return set()
    sets = list(map(_bound, formula.formulas))
    if isinstance(formula, And):
        return set().union(*sets)
    return set.intersection(*sets) if sets else set()


def _positive_atoms(formula: Formula) -> Iterator[Term]:
    if isinstance(formula, Term):
        if not is_distinct(formula):
            yield formula
    elif not isinstance(formula, Not):
        for part in formula.formulas:
            yield from _positive_atoms(part)


def _solve_equalities(head: Term, parts: Sequence[Formula]) -> tuple[Term, list[Formula]] | None:
    """The clause without `(not (distinct …))`, whose terms are made equal; None if they cannot be."""
    values: dict[str, Argument] | None = {}
    rest: list[Formula] = []
    for part in parts:
        if isinstance(part, Not) and isinstance(part.formula, Term) and is_distinct(part.formula):
            left, right = part.formula.args
            values = unify(left, right, values)
            if values is None:
                return None
        else:
            rest.append(part)
    if not values:
        return head, rest
    return substitute_atom(head, values), [_substitute_formula(part, values) for part in rest]


def _substitute_formula(formula: Formula, values: Substitution) -> Formula:
    if isinstance(formula, Term):
        return substitute_atom(formula, values)
    if isinstance(formula, Not):
        return Not(_substitute_formula(formula.formula, values), formula.span)
    formulas = tuple(_substitute_formula(part, values) for part in formula.formulas)
    return And(formulas, formula.span) if isinstance(formula, And) else Or(formulas, formula.span)


def _differing(atoms: Iterable[Term]) -> tuple[tuple[Argument, Argument], ...] | None:
    """The pairs that need to be compared; None if one is of equal terms."""
    pairs: dict[tuple[Argument, Argument], None] = {}
    for atom in atoms:
        left, right = atom.args
        if left == right:
            return None
        if unify(left, right) is not None and (right, left) not in pairs:
            pairs[left, right] = None
    return tuple(pairs)
