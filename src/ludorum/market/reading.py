"""The text of a market to rules: GDL's infix and KIF with comparisons, sums and differences of numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.infix import InfixReader
from ludorum.gdl.infix_tokens import Token, tokens
from ludorum.gdl.kif import read_kif
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables
from ludorum.market.words import NUMBERS

_TOKEN = re.compile(
    r"""
      (?P<space>(?:[\s\ufeff]|%[^\r\n]*|/\*.*?\*/)+)
    | (?P<quoted>\??'(?:[^'\\]|\\.)*')
    | (?P<unclosed>\??'|/\*)
    | (?P<operator>:-|<=|=<|>=|\\==?|!=|≠|\\\+|[~¬(),&;|.∧∨<>≤≥=+−-])
    | (?P<word>\d+|[^\W\d]\w*)
    | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMPARISONS = {"<": "<", ">": ">", "≤": "≤", "≥": "≥", "=<": "≤", ">=": "≥", "=": "="}
_SUMS = {"+": "plus", "-": "minus", "−": "minus"}


def read(findings: Findings) -> list[Rule]:
    """The rules of a market as far as they can be understood, with numbers compared and added by relations."""
    rules = read_kif(findings) if findings.source.syntax == "kif" else _Reader(findings).rules()
    return [_normal(rule) for rule in rules]


class _Reader(InfixReader):
    """Infix with `<`, `>`, `≤`, `≥`, `=` between terms, and `+` and `-` in them."""

    def _tokens(self) -> list[Token]:
        return tokens(self.findings, _TOKEN)

    def _atom(self) -> Formula:
        start = self.at
        left = self._argument()
        if self._sees(_COMPARISONS):
            sign = _COMPARISONS[self.token.text]
            self.at += 1
            right = self._argument()
            assert left.span is not None
            return Term(sign, (left, right), Span(left.span.start, self.tokens[self.at - 1].end))
        self.at = start
        return super()._atom()

    def _argument(self) -> Argument:
        left = self._number() if self._sees(_SUMS) else super()._argument()
        while self._sees(_SUMS):
            sign = self.token.text
            self.at += 1
            right = super()._argument()
            assert left.span is not None
            left = Term("+" if sign == "+" else "-", (left, right), Span(left.span.start, self.tokens[self.at - 1].end))
        return left

    def _number(self) -> Argument:
        """A number with a sign before it."""
        sign = self.token
        self.at += 1
        if sign.text == "+" or not self.token.text.isdigit():
            raise self._expected("a number after the sign")
        self.at += 1
        return Term("-" + self.tokens[self.at - 1].text, (), Span(sign.start, self.tokens[self.at - 1].end))


@dataclass
class _Normal:
    """A rule on its way to one without expressions: what they are worth becomes variables of its own."""

    rule: Rule
    taken: set[str] = field(default_factory=set)

    def fresh(self, span: Span | None) -> Variable:
        number = 1
        while f"n{number}" in self.taken:
            number += 1
        self.taken.add(f"n{number}")
        return Variable(f"n{number}", span)

    def argument(self, argument: Argument, extra: list[Formula]) -> Argument:
        if isinstance(argument, Variable) or not argument.args:
            return argument
        parts = tuple(self.argument(part, extra) for part in argument.args)
        if argument.name in _SUMS and len(parts) == 2:
            value = self.fresh(argument.span)
            extra.append(Term(_SUMS[argument.name], (*parts, value), argument.span))
            return value
        return Term(argument.name, parts, argument.span)

    def atom(self, atom: Term, extra: list[Formula]) -> Formula:
        sign = _COMPARISONS.get(atom.name)
        if sign is None or len(atom.args) != 2:
            return Term(atom.name, tuple(self.argument(part, extra) for part in atom.args), atom.span)
        if sign == "=":
            return self.equation(atom, extra)
        left, right = (self.argument(part, extra) for part in atom.args)
        if sign in (">", "≥"):
            left, right = right, left
        return Term("less" if sign in "<>" else "atmost", (left, right), atom.span)

    def equation(self, atom: Term, extra: list[Formula]) -> Formula:
        sides = sorted(atom.args, key=lambda side: not (isinstance(side, Term) and side.name in _SUMS and side.args))
        first, other = sides[0], self.argument(sides[1], extra)
        if isinstance(first, Term) and first.name in _SUMS and len(first.args) == 2:
            left, right = (self.argument(part, extra) for part in first.args)
            return Term(_SUMS[first.name], (left, right, other), atom.span)
        return Term("plus", (first, Term("0"), other), atom.span)

    def formula(self, formula: Formula, extra: list[Formula]) -> Formula:
        if isinstance(formula, Term):
            return self.atom(formula, extra)
        if isinstance(formula, Not):
            if isinstance(formula.formula, Term):
                return Not(self.atom(formula.formula, extra), formula.span)
            return Not(self.group(formula.formula), formula.span)
        parts = tuple(self.group(part) if isinstance(part, Or | And) else self.formula(part, extra)
                      for part in formula.formulas)
        return And(parts, formula.span) if isinstance(formula, And) else Or(tuple(map(self.group, formula.formulas)),
                                                                           formula.span)

    def group(self, formula: Formula) -> Formula:
        """A formula that carries what its own expressions are worth."""
        inside: list[Formula] = []
        made = self.formula(formula, inside)
        return And((made, *inside), formula.span) if inside else made


def _normal(rule: Rule) -> Rule:
    normal = _Normal(rule, {variable.name for term in _terms(rule) for variable in variables(term)})
    extra: list[Formula] = []
    head = normal.argument(rule.head, extra)
    body = [normal.formula(formula, extra) for formula in rule.body]
    assert isinstance(head, Term)
    whole = [*body, *extra]
    prices = [Term("price", (variable,), variable.span) for variable in _free_numbers(whole)]
    return Rule(head, (*prices, *whole), rule.span)


def _terms(rule: Rule) -> list[Term]:
    found, stack = [rule.head], list(rule.body)
    while stack:
        item = stack.pop()
        if isinstance(item, Term):
            found.append(item)
        else:
            stack.extend([item.formula] if isinstance(item, Not) else item.formulas)
    return found


def _free_numbers(body: list[Formula]) -> list[Variable]:
    """The variables that are compared or added, and that no other condition binds: they range over the prices."""
    bound: set[str] = set()
    used: dict[str, Variable] = {}
    for atom in _positive(body):
        if atom.name not in NUMBERS:
            bound.update(variable.name for variable in variables(atom))
        elif atom.name in ("plus", "minus"):
            bound.update(variable.name for variable in variables(atom.args[-1]))
            used.update({variable.name: variable for part in atom.args[:-1] for variable in variables(part)})
        else:
            used.update({variable.name: variable for variable in variables(atom)})
    return [variable for name, variable in used.items() if name not in bound]


def _positive(body: list[Formula]) -> list[Term]:
    found, stack = [], list(reversed(body))
    while stack:
        item = stack.pop()
        if isinstance(item, Term):
            found.append(item)
        elif isinstance(item, And):
            stack.extend(reversed(item.formulas))
    return found
