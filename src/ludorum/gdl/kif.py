"""The reader of KIF, the prefix notation of competitions: `(<= (legal ?r noop) (role ?r))`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeGuard

from ludorum.gdl.balance import statement_starts
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, atoms
from ludorum.gdl.terms import Argument, Span, Term, Variable
from ludorum.gdl.words import CONNECTIVES
from ludorum.grammar import agree

# Rules come from strangers; terms are compared by recursion, which a deeper one would exhaust.
MAX_NESTING = 150

# A byte order mark counts as space wherever it stands: sheets are made by pasting files together.
_TOKEN = re.compile(r";[^\r\n]*|[^\s\ufeff();]+|[()]")


def read_kif(findings: Findings) -> list[Rule]:
    """The rules of a source in KIF, as far as they can be understood; what cannot be is a finding."""
    return _RuleReader(findings).rules(read_expressions(findings))


def read_expressions(findings: Findings) -> list[Argument]:
    """Every complete expression at the top of the text; rules are still terms named `<=`."""
    text = findings.source.text
    starts = frozenset() if _is_balanced(text) else statement_starts(findings.source)
    top: list[Argument] = []
    items = top
    # For every open parenthesis: where it stands, and the list that its expression belongs to.
    open_lists: list[tuple[int, list[Argument]]] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            if open_lists and match.start() in starts:
                _report_unclosed(findings, [start for start, _ in open_lists])
                open_lists.clear()
                items = top
            open_lists.append((match.start(), items))
            items = []
            if len(open_lists) > MAX_NESTING:
                findings.add("too-deep", f"parentheses are nested more than {MAX_NESTING} deep",
                             Span(match.start(), match.end()), "reading stops here")
                return top
        elif token == ")":
            if not open_lists:
                findings.add("unopened-parenthesis", "this parenthesis closes nothing",
                             Span(match.start(), match.end()), "all before it are closed already")
                continue
            start, outer = open_lists.pop()
            expression = _expression(items, Span(start, match.end()), findings)
            items = outer
            if expression is not None:
                items.append(expression)
        elif token[0] == "?":
            items.append(Variable(token[1:].lower(), Span(match.start(), match.end())))
        elif token[0] != ";":
            items.append(Term(token.lower(), (), Span(match.start(), match.end())))
    if open_lists:
        _report_unclosed(findings, [start for start, _ in open_lists])
    return top


def _is_balanced(text: str) -> bool:
    depth = 0
    for match in re.finditer(r";[^\r\n]*|[()]", text):
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def _report_unclosed(findings: Findings, openings: list[int]) -> None:
    first, missing = openings[0], len(openings)
    findings.add("unclosed-parenthesis", "this parenthesis is never closed", Span(first, first + 1),
                 f"what starts here lacks {missing} closing {agree(missing, 'parenthesis', 'parentheses')}")


def _expression(items: list[Argument], span: Span, findings: Findings) -> Term | None:
    if not items:
        findings.add("malformed-expression", "an empty pair of parentheses means nothing", span)
        return None
    first, *arguments = items
    assert first.span is not None
    if isinstance(first, Variable) and arguments:
        findings.add("variable-function", f"the variable {first} stands where a function belongs", first.span,
                     f"read as a function named {first}, which has nothing to do with the variable")
        return Term(str(first), tuple(arguments), span)
    if isinstance(first, Variable) or findings.source.text[first.span.start] == "(":
        findings.add("malformed-expression", "an expression must start with a symbol", first.span)
        return None
    return Term(first.name, tuple(arguments), span)


class _RuleReader:
    """Makes rules of expressions."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def rules(self, statements: Iterable[Argument]) -> list[Rule]:
        rules = [rule for rule in map(self._rule, statements) if rule is not None]
        asked = {atom.name for rule in rules for formula in rule.body for atom in atoms(formula)}
        asked.add("terminal")
        strays = {rule.head.name: rule.head for rule in reversed(rules)
                  if self._is_bare(rule) and rule.head.name not in asked}
        for name, symbol in reversed(strays.items()):
            self.findings.add("stray-symbol", f"{name} stands alone outside every rule", symbol.span,
                              "no rule asks for it", f"if it is meant as a fact, write ({name})")
        return [rule for rule in rules if rule.head.name not in strays or not self._is_bare(rule)]

    def _is_bare(self, item: Rule | Term) -> bool:
        """Whether it is written as a lone symbol, without parentheses."""
        return item.span is not None and self.findings.source.text[item.span.start] != "("

    def _rule(self, statement: Argument) -> Rule | None:
        if isinstance(statement, Variable) or statement.name != "<=":
            return Rule(statement, (), statement.span) if _is_head(statement, self.findings) else None
        if not statement.args:
            self.findings.add("malformed-rule", "a rule needs a head", statement.span,
                              help="write (<= head condition …)")
            return None
        head = statement.args[0]
        body = [self._formula(condition) for condition in statement.args[1:]]
        conditions = tuple(formula for formula in body if formula is not None)
        if not _is_head(head, self.findings) or len(conditions) < len(body):
            return None
        return Rule(head, conditions, statement.span)

    def _formula(self, condition: Argument) -> Formula | None:
        # By recursion: the nesting of expressions is bounded.
        if isinstance(condition, Variable) or condition.name.startswith("?"):
            self.findings.add("malformed-condition", f"{condition} cannot be a condition", condition.span,
                              "a variable stands for a term, never for a condition")
            return None
        if condition.name not in CONNECTIVES:
            return condition
        if self._is_bare(condition):
            self.findings.add("malformed-condition", f"{condition.name} is not written between conditions",
                              condition.span, help=f"write ({condition.name} …) around them")
            return None
        parts = [self._formula(argument) for argument in condition.args]
        formulas = tuple(part for part in parts if part is not None)
        if len(formulas) < len(parts):
            return None
        if condition.name == "and":
            return And(formulas, condition.span)
        if condition.name == "or":
            if not formulas:
                self.findings.add("empty-disjunction", "an or without alternatives never holds",
                                  condition.span)
            return Or(formulas, condition.span)
        if condition.name == "not" and len(formulas) == 1:
            return Not(formulas[0], condition.span)
        if condition.name == "not":
            self.findings.add("malformed-condition", f"not takes one condition, here it has {len(formulas)}",
                              condition.span, help="write (not (and …)) or (not (or …))")
        else:
            self.findings.add("malformed-condition", "a rule cannot stand inside a rule", condition.span)
        return None


def _is_head(head: Argument, findings: Findings) -> TypeGuard[Term]:
    if isinstance(head, Term) and head.name not in CONNECTIVES and not head.name.startswith("?"):
        return True
    name = head.name if isinstance(head, Term) else str(head)
    findings.add("malformed-rule", f"{name} cannot be a fact or the head of a rule", head.span,
                 help="a rule says when one atom holds; what no rule derives is false")
    return False
