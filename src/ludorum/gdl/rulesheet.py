"""Rules and rulesheets: what a reader returns and a printer takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ludorum.gdl.diagnostics import Diagnostic
from ludorum.gdl.source import Source as Source  # Re-exported: a rulesheet and its source go together.
from ludorum.gdl.terms import Span, Term


@dataclass(frozen=True, slots=True)
class Not:
    """Negation as failure of a formula."""

    formula: Formula
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """All of these."""

    formulas: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of these."""

    formulas: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


# A formula that is a term is an atom; `(distinct a b)` is the atom named "distinct".
Formula = Term | Not | And | Or


def atoms(formula: Formula) -> Iterator[Term]:
    """Every atom of a formula, from left to right."""
    stack: list[Formula] = [formula]
    while stack:
        item = stack.pop()
        if isinstance(item, Term):
            yield item
        elif isinstance(item, Not):
            stack.append(item.formula)
        else:
            stack.extend(reversed(item.formulas))


@dataclass(frozen=True, slots=True)
class Rule:
    """A head that holds if every formula of the body does; a fact if there is none."""

    head: Term
    body: tuple[Formula, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Rulesheet:
    """A game description: its rules in the order of the source."""

    rules: tuple[Rule, ...]
    source: Source = field(default=Source(""), compare=False, repr=False)
    #: The warnings that came with the rules.
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles in the order of the source, which is the order of moves in a joint move."""
        found = (rule.head.args[0] for rule in self.rules
                 if rule.head.name == "role" and not rule.body and len(rule.head.args) == 1)
        return tuple(dict.fromkeys(role for role in found if isinstance(role, Term)))
