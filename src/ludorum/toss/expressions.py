"""Formulas and terms as they are written; `and` binds closer than `or`, `not` and quantifiers closer than both.

In the literature: operator precedence parsing (Pratt 1973).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeVar

from ludorum.errors import InvalidRules
from ludorum.gdl.terms import Span
from ludorum.toss.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Indicator,
    Less,
    Not,
    Number,
    Plus,
    Real,
    Sum,
    Times,
    conjunction,
    depth,
    disjunction,
)
from ludorum.toss.sheet import Named
from ludorum.toss.stream import Stream

_MOST_NESTED = 64
_HIGHEST_POWER = 16
# How close the signs between two operands bind.
_BINDS = {"or": 1, "and": 2, "=": 4, "<": 4, ">": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": 7}
# The operand of `not` and of quantifiers: a comparison, but no conjunction.
_UNARY = 3
_NOT_SUPPORTED = frozenset({"let", "lfp", "gfp", "tc"})

# What an expression can turn out to be: a lone name is an element, to be compared with another.
_Value = Formula | Real | Named
_N = TypeVar("_N", Formula, Real)


class Expressions(Stream):
    """Reads formulas and terms from tokens."""

    _depth = 0

    def formula(self) -> Formula:
        start = self.peek.span
        return self._not_too_deep(self._as_formula(self._expression(0), start), start)

    def term(self) -> Real:
        start = self.peek.span
        return self._not_too_deep(self._as_term(self._expression(0), start), start)

    def _not_too_deep(self, node: _N, start: Span) -> _N:
        # Whoever works on formulas does so by recursion.
        if depth(node) > _MOST_NESTED:
            raise self._too_deep(start)
        return node

    def _too_deep(self, span: Span) -> InvalidRules:
        return self.misread("toss-too-deep", f"formulas are nested more than {_MOST_NESTED} deep", span,
                            help="define a part of it by a relation of its own (REL)")

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        if self._depth >= _MOST_NESTED:
            raise self._too_deep(self.peek.span)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _expression(self, least: int) -> _Value:
        with self._deeper():
            start = self.peek.span
            value = self._operand()
            while (binds := _BINDS.get(self.peek.text, -1)) > least and self.peek.kind != "grid":
                sign = self.next()
                right_start = self.peek.span
                right = self._expression(binds)
                value = self._combined(sign.text, value, right, start, right_start)
        return value

    def _combined(self, sign: str, left: _Value, right: _Value, start: Span, right_start: Span) -> _Value:
        if sign in ("and", "or"):
            both = (self._as_formula(left, start), self._as_formula(right, right_start))
            return conjunction(both) if sign == "and" else disjunction(both)
        if isinstance(left, Named) and isinstance(right, Named):
            if sign != "=":
                raise self.misread("toss-mixed", f"{left.name} and {right.name} are elements, which have no order",
                                   Span(left.span.start, right.span.end), help="only numbers are compared by < and >")
            return Equal(left.name, right.name, Span(left.span.start, right.span.end))
        one, other = self._as_term(left, start), self._as_term(right, right_start)
        match sign:
            case "=":
                return And((Not(Less(one, other)), Not(Less(other, one))))
            case "<":
                return Less(one, other, start)
            case ">":
                return Less(other, one, start)
            case "+":
                return Plus((*_terms(one, Plus), other))
            case "-":
                return Plus((*_terms(one, Plus), Times((Number(Fraction(-1)), other))))
            case "*":
                return Times((*_terms(one, Times), other))
            case "/":
                if not isinstance(other, Number) or not other.value:
                    raise self.misread("toss-unexpected", "only a number other than 0 can divide", right_start)
                if isinstance(one, Number):
                    return Number(one.value / other.value)
                return Times((one, Number(1 / other.value)))
            case _:
                if not isinstance(other, Number) or not 0 <= other.value <= _HIGHEST_POWER or other.value % 1:
                    raise self.misread("toss-unexpected", f"a power is a whole number from 0 to {_HIGHEST_POWER}",
                                       right_start)
                return Times((one,) * int(other.value))

    def _operand(self) -> _Value:
        token = self.next()
        if token.kind == "number":
            return Number(Fraction(token.text))
        if token.kind == "sign":
            return self._after_sign(token.text, token.span)
        if token.kind != "name" or token.text in ("and", "or"):
            raise self.misread("toss-unexpected", f"expected a formula, found {token.text}", token.span)
        if token.text in _NOT_SUPPORTED:
            raise self.misread("toss-unsupported", f"{token.text} is not supported", token.span,
                               help="define a relation with REL; one that names itself is a least fixed point")
        if token.text == "not":
            start = self.peek.span
            return Not(self._as_formula(self._expression(_UNARY), start))
        if token.text in ("ex", "all"):
            return self._quantified(token.text)
        if token.text == "Sum":
            return self._sum()
        if self.take("("):
            args = []
            while not self.take(")"):
                args.append(self.any_name("a variable"))
                if not self.take(","):
                    self.expect(")")
                    break
            return Atom(token.text, tuple(arg.name for arg in args), token.span)
        return Named(token.text, token.span)

    def _after_sign(self, sign: str, span: Span) -> _Value:
        if sign == "(":
            value = self._expression(0)
            self.expect(")")
            return value
        if sign == ":":
            self.expect("(")
            formula = self.formula()
            self.expect(")")
            return Indicator(formula)
        if sign == "-":
            start = self.peek.span
            term = self._as_term(self._expression(_BINDS["*"]), start)
            return Number(-term.value) if isinstance(term, Number) else Times((Number(Fraction(-1)), term))
        raise self.misread("toss-unexpected", f"expected a formula, found {sign}", span)

    def _quantified(self, word: str) -> Formula:
        variables = self._variables()
        start = self.peek.span
        formula = self._as_formula(self._expression(_UNARY), start)
        for variable in reversed(variables):
            formula = Exists(variable.name, formula) if word == "ex" else Forall(variable.name, formula)
        return formula

    def _sum(self) -> Real:
        self.expect("(")
        variables = self._variables()
        self.expect("|")
        condition = self.formula()
        self.expect(":")
        term = self.term()
        self.expect(")")
        for variable in reversed(variables[1:]):
            # The condition is on all of them; it is asked where the last is chosen.
            term = Sum(variable.name, condition, term)
            condition = And(())
        return Sum(variables[0].name, condition, term)

    def _variables(self) -> list[Named]:
        found = [self.name("a variable")]
        while self.take(","):
            found.append(self.name("a variable"))
        return found

    def _as_formula(self, value: _Value, start: Span) -> Formula:
        if isinstance(value, Named):
            raise self.misread("toss-mixed", f"{value.name} alone is no formula", value.span,
                               help=f"a relation has parentheses, even if it holds of nothing: {value.name}()")
        if isinstance(value, Number | Plus | Times | Indicator | Sum):
            raise self.misread("toss-mixed", "this is a number, where a formula was expected", start,
                               help="compare it with another number by <, > or =")
        return value

    def _as_term(self, value: _Value, start: Span) -> Real:
        if isinstance(value, Number | Plus | Times | Indicator | Sum):
            return value
        if isinstance(value, Named):
            raise self.misread("toss-mixed", f"{value.name} is no number", value.span,
                               help="an element can be compared with another by = only")
        raise self.misread("toss-mixed", "this is a formula, where a number was expected", start,
                           help="write :(…) for the number that is 1 where the formula holds and 0 elsewhere")


def _terms(term: Real, kind: type[Plus] | type[Times]) -> tuple[Real, ...]:
    """The parts of a sum or product, so that long ones do not nest."""
    return term.terms if isinstance(term, kind) else (term,)
