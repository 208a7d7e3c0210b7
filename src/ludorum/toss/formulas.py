"""First-order logic with counting: what conditions, definitions and payoffs are made of.

Formulas speak of the elements of a structure, terms are numbers. Names stand for variables; in the conditions of a
rule, those that no quantifier binds are the elements of the rule.

In the literature: first-order logic with counting terms (Grädel, Gurevich 1998; Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ludorum.gdl.terms import Span


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation holds of these."""

    relation: str
    args: tuple[str, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Equal:
    """Two names mean the same element."""

    left: str
    right: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Less:
    """One number is smaller than another."""

    left: Real
    right: Real
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    formula: Formula


@dataclass(frozen=True, slots=True)
class And:
    """All of these; with none of them, what is always true."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of these; with none of them, what is never true."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    variable: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    variable: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Number:
    value: Fraction


@dataclass(frozen=True, slots=True)
class Plus:
    terms: tuple[Real, ...]


@dataclass(frozen=True, slots=True)
class Times:
    terms: tuple[Real, ...]


@dataclass(frozen=True, slots=True)
class Indicator:
    """1 where a formula holds and 0 elsewhere: the characteristic function, written `:(φ)`."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of a term over all elements of which a condition holds."""

    variable: str
    condition: Formula
    term: Real


Formula = Atom | Equal | Less | Not | And | Or | Exists | Forall
Real = Number | Plus | Times | Indicator | Sum
Node = Formula | Real

TRUE = And(())
FALSE = Or(())


def parts(node: Node) -> tuple[Node, ...]:
    """What a formula or term is directly made of."""
    match node:
        case Atom() | Equal() | Number():
            return ()
        case Not(inner) | Indicator(inner) | Exists(_, inner) | Forall(_, inner):
            return (inner,)
        case And(inner) | Or(inner):
            return inner
        case Plus(terms) | Times(terms):
            return terms
        case Less(left, right):
            return (left, right)
        case Sum(_, condition, term):
            return (condition, term)


def walk(node: Node) -> Iterator[Node]:
    """A formula or term with everything inside it, from left to right."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        stack.extend(reversed(parts(item)))


def depth(node: Node) -> int:
    """How many parts are inside each other."""
    deepest = 0
    stack = [(node, 1)]
    while stack:
        item, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((part, level + 1) for part in parts(item))
    return deepest


def atoms(node: Node) -> Iterator[Atom]:
    return (item for item in walk(node) if isinstance(item, Atom))


def free(node: Node) -> frozenset[str]:
    """The names that no quantifier or sum binds."""
    match node:
        case Atom(_, args):
            return frozenset(args)
        case Equal(left, right):
            return frozenset((left, right))
        case Exists(variable, _) | Forall(variable, _) | Sum(variable, _, _):
            return frozenset[str]().union(*map(free, parts(node))) - {variable}
        case _:
            return frozenset[str]().union(*map(free, parts(node)))


def relations_of(node: Node) -> set[str]:
    return {atom.relation for atom in atoms(node)}


def conjunction(formulas: tuple[Formula, ...]) -> Formula:
    """All of these, flat."""
    flat: list[Formula] = []
    for formula in formulas:
        flat.extend(formula.formulas if isinstance(formula, And) else (formula,))
    unique = tuple(dict.fromkeys(flat))
    return unique[0] if len(unique) == 1 else And(unique)


def disjunction(formulas: tuple[Formula, ...]) -> Formula:
    """At least one of these, flat."""
    flat: list[Formula] = []
    for formula in formulas:
        flat.extend(formula.formulas if isinstance(formula, Or) else (formula,))
    unique = tuple(dict.fromkeys(flat))
    return unique[0] if len(unique) == 1 else Or(unique)


def negation_normal(formula: Formula, holds: bool = True) -> Formula:
    """An equivalent formula where only atoms, equations and comparisons are negated; with `holds` false, of its
    negation."""
    match formula:
        case Not(inner):
            return negation_normal(inner, not holds)
        case And(inner) | Or(inner):
            each = tuple(negation_normal(part, holds) for part in inner)
            return conjunction(each) if isinstance(formula, And) == holds else disjunction(each)
        case Exists(variable, inner) | Forall(variable, inner):
            kind = Exists if isinstance(formula, Exists) == holds else Forall
            return kind(variable, negation_normal(inner, holds))
        case _:
            return formula if holds else Not(formula)


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula about other elements: free names are replaced, and bound ones give way where they would clash."""
    match formula:
        case Atom(relation, args, span):
            return Atom(relation, tuple(names.get(arg, arg) for arg in args), span)
        case Equal(left, right, span):
            return Equal(names.get(left, left), names.get(right, right), span)
        case Less(left_term, right_term, span):
            return Less(rename_term(left_term, names), rename_term(right_term, names), span)
        case Not(inner):
            return Not(rename(inner, names))
        case And(inner):
            return And(tuple(rename(part, names) for part in inner))
        case Or(inner):
            return Or(tuple(rename(part, names) for part in inner))
        case Exists(variable, inner) | Forall(variable, inner):
            variable, inside = _bound(variable, free(inner), names)
            return (Exists if isinstance(formula, Exists) else Forall)(variable, rename(inner, inside))


def rename_term(term: Real, names: Mapping[str, str]) -> Real:
    """The term about other elements."""
    match term:
        case Number():
            return term
        case Plus(terms):
            return Plus(tuple(rename_term(part, names) for part in terms))
        case Times(terms):
            return Times(tuple(rename_term(part, names) for part in terms))
        case Indicator(formula):
            return Indicator(rename(formula, names))
        case Sum(variable, condition, inner):
            variable, inside = _bound(variable, free(condition) | free(inner), names)
            return Sum(variable, rename(condition, inside), rename_term(inner, inside))


def _bound(variable: str, inside: frozenset[str], names: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """A bound variable that clashes with no new name, and how names are replaced where it is bound."""
    replaced = {old: new for old, new in names.items() if old != variable and old in inside}
    taken = set(replaced.values()) | (inside - replaced.keys() - {variable})
    fresh = variable
    while fresh in taken:
        fresh += "'"
    return fresh, {**replaced, variable: fresh}
