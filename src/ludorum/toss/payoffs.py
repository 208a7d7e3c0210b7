"""Payoffs as goals: an affine image onto 0 … 100, told by a table of truth values or by counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ludorum.toss.formulas import Formula, Indicator, Number, Plus, Real, Sum, Times, walk

# A payoff of more indicators than this is counted instead of listed.
_MOST_INDICATORS = 6

#: For some formulas whether each must hold, must not, or does not matter.
Case = tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Payoffs from `low` to `high` as goals from 0 to 100."""

    low: Fraction
    high: Fraction

    def exact(self, payoff: Fraction) -> Fraction:
        return Fraction(50) if self.high == self.low else 100 * (payoff - self.low) / (self.high - self.low)

    def goal(self, payoff: Fraction) -> int:
        # Halves go up, so that no goal depends on whether its neighbour is even.
        return int((self.exact(payoff) + Fraction(1, 2)) // 1)

    def __str__(self) -> str:
        return f"payoffs from {self.low} to {self.high} are goals from 0 to 100"


def indicators(term: Real) -> list[Formula] | None:
    """The formulas that a payoff is made of; None if it counts, or if they are too many."""
    if any(isinstance(item, Sum) for item in _numbers(term)):
        return None
    found = list(dict.fromkeys(item.formula for item in _numbers(term) if isinstance(item, Indicator)))
    return found if len(found) <= _MOST_INDICATORS else None


def _numbers(term: Real) -> Iterator[Real]:
    """A term with the terms inside it, but not those inside its formulas."""
    yield term
    if isinstance(term, Plus | Times):
        for part in term.terms:
            yield from _numbers(part)


def listed(term: Real, formulas: list[Formula]) -> dict[Fraction, list[Case]]:
    """For every value of a payoff the cases in which it has it, as few as are easily found."""
    cases: dict[Fraction, list[Case]] = {}
    for truths in product((True, False), repeat=len(formulas)):
        value = _value(term, dict(zip(formulas, truths, strict=True)))
        cases.setdefault(value, []).append(truths)
    return {value: _merged(found) for value, found in cases.items()}


def _value(term: Real, truths: Mapping[Formula, bool]) -> Fraction:
    match term:
        case Number(value):
            return value
        case Indicator(formula):
            return Fraction(truths[formula])
        case Plus(terms):
            return sum((_value(part, truths) for part in terms), Fraction(0))
        case Times(terms):
            result = Fraction(1)
            for part in terms:
                result *= _value(part, truths)
            return result
        case Sum():
            raise AssertionError("a sum is no table of truth values")


def _merged(cases: Iterable[Case]) -> list[Case]:
    """The same cases, with those that differ in one formula told as one.

    In the literature: prime implicants (Quine 1952; McCluskey 1956).
    """
    current, prime = set(cases), set[Case]()
    wanted = set(current)
    while current:
        merged, used = set[Case](), set[Case]()
        for one, other in combinations(sorted(current, key=repr), 2):
            differing = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
            if len(differing) == 1 and None not in (one[differing[0]], other[differing[0]]):
                merged.add((*one[: differing[0]], None, *one[differing[0] + 1 :]))
                used |= {one, other}
        prime |= current - used
        current = merged
    chosen: list[Case] = []
    while wanted:
        best = max(sorted(prime, key=repr), key=lambda case: sum(_covers(case, one) for one in wanted))
        chosen.append(best)
        wanted = {one for one in wanted if not _covers(best, one)}
    return chosen


def _covers(case: Case, one: Case) -> bool:
    return all(a is None or a == b for a, b in zip(case, one, strict=True))


def counts(term: Real) -> bool:
    """Whether a term counts elements."""
    return any(isinstance(item, Sum) for item in walk(term))
