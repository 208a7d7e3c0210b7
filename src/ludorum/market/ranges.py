"""How far the numbers of a market reach, place by place.

In the literature: abstract interpretation with intervals (Cousot, Cousot 1977).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.gdl.clauses import Clause
from ludorum.gdl.terms import Argument, Term, Variable

Interval = tuple[int, int]
#: Whether it is of a relation, its name and number of arguments, and which of them; fluents and messages are functions.
Place = tuple[bool, str, int, int]

# Sums of sums may go on for ever; whoever passes this is taken to go that far.
_MOST = 1_000


class Ranges:
    """The interval of every place of every relation and function."""

    def __init__(self, clauses: Sequence[Clause], prices: Interval, last: int) -> None:
        self.places: dict[Place, Interval] = {(True, "price", 1, 0): prices, (True, "time", 1, 0): (0, last)}
        #: Every number that is added, subtracted or compared, or that comes of it.
        self.counted: Interval = (min(0, prices[0]), max(prices[1], last))
        for _ in range(64):
            before = dict(self.places)
            for clause in clauses:
                self._visit(clause)
            if before == self.places:
                break

    def of_amount(self, word: str) -> Interval:
        """How far payoffs or payments reach."""
        return self.places.get((True, word, 2, 1), (0, 0))

    def _visit(self, clause: Clause) -> None:
        known: dict[str, Interval] = {}
        for atom in clause.positive:
            if atom.name not in ("plus", "minus", "less", "atmost"):
                for place, argument in _places(atom):
                    self._narrow(known, argument, self.places.get(place))
        for atom in clause.positive:
            if atom.name in ("less", "atmost") and len(atom.args) == 2:
                _limit(atom, known)
        for _ in clause.positive:
            for atom in clause.positive:
                if atom.name in ("plus", "minus") and len(atom.args) == 3:
                    self._compute(atom, known)
        for atom in clause.atoms:
            if atom.name in ("less", "atmost", "plus", "minus"):
                for argument in atom.args:
                    self._count(_interval(argument, known))
        for place, argument in _places(clause.head):
            found = _interval(argument, known)
            if found is not None:
                self.places[place] = _union(self.places.get(place), found)

    def _compute(self, atom: Term, known: dict[str, Interval]) -> None:
        left, right = (_interval(argument, known) for argument in atom.args[:2])
        if left is None or right is None:
            return
        low, high = ((left[0] + right[0], left[1] + right[1]) if atom.name == "plus" else
                     (left[0] - right[1], left[1] - right[0]))
        self._narrow(known, atom.args[2], (max(low, -_MOST), min(high, _MOST)))

    @staticmethod
    def _narrow(known: dict[str, Interval], argument: Argument, interval: Interval | None) -> None:
        if not isinstance(argument, Variable) or interval is None:
            return
        old = known.get(argument.name, interval)
        both = max(old[0], interval[0]), min(old[1], interval[1])
        known[argument.name] = both if both[0] <= both[1] else interval

    def _count(self, interval: Interval | None) -> None:
        if interval is not None:
            self.counted = _union(self.counted, interval)


def _limit(atom: Term, known: dict[str, Interval]) -> None:
    """A comparison with a number narrows what the other side can be."""
    left, right = atom.args
    step = 1 if atom.name == "less" else 0
    for argument, other, is_left in ((left, right, True), (right, left, False)):
        bound = _interval(other, {})
        old = known.get(argument.name) if isinstance(argument, Variable) else None
        if bound is not None and old is not None:
            new = (old[0], min(old[1], bound[0] - step)) if is_left else (max(old[0], bound[0] + step), old[1])
            if new[0] <= new[1]:
                known[argument.name] = new


def _interval(argument: Argument, known: dict[str, Interval]) -> Interval | None:
    if isinstance(argument, Variable):
        return known.get(argument.name)
    try:
        return int(argument), int(argument)
    except ValueError:
        return None


def _union(one: Interval | None, other: Interval) -> Interval:
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))


def _places(atom: Term) -> Iterable[tuple[Place, Argument]]:
    stack = [atom]
    while stack:
        term = stack.pop()
        for index, argument in enumerate(term.args):
            yield (term is atom, term.name, len(term.args), index), argument
            if isinstance(argument, Term) and argument.args:
                stack.append(argument)
