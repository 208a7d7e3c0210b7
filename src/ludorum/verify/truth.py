"""Where formulas hold, at all points of a game at once, by fixpoints.

In the literature: model checking of CTL by fixpoints (Clarke, Emerson, Sistla 1986), of CTL* by tableaux (Clarke,
Grumberg, Hamaguchi 1997) with fairness as in Emerson and Lei (1986), of knowledge and common knowledge by classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget
from ludorum.errors import TooLarge
from ludorum.gdl.terms import Term
from ludorum.verify.formulas import (
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
    Surely,
    Until,
    Whether,
    children,
    is_of_states,
    subformulas,
)
from ludorum.verify.points import Numbers, Points, connected

Truth = NDArray[np.bool_]

#: So many truth values a tableau may have: points times what may follow along a path.
_MOST_VALUES = 1 << 27
# The work of following a step back.
_A_STEP = 3e-9


def memory_of(formula: Formula) -> list[Term]:
    """The atoms of a formula that speak of the last moves."""
    return list(dict.fromkeys(part.term for part in subformulas(formula)
                              if isinstance(part, Atom) and part.term.name == "did"))


def within(formula: Counted, held: Sequence[Truth]) -> Truth:
    """Where as many of some formulas hold as one says."""
    numbers: Numbers = np.sum(held, axis=0)
    found: Truth = (formula.least <= numbers) & (numbers <= formula.most)
    return found


class Evaluation:
    """The truth of formulas at all points. Formulas are resolved: without variables and shorthands."""

    def __init__(self, points: Points, budget: Budget,
                 surely: Callable[[Surely, Points, Truth, Budget], Truth] | None = None, *,
                 is_sample: bool = False) -> None:
        self.points = points
        #: Whether there are more points than these, so that what is known here need not be known.
        self.is_sample = is_sample
        self._budget = budget
        self._surely = surely
        self._roles = list(map(str, points.world.game.roles))
        self._held: dict[Formula, Truth] = {}

    def holds(self, formula: Formula) -> Truth:
        """Where a formula holds; one about matches, where it holds for all that go on from there.

        Raises BudgetExceeded.
        """
        if not is_of_states(formula):
            formula = Paths("A", formula)
        if formula not in self._held:
            self._held[formula] = self._evaluated(formula)
        return self._held[formula]

    def _evaluated(self, formula: Formula) -> Truth:
        count = len(self.points)
        match formula:
            case Constant(value=value):
                return np.full(count, value)
            case Atom(term=term):
                return self._atom(term)
            case Not(body=body):
                return ~self.holds(body)
            case Junction(word=word, parts=parts):
                found = np.full(count, word == "and")
                for part in parts:
                    found = found & self.holds(part) if word == "and" else found | self.holds(part)
                return found
            case Implies(left=left, right=right, both_ways=True):
                return ~(self.holds(left) ^ self.holds(right))
            case Counted(parts=parts):
                return within(formula, [self.holds(part) for part in parts])
            case Knows(word=word, roles=roles, body=body):
                return self.known(word, roles, self.holds(body))
            case Whether(role=role, body=body):
                held = self.holds(body)
                return self.known("K", (role,), held) | self.known("K", (role,), ~held)
            case Paths(word=word, body=body):
                return self._paths(word == "A", body)
            case Surely(body=body):
                assert self._surely is not None
                return self._surely(formula, self.points, self.holds(body), self._budget)
        raise AssertionError(f"{formula} is not resolved")

    def _atom(self, term: Term) -> Truth:
        if term.name == "did":
            return self.points.did[:, self.points.memory.index(term)]
        return self.points.world.truth([term], self.points.states)[:, 0][self.points.state]

    # ---- knowledge ----

    def classes(self, word: str, roles: tuple[str, ...]) -> Numbers:
        """Numbers that are alike for points which a role, a group together, or a chain of a group confuses."""
        columns = self.points.classes[:, [self.points.seats.index(self._roles.index(role)) for role in roles]]
        if word == "C":
            return connected(columns)
        if columns.shape[1] == 1:
            return columns[:, 0]
        return np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1)

    def known(self, word: str, roles: tuple[str, ...], held: Truth) -> Truth:
        if word == "E":
            found = np.ones(len(held), dtype=bool)
            for role in roles:
                found &= self.known("K", (role,), held)
            return found
        number = self.classes(word, roles)
        doubtful = np.zeros(int(number.max()) + 1, dtype=bool)
        doubtful[number[~held]] = True
        return ~doubtful[number]

    # ---- time ----

    def some_next(self, held: Truth) -> Truth:
        """Where some step leads to where something holds."""
        self._budget.check(_A_STEP * len(self.points.origins))
        found = np.zeros(len(held), dtype=bool)
        found[self.points.origins[held[self.points.targets]]] = True
        return found

    def some_until(self, left: Truth, right: Truth) -> Truth:
        """Where some way leads to `right`, with `left` until then: backwards, step by step."""
        steps = self._backwards
        found = right.copy()
        frontier = np.flatnonzero(found)
        while len(frontier):
            self._budget.check(_A_STEP * len(frontier))
            before = steps.before(frontier)
            before = before[left[before] & ~found[before]]
            found[before] = True
            frontier = np.unique(before)
        return found

    @property
    def _backwards(self) -> _Backwards:
        if "_steps_back" not in self.__dict__:
            self.__dict__["_steps_back"] = _Backwards(self.points)
        found = self.__dict__["_steps_back"]
        assert isinstance(found, _Backwards)
        return found

    def always_along_some(self, held: Truth, goes_on: Truth | None = None) -> Truth:
        """Where something can hold for ever; there may be points where that is taken for granted."""
        steps, points = self._backwards, self.points
        found = held.copy()
        left = np.bincount(points.origins[found[points.targets]], minlength=len(points))
        if goes_on is not None:
            left += goes_on
        fallen = np.flatnonzero(found & (left == 0))
        while len(fallen):
            self._budget.check(_A_STEP * len(fallen))
            found[fallen] = False
            before = steps.before(fallen)
            np.subtract.at(left, before, 1)
            before = np.unique(before)
            fallen = before[found[before] & (left[before] == 0)]
        return found

    def _paths(self, is_all: bool, body: Formula) -> Truth:
        if is_of_states(body):
            return self.holds(body)
        if is_all:
            return ~self._some_path(body, negated=True)
        return self._some_path(body, negated=False)

    def _some_path(self, body: Formula, *, negated: bool) -> Truth:
        """Where some way of going on fulfils a formula, or does not if it is negated."""
        every = np.ones(len(self.points), dtype=bool)
        match body:
            case Not(body=inner):
                return self._some_path(inner, negated=not negated)
            case Along(word="X", body=inner) if is_of_states(inner):
                return self.some_next(self.holds(inner) ^ negated)
            case Along(word="F", body=inner) if is_of_states(inner):
                held = self.holds(inner)
                return self.always_along_some(~held) if negated else self.some_until(every, held)
            case Along(word="G", body=inner) if is_of_states(inner):
                held = self.holds(inner)
                return self.some_until(every, ~held) if negated else self.always_along_some(held)
            case Until(left=left, right=right) if is_of_states(left) and is_of_states(right):
                a, b = self.holds(left), self.holds(right)
                # Not until: b never, or neither a nor b before b.
                return self.some_until(~b, ~a & ~b) | self.always_along_some(~b) if negated \
                    else self.some_until(a, b)
        return _Tableau(self, body).some_path(negated)


class _Backwards:
    """The steps of points, by where they lead."""

    def __init__(self, points: Points) -> None:
        order = np.argsort(points.targets, kind="stable")
        self._origins: Numbers = points.origins[order]
        self._starts: Numbers = np.searchsorted(points.targets[order], np.arange(len(points) + 1))

    def before(self, some: Numbers) -> Numbers:
        """The points that lead to some, as often as they do."""
        starts, ends = self._starts[some], self._starts[some + 1]
        counts = ends - starts
        offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Numbers = self._origins[np.repeat(starts, counts) + offsets]
        return found


class _Tableau:
    """A formula about matches: points together with what is promised of the next one."""

    def __init__(self, evaluation: Evaluation, body: Formula) -> None:
        self._evaluation = evaluation
        self._body = body
        #: What is promised: the formulas that are to hold at the next point.
        self._promises: list[Formula] = []
        self._collect(body)
        count = len(evaluation.points)
        if len(self._promises) > 20 or count << len(self._promises) > _MOST_VALUES:
            raise TooLarge(f"{body} has too many operators of time for {count:,} points")
        self._sets = range(1 << len(self._promises))

    def _collect(self, body: Formula) -> None:
        if is_of_states(body):
            return
        match body:
            case Along(word="X", body=inner):
                self._collect(inner)
                self._promise(inner)
            case Along(body=inner):
                self._collect(inner)
                self._promise(body)
            case Until(left=left, right=right):
                self._collect(left)
                self._collect(right)
                self._promise(body)
            case Not(body=inner):
                self._collect(inner)
            case Junction() | Implies() | Counted():
                for part in children(body):
                    self._collect(part)

    def _promise(self, formula: Formula) -> None:
        if formula not in self._promises:
            self._promises.append(formula)

    def _holds(self, formula: Formula, promised: int) -> Truth:
        """Where a formula holds, if of the next point exactly so much is promised."""
        if is_of_states(formula):
            return self._evaluation.holds(formula)

        def next_one(what: Formula) -> bool:
            return bool(promised >> self._promises.index(what) & 1)

        match formula:
            case Along(word="X", body=inner):
                return np.full(len(self._evaluation.points), next_one(inner))
            case Along(word="F", body=inner):
                here = self._holds(inner, promised)
                return np.ones_like(here) if next_one(formula) else here
            case Along(body=inner):
                here = self._holds(inner, promised)
                return here if next_one(formula) else np.zeros_like(here)
            case Until(left=left, right=right):
                here = self._holds(right, promised)
                return here | self._holds(left, promised) if next_one(formula) else here
            case Not(body=inner):
                return ~self._holds(inner, promised)
            case Junction(word=word, parts=parts):
                found = self._holds(parts[0], promised)
                for part in parts[1:]:
                    found = found & self._holds(part, promised) if word == "and" else \
                        found | self._holds(part, promised)
                return found
            case Implies(left=left, right=right, both_ways=True):
                return ~(self._holds(left, promised) ^ self._holds(right, promised))
            case Counted(parts=parts):
                return within(formula, [self._holds(part, promised) for part in parts])
        raise AssertionError(f"{formula} is no formula about matches")

    def some_path(self, negated: bool) -> Truth:
        """Where some way of going on keeps all promises and fulfils the formula, or its negation."""
        count = len(self._evaluation.points)
        # At every point, for every set of promises: which promises of a point before it are kept here.
        kept = np.zeros((len(self._sets), count), dtype=np.int64)
        for promised in self._sets:
            for number, promise in enumerate(self._promises):
                kept[promised] |= self._holds(promise, promised).astype(np.int64) << number
        fair = [self._fulfilled(promise) for promise in self._promises if isinstance(promise, Until)
                or (isinstance(promise, Along) and promise.word in "FG" and not is_of_states(promise))]
        good = np.ones((len(self._sets), count), dtype=bool)
        while True:
            before = good
            if not fair:
                good = good & self._before(good, kept)
            for fulfilled in fair:
                reaches = good & fulfilled
                while True:
                    more = reaches | (good & self._before(reaches, kept))
                    if (more == reaches).all():
                        break
                    reaches = more
                good = good & self._before(reaches, kept)
            if (good == before).all():
                break
        found = np.zeros(count, dtype=bool)
        for promised in self._sets:
            found |= good[promised] & (self._holds(self._body, promised) ^ negated)
        return found

    def _fulfilled(self, promise: Formula) -> Truth:
        """Where a promise of something at some time is kept, or was not made: infinitely often that must be so."""
        found = np.zeros((len(self._sets), len(self._evaluation.points)), dtype=bool)
        for promised in self._sets:
            made = self._holds(promise, promised)
            if isinstance(promise, Along) and promise.word == "G":
                # That it does not always hold promises that at some time it does not.
                found[promised] = made | ~self._holds(promise.body, promised)
            else:
                right = promise.right if isinstance(promise, Until) else promise.body  # type: ignore[union-attr]
                found[promised] = ~made | self._holds(right, promised)
        return found

    def _before(self, good: Truth, kept: NDArray[np.int64]) -> Truth:
        """Points and promises from which a step leads to good ones that keep exactly these promises."""
        keeping = np.zeros_like(good)
        places = np.arange(good.shape[1])
        for promised in self._sets:
            some = good[promised]
            keeping[kept[promised][some], places[some]] = True
        return np.stack([self._evaluation.some_next(keeping[promised]) for promised in self._sets])
