"""The reader of the infix notation of the papers: `legal(R, noop) :- role(R), not true(control(R)).`

Variables start with a capital letter or an underscore, or are quoted after a question mark, `?'odd+name'`;
`_` alone is a new variable each time. Symbols that are no plain words or numbers are quoted, `'like+this'`.
Negation is `not`, `~` or `\\+`; conjunction `,`, `&` or `and`; disjunction `;`, `|` or `or`. The words `and`
and `or` may also be written before their parts, `and(a)`. `X \\= Y` is `distinct(X, Y)`, and so is `¬X = Y`. Comments
start with `%` or stand in `/* … */`. As on slides, a text without any full stop has its clauses by their arrows.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager

from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.infix_tokens import Token, tokens, with_stops
from ludorum.gdl.kif import MAX_NESTING
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule
from ludorum.gdl.terms import Argument, Span, Term, Variable
from ludorum.gdl.words import CONNECTIVES

_ARROWS = frozenset({":-", "<="})
_NOT = frozenset({"not", "~", "¬", "\\+"})
_AND = frozenset({",", "&", "and", "∧"})
_OR = frozenset({";", "|", "or", "∨"})
_DISTINCT = frozenset({"\\=", "\\==", "!=", "≠"})
_SAME = frozenset({"="})

# What KIF could not write: a rulesheet must exist in both syntaxes.
_UNWRITABLE = re.compile(r"[\s\ufeff();]")


def read_infix(findings: Findings) -> list[Rule]:
    """The rules of a source in infix, as far as they can be understood; what cannot be is a finding."""
    return InfixReader(findings).rules()


class _Unreadable(Exception):
    """The clause at hand cannot be read; the finding has been made."""


class InfixReader:
    """A recursive descent parser; recursion is bounded by MAX_NESTING. Languages with more signs build on it."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.tokens = self._tokens()
        self.cut_short = findings.have_errors
        self.at = 0
        self.depth = 0
        self.taken_names = {token.text.strip("?'").lower() for token in self.tokens}
        self.anonymous = 0

    def rules(self) -> list[Rule]:
        rules = []
        while self.token.kind != "end":
            self.depth = self.anonymous = 0
            try:
                rules.append(self._clause())
            except _Unreadable:
                while self.token.kind != "end" and not self._accept({"."}):
                    self.at += 1
        return rules

    # Tokens

    def _tokens(self) -> list[Token]:
        return with_stops(tokens(self.findings), _ARROWS)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def _sees(self, texts: Container[str]) -> bool:
        # A quoted word is never an operator.
        return self.token.text in texts and self.token.kind != "quoted"

    def _accept(self, texts: Container[str]) -> bool:
        found = self._sees(texts)
        self.at += found
        return found

    def _reject(self, code: str, message: str, span: Span | None, label: str = "",
                help: str = "") -> _Unreadable:
        # Where a quote or comment swallowed the rest, the clause before it is cut by no fault of its own.
        if not (self.cut_short and self.token.kind == "end"):
            self.findings.add(code, message, span, label, help)
        return _Unreadable()

    def _expected(self, what: str) -> _Unreadable:
        found = self.token.text if self.token.kind != "end" else "the end of the text"
        return self._reject("unexpected-token", f"expected {what}, found {found}", self.token.span)

    def _close(self, opening: Token) -> int:
        """Reads the parenthesis that closes `opening`, and returns where it ends."""
        if self._accept({")"}):
            return self.tokens[self.at - 1].end
        if self.token.kind == "end" or self._sees({".", ":-", "<="}):
            raise self._reject("unclosed-parenthesis", "this parenthesis is never closed", opening.span)
        raise self._expected("a comma or a closing parenthesis")

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self._reject("too-deep", f"parentheses are nested more than {MAX_NESTING} deep",
                               self.token.span)
        yield
        self.depth -= 1

    # Clauses

    def _clause(self) -> Rule:
        start = self.token.start
        head = self._argument()
        if isinstance(head, Variable) or head.name in CONNECTIVES or head.name.startswith("?"):
            raise self._reject("malformed-rule", "only an atom can be a fact or the head of a rule",
                               head.span, help="a rule says when one atom holds; all else is false")
        body: tuple[Formula, ...] = ()
        if self._accept(_ARROWS) and not self._sees({"."}):
            body = self._body()
        self._end_clause()
        return Rule(head, body, Span(start, self.tokens[self.at - 1].end))

    def _end_clause(self) -> None:
        if self._accept({"."}):
            return
        if self._sees({")"}):
            raise self._reject("unopened-parenthesis", "this parenthesis closes nothing", self.token.span,
                               "all before it are closed already")
        last = self.tokens[self.at - 1]
        unreadable = self._reject("unexpected-token", "a full stop is missing after this clause",
                                  Span(last.end - 1, last.end), "the clause seems to end here")
        # A word in a new line is taken for the next clause, so that one missing stop is one finding.
        between = self.findings.source.text[last.end : self.token.start]
        if self.token.kind != "word" or "\n" not in between:
            raise unreadable

    def _body(self) -> tuple[Formula, ...]:
        # The commas of the body itself separate its conditions; a conjunction in parentheses is one of them.
        alternatives = self._alternatives()
        return tuple(alternatives[0]) if len(alternatives) == 1 else (_disjunction(alternatives),)

    def _alternatives(self) -> list[list[Formula]]:
        alternatives = [self._conditions()]
        while self._accept(_OR):
            alternatives.append(self._conditions())
        return alternatives

    def _conditions(self) -> list[Formula]:
        conditions = [self._condition()]
        while self._accept(_AND):
            conditions.append(self._condition())
        return conditions

    def _condition(self) -> Formula:
        start = self.token
        with self._deeper():
            if self._accept(_NOT):
                formula = self._condition()
                span = Span(start.start, self.tokens[self.at - 1].end)
                # What is not the same is distinct.
                match formula:
                    case Not(Term("distinct", arguments)):
                        return Term("distinct", arguments, span)
                return Not(formula, span)
            if self._accept({"("}):
                alternatives = self._alternatives()
                return _disjunction(alternatives, Span(start.start, self._close(start)))
            if self._accept({"and", "or"}):
                return self._prefixed(start)
            return self._atom()

    def _prefixed(self, word: Token) -> Formula:
        """The parts of `and(a, b)` or `or(a, b)`: any number of them."""
        opening = self.token
        if not self._accept({"("}):
            raise self._expected(f"an opening parenthesis after {word.text}")
        parts: list[Formula] = []
        if not self._sees({")"}):
            parts.append(self._condition())
            while self._accept({","}):
                parts.append(self._condition())
        span = Span(word.start, self._close(opening))
        if word.text == "and":
            return And(tuple(parts), span)
        if not parts:
            self.findings.add("empty-disjunction", "an or without alternatives never holds", span)
        return Or(tuple(parts), span)

    def _atom(self) -> Formula:
        left = self._argument()
        if self._sees(_DISTINCT) or self._sees(_SAME):
            is_same = self._accept(_SAME) or not self._accept(_DISTINCT)
            right = self._argument()
            assert left.span is not None
            span = Span(left.span.start, self.tokens[self.at - 1].end)
            distinct = Term("distinct", (left, right), span)
            return Not(distinct, span) if is_same else distinct
        if isinstance(left, Variable) or left.name in CONNECTIVES or left.name.startswith("?"):
            raise self._reject("malformed-condition", "only an atom can be a condition", left.span)
        return left

    # Terms

    def _argument(self) -> Argument:
        token = self.token
        if token.kind not in ("word", "quoted"):
            raise self._expected("a symbol or a variable")
        self.at += 1
        opening = self.token
        if not self._accept({"("}):
            return self._simple(token)
        arguments: list[Argument] = []
        with self._deeper():
            if not self._sees({")"}):
                arguments.append(self._argument())
                while self._accept({","}):
                    arguments.append(self._argument())
        span = Span(token.start, self._close(opening))
        if not arguments:
            return self._simple(token)
        name = str(self._variable(token)) if _is_variable(token) else self._symbol(token)
        if name.startswith("?"):
            self.findings.add("variable-function", "a variable stands where a function belongs", token.span,
                              f"read as a function named {name}, which has nothing to do with the variable")
        return Term(name, tuple(arguments), span)

    def _simple(self, token: Token) -> Argument:
        if _is_variable(token):
            return self._variable(token)
        name = self._symbol(token)
        if name.startswith("?"):
            self.findings.add("invalid-symbol", "a symbol cannot start with a question mark", token.span)
        return Term(name, (), token.span)

    def _variable(self, token: Token) -> Variable:
        if token.text == "_":
            return Variable(self._fresh_name(), token.span)
        return Variable(self._unquoted(token, token.text.removeprefix("?")), token.span)

    def _symbol(self, token: Token) -> str:
        name = self._unquoted(token, token.text)
        if not name:
            self.findings.add("invalid-symbol", "a symbol cannot be empty", token.span)
        return name

    def _unquoted(self, token: Token, text: str) -> str:
        if token.kind == "quoted":
            text = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        name = text.lower()
        if _UNWRITABLE.search(name):
            self.findings.add("invalid-symbol", "a name cannot contain spaces, parentheses or semicolons",
                              token.span, "KIF could not write it")
        return name

    def _fresh_name(self) -> str:
        self.anonymous += 1
        while f"_{self.anonymous}" in self.taken_names:
            self.anonymous += 1
        return f"_{self.anonymous}"


def _is_variable(token: Token) -> bool:
    return token.text[0] in "?_" or token.text[0].isupper()


def _disjunction(alternatives: list[list[Formula]], span: Span | None = None) -> Formula:
    """One formula of alternatives that are conjunctions each; `span` where it stands in parentheses."""
    own = span if len(alternatives) == 1 else None
    parts = [_conjunction(conditions, own) for conditions in alternatives]
    return parts[0] if len(parts) == 1 else Or(tuple(parts), span or _around(parts))


def _conjunction(conditions: list[Formula], span: Span | None) -> Formula:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions), span or _around(conditions))


def _around(formulas: list[Formula]) -> Span:
    first, last = formulas[0].span, formulas[-1].span
    assert first is not None
    assert last is not None
    return Span(first.start, last.end)
