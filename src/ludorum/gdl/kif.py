"""The reader of KIF, the prefix notation of competitions: `(<= (legal ?r noop) (role ?r))`."""

from __future__ import annotations

import re

from ludorum.gdl.diagnostics import Diagnostic
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Source
from ludorum.gdl.terms import Argument, Span, Term, Variable

# Rules come from strangers; terms are compared and hashed by recursion, which a deeper one would exhaust.
MAX_NESTING = 100

CONNECTIVES = frozenset({"not", "and", "or", "<="})

# A byte order mark counts as space wherever it stands: sheets are made by pasting files together.
_TOKEN = re.compile(r";[^\r\n]*|[^\s\ufeff();]+|[()]")


class KifReader:
    """Reads one source; `rules` are what could be understood, `diagnostics` what could not."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.rules: list[Rule] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self) -> None:
        for statement in self._statements():
            rule = self._rule(statement)
            if rule is not None:
                self.rules.append(rule)

    def statements(self) -> list[Argument]:
        """Every complete expression at the top of the text."""
        return self._statements()

    def _error(self, code: str, message: str, span: Span, label: str = "", help: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, "error", message, span, self.source, label, help))

    def _statements(self) -> list[Argument]:
        top: list[Argument] = []
        items = top
        # For every open parenthesis: where it stands, and the list that its expression belongs to.
        open_lists: list[tuple[int, list[Argument]]] = []
        for match in _TOKEN.finditer(self.source.text):
            token = match.group()
            if token == "(":
                open_lists.append((match.start(), items))
                items = []
                if len(open_lists) > MAX_NESTING:
                    self._error("too-deep", f"parentheses are nested more than {MAX_NESTING} deep",
                                Span(match.start(), match.end()))
                    return top
            elif token == ")":
                if not open_lists:
                    self._error("unopened-parenthesis", "this parenthesis closes nothing",
                                Span(match.start(), match.end()), "no open parenthesis before it")
                    continue
                start, outer = open_lists.pop()
                expression = self._expression(items, Span(start, match.end()))
                items = outer
                if expression is not None:
                    items.append(expression)
            elif token[0] == "?":
                items.append(Variable(token[1:].lower(), Span(match.start(), match.end())))
            elif token[0] != ";":
                items.append(Term(token.lower(), (), Span(match.start(), match.end())))
        if open_lists:
            start = open_lists[0][0]
            self._error("unclosed-parenthesis", "this parenthesis is never closed", Span(start, start + 1))
            return open_lists[0][1]
        return top

    def _expression(self, items: list[Argument], span: Span) -> Term | None:
        if not items:
            self._error("malformed-expression", "an empty pair of parentheses means nothing", span)
            return None
        first = items[0]
        if isinstance(first, Variable) or first.args:
            assert first.span is not None
            self._error("malformed-expression", "an expression must start with a symbol", first.span)
            return None
        return Term(first.name, tuple(items[1:]), span)

    def _rule(self, statement: Argument) -> Rule | None:
        span = statement.span
        assert span is not None
        if isinstance(statement, Variable):
            self._error("malformed-rule", f"{statement} is no rule", span)
            return None
        if statement.name != "<=":
            return Rule(statement, (), span) if self._is_head(statement) else None
        if not statement.args:
            self._error("malformed-rule", "a rule needs a head", span)
            return None
        head, *conditions = statement.args
        if not self._is_head(head):
            return None
        assert isinstance(head, Term)
        body = [self._formula(condition) for condition in conditions]
        if any(formula is None for formula in body):
            return None
        return Rule(head, tuple(formula for formula in body if formula is not None), span)

    def _is_head(self, head: Argument) -> bool:
        assert head.span is not None
        if isinstance(head, Variable) or head.name in CONNECTIVES:
            self._error("malformed-rule", f"{head} cannot be the head of a rule", head.span)
            return False
        return True

    def _formula(self, condition: Argument) -> Formula | None:
        # Recursion is safe: the nesting of expressions is bounded.
        span = condition.span
        assert span is not None
        if isinstance(condition, Variable):
            self._error("malformed-formula", f"the variable {condition} cannot be a condition", span)
            return None
        if condition.name not in CONNECTIVES:
            return condition
        parts = [self._formula(argument) for argument in condition.args]
        formulas = tuple(part for part in parts if part is not None)
        if len(formulas) < len(parts):
            return None
        if condition.name == "and":
            return And(formulas, span)
        if condition.name == "or":
            return Or(formulas, span)
        if condition.name == "not" and len(formulas) == 1:
            return Not(formulas[0], span)
        self._error("malformed-formula", f"{condition} is no condition", span)
        return None
