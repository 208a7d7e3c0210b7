"""What the first steps of all matches tell of a formula: that it holds, that it does not, or nothing yet.

Of every formula two truths are kept: where it holds however the matches go on behind the last points that were looked
at, and where it may. What is known there is exact, since no role takes a moment for one after more or fewer steps.

In the literature: three-valued model checking of partial state spaces (Bruns and Godefroid 1999).
"""

from __future__ import annotations

import numpy as np

from ludorum.clock import Budget
from ludorum.errors import TooLarge
from ludorum.verify.formulas import (
    DUAL,
    Along,
    Atom,
    Constant,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Until,
    Whether,
    is_of_states,
    negation,
)
from ludorum.verify.points import Points
from ludorum.verify.truth import Evaluation, Truth


class PartialEvaluation(Evaluation):
    """The truth of formulas at points, behind some of which there are more; `holds` is where one certainly does."""

    def __init__(self, points: Points, budget: Budget) -> None:
        super().__init__(points, budget)
        self._is_last = np.ones(len(points), dtype=bool)
        self._is_last[points.origins] = False
        self._bounds: dict[Formula, tuple[Truth, Truth]] = {}

    def holds(self, formula: Formula) -> Truth:
        return self.bounds(formula)[0]

    def bounds(self, formula: Formula) -> tuple[Truth, Truth]:
        """Where a formula certainly holds, and where it may. Raises BudgetExceeded, TooLarge for some along matches."""
        if not is_of_states(formula):
            formula = Paths("A", formula)
        if formula not in self._bounds:
            self._bounds[formula] = self._bounded(formula)
        return self._bounds[formula]

    def _bounded(self, formula: Formula) -> tuple[Truth, Truth]:
        match formula:
            case Constant() | Atom():
                held = self._evaluated(formula)
                return held, held
            case Not(body=body):
                sure, possible = self.bounds(body)
                return ~possible, ~sure
            case Junction(word=word, parts=parts):
                joined = np.logical_and if word == "and" else np.logical_or
                all_sure, all_possible = zip(*map(self.bounds, parts), strict=True)
                return joined.reduce(all_sure), joined.reduce(all_possible)
            case Implies(left=left, right=right):
                (a, may_a), (b, may_b) = self.bounds(left), self.bounds(right)
                return (a & b) | ~(may_a | may_b), (may_a & may_b) | ~(a | b)
            case Counted(least=least, most=most, parts=parts):
                low, high = (np.sum(some, axis=0) for some in zip(*map(self.bounds, parts), strict=True))
                return (least <= low) & (high <= most), (least <= high) & (low <= most)
            case Knows(word=word, roles=roles, body=body):
                sure, possible = self.bounds(body)
                return self.known(word, roles, sure), self.known(word, roles, possible)
            case Whether(role=role, body=body):
                sure, possible = self.bounds(body)
                return (self.known("K", (role,), sure) | self.known("K", (role,), ~possible),
                        self.known("K", (role,), possible) | self.known("K", (role,), ~sure))
            case Paths(word="E", body=body):
                return self._some_way(body)
            case Paths(body=body):
                sure, possible = self._some_way(negation(body))
                return ~possible, ~sure
        raise TooLarge(f"{formula} is not looked at near the beginning")

    def _some_way(self, body: Formula) -> tuple[Truth, Truth]:
        every, last = np.ones(len(self.points), dtype=bool), self._is_last
        match body:
            case _ if is_of_states(body):
                return self.bounds(body)
            case Along(word=word, body=inner) if is_of_states(inner):
                sure, possible = self.bounds(inner)
                if word == "X":
                    return self.some_next(sure), self.some_next(possible) | last
                if word == "F":
                    return self.some_until(every, sure), self.some_until(every, possible | last)
                return self.always_along_some(sure), self.always_along_some(possible, last)
            case Until(left=left, right=right) if is_of_states(left) and is_of_states(right):
                (a, may_a), (b, may_b) = self.bounds(left), self.bounds(right)
                return self.some_until(a, b), self.some_until(may_a, may_b | (may_a & last))
            case Not(body=Not(body=inner)):
                return self._some_way(inner)
            case Not(body=Along(word=word, body=inner)):
                return self._some_way(Along(DUAL[word], negation(inner)))
            case Not(body=Until(left=left, right=right)) if is_of_states(left) and is_of_states(right):
                # Never the one, or neither before it.
                never, neither = Along("G", negation(right)), Not(Junction("or", (left, right)))
                one, other = self._some_way(never), self._some_way(Until(negation(right), neither))
                return one[0] | other[0], one[1] | other[1]
        raise TooLarge(f"{body} is not looked at near the beginning")
