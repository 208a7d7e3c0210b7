"""Type normal form: quantifiers pushed as deep inside as they go, so that a formula is told step by step.

In the literature: Definition 5 and Procedure TNF of Kaiser, Stafiniak 2011.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

from ludorum.errors import TooLarge
from ludorum.toss.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    conjunction,
    disjunction,
    free,
    negation_normal,
    walk,
)

# A normal form of more alternatives than this is of no use to anybody.
_MOST_ALTERNATIVES = 4_096


def type_normal(formula: Formula, fluents: Collection[str] = ()) -> Formula:
    """An equivalent formula in type normal form; raises TooLarge where that has too many alternatives.

    Of several variables that are quantified alike, those that occur in a fluent end up outside of the others.
    """
    return _normal(negation_normal(formula), frozenset(fluents))


def is_type_normal(formula: Formula) -> bool:
    """Whether everything that a quantifier's formula is combined of has its variable free."""
    match formula:
        case And(parts) | Or(parts):
            return all(map(is_type_normal, parts))
        case Exists(variable, inner) | Forall(variable, inner):
            return is_type_normal(inner) and all(variable in free(part) for part in _combined(inner))
        case Not(inner):
            return not isinstance(inner, Not | And | Or | Exists | Forall)
        case _:
            return True


def _combined(formula: Formula) -> list[Formula]:
    """What a positive Boolean combination is made of."""
    if isinstance(formula, And | Or):
        return [part for inner in formula.formulas for part in _combined(inner)]
    return [formula]


def _normal(formula: Formula, fluents: frozenset[str]) -> Formula:
    match formula:
        case And(parts):
            return conjunction(tuple(_normal(part, fluents) for part in parts))
        case Or(parts):
            return disjunction(tuple(_normal(part, fluents) for part in parts))
        case Exists() | Forall():
            kind = type(formula)
            variables: list[str] = []
            inner: Formula = formula
            while isinstance(inner, kind) and inner.variable not in variables:
                variables.append(inner.variable)
                inner = inner.formula
            inner = _normal(inner, fluents)
            # Whoever is resolved last ends up outermost: those that occur in fluents, the first of them last of all.
            ordered = sorted(variables, key=lambda variable: not _is_in_fluent(variable, inner, fluents))
            for variable in reversed(ordered):
                inner = _pushed(kind, variable, inner)
            return inner
        case _:
            return formula


def _pushed(kind: type[Exists] | type[Forall], variable: str, formula: Formula) -> Formula:
    """A quantifier before a formula in normal form, pushed inside."""
    is_exists = kind is Exists
    outer, inner = (disjunction, conjunction) if is_exists else (conjunction, disjunction)
    found = []
    for clause in _clauses(formula, is_exists):
        inside = tuple(part for part in clause if variable in free(part))
        outside = tuple(part for part in clause if variable not in free(part))
        if inside:
            outside = (*outside, kind(variable, inner(inside)))
        # Where nothing is inside, there is nothing left to say of an element, and there is one at least.
        found.append(inner(outside))
    return outer(tuple(found))


def _clauses(formula: Formula, is_disjunctive: bool) -> list[tuple[Formula, ...]]:
    """The disjunctive normal form of a positive combination as conjunctions, or the dual."""
    outer, inner = (Or, And) if is_disjunctive else (And, Or)
    if isinstance(formula, outer):
        return [clause for part in formula.formulas for clause in _clauses(part, is_disjunctive)]
    if isinstance(formula, inner):
        each = [_clauses(part, is_disjunctive) for part in formula.formulas]
        size = 1
        for clauses in each:
            size *= len(clauses)
        if size > _MOST_ALTERNATIVES:
            raise TooLarge(f"a normal form with more than {_MOST_ALTERNATIVES} alternatives")
        return [tuple(dict.fromkeys(part for clause in choice for part in clause)) for choice in product(*each)]
    return [(formula,)]


def _is_in_fluent(variable: str, formula: Formula, fluents: frozenset[str]) -> bool:
    return any(isinstance(item, Atom) and item.relation in fluents and variable in item.args for item in walk(formula))
