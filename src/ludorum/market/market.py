"""A market as its rules say it: traders, messages, and what the market maker does with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.dependencies import dependencies
from ludorum.gdl.diagnostics import Diagnostic
from ludorum.gdl.graph import closure
from ludorum.gdl.rulesheet import Rule, Rulesheet
from ludorum.gdl.source import Source
from ludorum.gdl.terms import Term
from ludorum.market.ranges import Interval, Ranges


@dataclass(frozen=True)
class Market:
    """The rules of a market, where expressions have become `plus` and `minus`, and comparisons `less` and `atmost`."""

    rules: tuple[Rule, ...]
    #: The lowest and highest price.
    prices: Interval
    #: The time when it closes in any case, None where no rule asks for the time.
    last: int | None
    source: Source = field(default=Source(""), compare=False, repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return flatten(Rulesheet(self.rules))

    @cached_property
    def traders(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(rule.head.args[0] for rule in self.rules
                                   if rule.head.name == "trader" and isinstance(rule.head.args[0], Term)))

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.clauses, self.prices, self.last or 0)

    def defines(self, word: str) -> bool:
        """Whether some rule says something about a word, such as `type`."""
        return any(rule.head.name == word for rule in self.rules)

    @cached_property
    def is_two_phased(self) -> bool:
        """Whether what the maker may do depends on the messages that it has just received."""
        return ("receive", 2) in closure([("legal", 1)], dependencies_of(self.clauses))

    def largest(self, word: str) -> int:
        """The largest absolute number that a payoff or payment can be."""
        low, high = self.ranges.of_amount(word)
        return max(abs(low), abs(high), 1)

    def __str__(self) -> str:
        return f"{self.source.name}: a market of {', '.join(map(str, self.traders))}"


def dependencies_of(clauses: tuple[Clause, ...]) -> dict[tuple[str, int], set[tuple[str, int]]]:
    """Which relations the relations of a market depend on."""
    return dependencies(clauses)
