"""Rules and rulesheets: what a reader returns and a printer takes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

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


@dataclass(frozen=True, slots=True)
class Rule:
    """A head that holds if every formula of the body does; a fact if there is none."""

    head: Term
    body: tuple[Formula, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Source:
    """A text with a name, which turns offsets into lines and columns (both from 1)."""

    text: str
    name: str = "<rules>"

    @cached_property
    def line_starts(self) -> list[int]:
        return [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@dataclass(frozen=True)
class Rulesheet:
    """A game description: its rules in the order of the source."""

    rules: tuple[Rule, ...]
    source: Source = field(default=Source(""), compare=False, repr=False)

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The roles in the order of the source, which is the order of moves in a joint move."""
        found = (rule.head.args[0] for rule in self.rules
                 if rule.head.name == "role" and not rule.body and len(rule.head.args) == 1)
        return tuple(dict.fromkeys(role for role in found if isinstance(role, Term)))
