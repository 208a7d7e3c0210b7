"""Balances that random play suggests: a counter that counts pieces, two numbers that differ by whose turn it is.

States are measured: how many fluents of a kind have a marker, what the values of counters add up to. Linear equations
between the measures that all samples fulfil are hypotheses. Measures speak of whole kinds of fluents, so that an
equation says something of those as well that random play never met with.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import Balance
from ludorum.analysis.samples import Samples
from ludorum.analysis.structures.structures import FluentStructure, Structures

#: Weights of fluents by number.
Weights = dict[int, int]

# More measures of one kind of fluents, or altogether, are too many to find equations between them.
_MOST_OF_A_KIND = 64
_MOST_MEASURES = 200
_MOST_FLUENTS = 4_000
# So many states are looked at; the initial one is one of them.
_STATES = 8_192
#: More weights than this in one equation are too many to add up.
_MOST_WEIGHTS = 2_000
_LARGEST_WEIGHT = 1_000
_MOST_BALANCES = 16
# Equations are solved in numbers modulo a prime, and their factors are fractions with small denominators.
_PRIME = 2**31 - 1
_DENOMINATORS = range(1, 25)


def balances(samples: Samples, structures: Structures, one_hot: Iterable[Sequence[int]]) -> list[Balance]:
    """Equations that some thousands of samples fulfil.

    None of them follows from the others and from `one_hot`, groups of fluents of which exactly one holds.
    """
    measures = _measures(samples, structures)
    if not measures or len(samples.fluents) > _MOST_FLUENTS:
        return []
    bits = samples.bits[:: max(1, -(-len(samples) // _STATES))]
    factors_of = np.zeros((bits.shape[1], len(measures) + 1), dtype=np.float32)
    for column, weights in enumerate(measures, 1):
        factors_of[list(weights), column] = list(weights.values())
    # As floats, in which these are exact and which are multiplied much faster.
    table = np.rint(bits.astype(np.float32) @ factors_of).astype(np.int64)
    table[:, 0] = 1
    # What varies most comes last: it is what the equations tell of the others.
    order = [0, *(1 + np.argsort(table[:, 1:].mean(axis=0), kind="stable"))]
    table = table[:, order]
    groups = _apart(one_hot)
    found: list[tuple[Balance, Counter[int]]] = []
    for factors in _equations(table):
        added: Counter[int] = Counter()
        for factor, column in zip(factors[1:], order[1:], strict=True):
            for number, weight in measures[column - 1].items():
                added[number] += int(factor) * weight
        balance = _without(groups, added, -int(factors[0]))
        if 0 < len(balance.weights) <= _MOST_WEIGHTS \
                and max(abs(weight) for _, weight in balance.weights) <= _LARGEST_WEIGHT:
            found.append((balance, added))
    independent = _Independent(groups)
    simplest = sorted(found, key=lambda pair: pair[0].digits)[:_MOST_BALANCES]
    return [balance for balance, weights in simplest if independent.take(weights)]


def _measures(samples: Samples, structures: Structures) -> list[Weights]:
    """What is counted and added up, no two alike."""
    found: dict[tuple[tuple[int, int], ...], Weights] = {}
    for fluent in structures.fluents:
        of_kind = list(_of_kind(fluent))
        if len(of_kind) <= _MOST_OF_A_KIND:
            found |= {tuple(sorted(weights.items())): weights for weights in of_kind}
    return list(found.values()) if len(found) <= _MOST_MEASURES else []


def _of_kind(fluent: FluentStructure) -> Iterator[Weights]:
    """Of fluents of one kind: how many have some values of what is not in order, and what the rest adds up to."""
    table = fluent.table
    places = [dict[object, int]() for _ in range(table.width)]
    for column, relation in enumerate(fluent.orders):
        if relation is not None and not relation.is_cyclic:
            line = relation.in_order(table.values[column])
            places[column] = {value: place for place, value in enumerate(line or ())}
    named = [column for column in range(table.width) if not places[column]]
    for columns in {columns for size in (0, 1, len(named)) for columns in combinations(named, size)}:
        counts: defaultdict[tuple[object, ...], Weights] = defaultdict(dict)
        values: defaultdict[tuple[object, ...], Weights] = defaultdict(dict)
        for number, row in zip(table.fluents.tolist(), table.rows, strict=True):
            key = tuple(row[column] for column in columns)
            counts[key][number] = 1
            for column, place in enumerate(places):
                if place:
                    values[column, *key][number] = place[row[column]]
        yield from counts.values()
        yield from values.values()


def _equations(table: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Whole factors of the columns with which every row adds up to 0, as few of them as the columns need."""
    columns = table.shape[1]
    # Random sums of rows fulfil, but for an accident, no other equations than the rows, and are few.
    random = np.random.default_rng(0).integers(-(2**15), 2**15, (columns + 16, len(table)))
    reduced = (random @ table) % _PRIME
    pivots: list[int] = []
    for column in range(columns):
        row = len(pivots)
        usable = np.flatnonzero(reduced[row:, column])
        if len(usable):
            reduced[[row, row + usable[0]]] = reduced[[row + usable[0], row]]
            reduced[row] = reduced[row] * pow(int(reduced[row, column]), -1, _PRIME) % _PRIME
            others = reduced[:, column].copy()
            others[row] = 0
            reduced = (reduced - others[:, None] * reduced[row]) % _PRIME
            pivots.append(column)
            continue
        factors = np.zeros(columns, dtype=np.int64)
        factors[column] = _PRIME - 1
        factors[pivots] = reduced[:row, column]
        whole = _whole(factors)
        if whole is not None and not (table @ whole).any():
            yield whole


