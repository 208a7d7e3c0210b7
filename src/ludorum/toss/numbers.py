"""Terms as relations of GDL: which number a term has, counted along an order of the elements.

Every number that a term can have is known beforehand, so that sums and comparisons are tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

from ludorum.errors import TooLarge
from ludorum.gdl import rulesheet as gdl
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.toss.conditions import NOW, Conditions, Moment, Places
from ludorum.toss.formulas import Indicator, Less, Number, Plus, Real, Sum, Times, free, relations_of
from ludorum.toss.game import Game

# A term may have so many numbers, and a table of two terms so many rows.
MOST_VALUES = 1_000
MOST_ROWS = 40_000


class Numbers:
    """Turns terms into relations that hold of their numbers."""

    def __init__(self, game: Game, conditions: Conditions) -> None:
        self.game = game
        self.conditions = conditions
        conditions.compare = self.compare
        symbols = conditions.symbols
        self._place, self._first, self._after, self._last = map(symbols.symbol, ("place", "first", "after", "last"))
        self._relations: dict[tuple[Real, tuple[str, ...], bool], str] = {}
        self._tables: dict[tuple[str, tuple[Fraction, ...], tuple[Fraction, ...]], str] = {}
        self._is_ordered = False
        self.rules: list[Rule] = []

    def values(self, term: Real) -> tuple[Fraction, ...]:
        """All numbers that a term might have; raises TooLarge."""
        match term:
            case Number(value):
                return (value,)
            case Indicator():
                return (Fraction(0), Fraction(1))
            case Plus(terms):
                return _folded(map(self.values, terms), lambda one, other: one + other)
            case Times(()):
                return (Fraction(1),)
            case Times(terms):
                if len(set(terms)) == 1:
                    return _bounded(value ** len(terms) for value in self.values(terms[0]))
                return _folded(map(self.values, terms), lambda one, other: one * other)
            case Sum(_, _, inner):
                step = self.values(inner)
                found: tuple[Fraction, ...] = (Fraction(0),)
                for _ in self.game.start.elements:
                    found = _bounded({*found, *(one + other for one in found for other in step)})
                return found

    def compare(self, formula: Less, places: Places, moment: Moment) -> Term:
        """The condition that one number is smaller than another."""
        conditions = self.conditions
        names = sorted(free(formula))
        is_later = self._is_later(formula, moment)
        inside: dict[str, Argument] = {name: Variable(f"x{number}") for number, name in enumerate(names)}
        asked = Moment(Variable("m")) if is_later else NOW
        relation = conditions.symbols.symbol("smaller")
        left, right = self.values(formula.left), self.values(formula.right)
        one, other = Variable("n1"), Variable("n2")
        body = [self.has(formula.left, inside, asked, one), self.has(formula.right, inside, asked, other),
                Term(self._table("less", left, right), (one, other))]
        conditions.rule(_applied(relation, asked, [inside[name] for name in names]), body, asked)
        return _applied(relation, moment if is_later else NOW, [places[name] for name in names])

    def has(self, term: Real, places: Places, moment: Moment, number: Argument) -> Term:
        """The condition that a term has a number."""
        names = tuple(sorted(free(term)))
        is_later = self._is_later(term, moment)
        key = (term, names, is_later)
        if key not in self._relations:
            self._relations[key] = self.conditions.symbols.symbol("number")
            inside: dict[str, Argument] = {name: Variable(f"x{position}") for position, name in enumerate(names)}
            self._define(term, self._relations[key], inside, Moment(Variable("m")) if is_later else NOW)
        return _applied(self._relations[key], moment if is_later else NOW, [*(places[name] for name in names), number])

    def _is_later(self, node: Real | Less, moment: Moment) -> bool:
        return moment.change is not None and bool(relations_of(node) & self.game.changing
                                                or not self.game.keeps_elements)

    def _define(self, term: Real, relation: str, places: dict[str, Argument], moment: Moment) -> None:
        args = list(places.values())

        def head(number: Argument) -> Term:
            return _applied(relation, moment, [*args, number])

        match term:
            case Number(value):
                self.conditions.rule(head(numeral(value)), [], moment)
            case Indicator(formula):
                holds = self.conditions.helper(formula, places, moment)
                self.conditions.rule(head(numeral(1)), [holds], moment)
                self.conditions.rule(head(numeral(0)), [gdl.Not(holds)], moment)
            case Plus(terms) | Times(terms):
                self._combine(term, terms, head, places, moment)
            case Sum():
                self._count(term, head, places, moment)

    def _combine(self, term: Plus | Times, terms: Sequence[Real], head: Callable[[Argument], Term], places: Places,
                 moment: Moment) -> None:
        kind = type(term)
        if not terms:
            self.conditions.rule(head(numeral(0 if kind is Plus else 1)), [], moment)
            return
        if len(terms) == 1:
            number = Variable("n1")
            self.conditions.rule(head(number), [self.has(terms[0], places, moment, number)], moment)
            return
        rest: Real = kind(tuple(terms[:-1])) if len(terms) > 2 else terms[0]
        one, other, result = Variable("n1"), Variable("n2"), Variable("n3")
        table = self._table("plus" if kind is Plus else "times", self.values(rest), self.values(terms[-1]))
        self.conditions.rule(head(result), [self.has(rest, places, moment, one),
                                            self.has(terms[-1], places, moment, other),
                                            Term(table, (one, other, result))], moment)

    def _count(self, term: Sum, head: Callable[[Argument], Term], places: Places, moment: Moment) -> None:
        """A sum, element by element: what each adds, and what those up to it add up to."""
        if not self.game.start.elements:
            self.conditions.rule(head(numeral(0)), [], moment)
            return
        self._order()
        symbols, args = self.conditions.symbols, list(places.values())
        adds, upto = symbols.symbol("adds"), symbols.symbol("upto")
        here, before = Variable("e"), Variable("d")
        one, other, result = Variable("n1"), Variable("n2"), Variable("n3")
        inside = {**places, term.variable: here}
        counted = self.conditions.helper(term.condition, inside, moment)
        body: list[gdl.Formula] = [counted]
        if not self.game.keeps_elements:
            body.append(self.conditions.is_element(here, moment))
            is_counted = _applied(symbols.symbol("counted"), moment, [*args, here])
            self.conditions.rule(is_counted, body, moment)
            body = [is_counted]
        self.conditions.rule(_applied(adds, moment, [*args, here, one]),
                             [*body, self.has(term.term, inside, moment, one)], moment)
        place: gdl.Formula = Term(self._place, (here,))
        self.conditions.rule(_applied(adds, moment, [*args, here, numeral(0)]),
                             [place, *(gdl.Not(condition) for condition in body)], moment)
        step = self.values(term.term)
        sofar: tuple[Fraction, ...] = _bounded({Fraction(0), *step})
        for _ in self.game.start.elements:
            sofar = _bounded({*sofar, *(a + b for a in sofar for b in step)})
        table = self._table("plus", sofar, _bounded({Fraction(0), *step}))
        self.conditions.rule(_applied(upto, moment, [*args, here, one]),
                             [Term(self._first, (here,)), _applied(adds, moment, [*args, here, one])], moment)
        self.conditions.rule(_applied(upto, moment, [*args, here, result]),
                             [Term(self._after, (before, here)), _applied(upto, moment, [*args, before, one]),
                              _applied(adds, moment, [*args, here, other]), Term(table, (one, other, result))], moment)
        self.conditions.rule(head(result), [Term(self._last, (here,)),
                                            _applied(upto, moment, [*args, here, result])], moment)

    def _order(self) -> None:
        """The elements in a row, once."""
        if self._is_ordered:
            return
        self._is_ordered = True
        elements = [self.conditions.constant(element) for element in self.game.start.elements]
        self.rules += [Rule(Term(self._place, (element,))) for element in elements]
        self.rules.append(Rule(Term(self._first, (elements[0],))))
        self.rules += [Rule(Term(self._after, pair)) for pair in pairwise(elements)]
        self.rules.append(Rule(Term(self._last, (elements[-1],))))

    def _table(self, kind: str, left: tuple[Fraction, ...], right: tuple[Fraction, ...]) -> str:
        """The relation that lists what two numbers come to, or which is smaller."""
        if len(left) * len(right) > MOST_ROWS:
            raise TooLarge("a term has more numbers than are worth a table")
        key = (kind, left, right)
        if key not in self._tables:
            name = self._tables[key] = self.conditions.symbols.symbol(kind)
            self.rules += [Rule(Term(name, row)) for row in _rows(kind, left, right)]
        return self._tables[key]


def numeral(value: Fraction | int) -> Term:
    """A number as a symbol; fractions have an underscore for their stroke."""
    return Term(str(Fraction(value)).replace("/", "_"))


def _rows(kind: str, left: Iterable[Fraction], right: Iterable[Fraction]) -> Iterator[tuple[Term, ...]]:
    for one, other in product(left, right):
        if kind == "less":
            if one < other:
                yield numeral(one), numeral(other)
        else:
            yield numeral(one), numeral(other), numeral(one + other if kind == "plus" else one * other)


def _applied(relation: str, moment: Moment, args: Sequence[Argument]) -> Term:
    return Term(relation, tuple(args) if moment.change is None else (moment.change, *args))


def _bounded(values: Iterable[Fraction]) -> tuple[Fraction, ...]:
    found = tuple(sorted(set(values)))
    if len(found) > MOST_VALUES:
        raise TooLarge("a term has more numbers than are worth a table")
    return found


def _folded(each: Iterable[tuple[Fraction, ...]],
            combine: Callable[[Fraction, Fraction], Fraction]) -> tuple[Fraction, ...]:
    found: tuple[Fraction, ...] | None = None
    for values in each:
        found = values if found is None else _bounded(combine(one, other) for one in found for other in values)
    return found if found is not None else (Fraction(0),)