def _whole(factors: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The same in small whole numbers, if there are any."""
    for denominator in _DENOMINATORS:
        multiple = factors * denominator % _PRIME
        whole = np.where(multiple > _PRIME // 2, multiple - _PRIME, multiple)
        if np.abs(whole).max() <= _LARGEST_WEIGHT:
            return whole
    return None


class _Independent:
    """Equations of which none follows from those before, and from the groups of which exactly one fluent holds."""

    def __init__(self, groups: Iterable[Sequence[int]]) -> None:
        self._groups = tuple(groups)
        # Each with the fluent that none of the later ones mentions, whose weight is 1.
        self._taken: list[tuple[int, Weights]] = []

    def take(self, weights: Weights) -> bool:
        """Whether this one does not follow either; then it counts from now on."""
        left = {number: weight % _PRIME for number, weight in weights.items()}
        # In every group the first fluent weighs nothing.
        for group in self._groups:
            left |= {number: (weights.get(number, 0) - weights.get(group[0], 0)) % _PRIME for number in group}
        for fluent, taken in self._taken:
            factor = left.get(fluent, 0)
            for number, weight in taken.items() if factor else ():
                left[number] = (left.get(number, 0) - factor * weight) % _PRIME
        left = {number: weight for number, weight in left.items() if weight}
        for fluent, weight in left.items():
            inverse = pow(weight, -1, _PRIME)
            self._taken.append((fluent, {number: other * inverse % _PRIME for number, other in left.items()}))
            return True
        return False


def _apart(groups: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Groups that have nothing in common, the largest first."""
    found, met = [], set[int]()
    for group in sorted(groups, key=len, reverse=True):
        if met.isdisjoint(group):
            found.append(tuple(group))
            met.update(group)
    return found


def _without(groups: Iterable[Sequence[int]], weights: Counter[int], total: int) -> Balance:
    """An equation that says nothing of a group that weighs the same throughout, for exactly one of each group holds.

    Those of a group that weigh the same are one term: a cell with a man or a king.
    """
    terms: list[tuple[tuple[int, ...], int]] = []
    left = dict(weights)
    for group in groups:
        of_group: defaultdict[int, list[int]] = defaultdict(list)
        for number in group:
            of_group[left.pop(number, 0)].append(number)
        usual = max(of_group, key=lambda weight: len(of_group[weight]))
        total -= usual
        terms += [(tuple(numbers), weight - usual) for weight, numbers in of_group.items() if weight != usual]
    terms += [((number,), weight) for number, weight in left.items() if weight]
    return Balance(tuple(sorted(terms)), total)
