"""Conditions that hold exactly where a tally of fluents passes a bound, in whatever way the rules count.

Adders, counters and chains of comparisons leave a circuit in which no comparison can be seen. But a condition can be
asked about any state, possible or not: what difference each fluent makes on average tells its weight, and then the
bound must part all states where it holds from all where it does not. This is a hypothesis that tens of thousands of
states confirm, not a proof; evaluations need no more.

In the literature: linear threshold functions, found by their Chow parameters (Chow 1961).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples
from ludorum.circuit.circuit import Circuit, Wire
from ludorum.clock import Budget
from ludorum.evaluate.code import Code, Slot
from ludorum.evaluate.conditions import conditions, fluents_below
from ludorum.gdl.terms import Term

# So many states with contents drawn evenly teach the weights; as many with contents of uneven shares, and so many of
# random play, confirm them.
_STATES, _PLAYED = 16_384, 10_000
# Conditions on more fluents are not looked at, nor those that hold, or fail, in nearly all states.
_MOST_FLUENTS, _LEAST_SHARE = 1500, 0.01
# A difference of so many standard errors is one, and no weight is larger than this times the smallest.
_STANDARD_ERRORS, _LARGEST_WEIGHT = 5.0, 16
# The work of a state, for every fluent squared and for every gate input.
_A_PRODUCT, _AN_INPUT = 2e-10, 5e-11


@dataclass(frozen=True, slots=True)
class Tally:
    """A sum over the fluents that hold; a condition holds exactly where it is more than `bound`."""

    weights: tuple[tuple[int, int], ...]
    bound: float
    #: What the sum is at least, and at most.
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class TallyLeaf:
    """What a condition that a tally decides is worth: the more the further the tally is beyond the bound."""

    tally: Tally
    threshold: float
    is_negated: bool = False

    @property
    def least_true(self) -> float:
        return self.threshold

    @property
    def most_false(self) -> float:
        return 1 - self.threshold

    def negated(self) -> TallyLeaf:
        return replace(self, is_negated=not self.is_negated)

    def to_power(self, code: Code, exponent: float) -> Slot:
        tally, most_false = self.tally, 1 - self.threshold
        count = code.count([(float(weight), fluent) for fluent, weight in tally.weights])
        # As for comparisons (section 5.3.1): by how much, as a part of the most that there can be.
        above, below = (most_false / max(far, 1e-9) for far in (tally.most - tally.bound, tally.bound - tally.least))
        true = code.weighted([(above, count)], self.threshold - above * tally.bound)
        false = code.weighted([(below, count)], most_false - below * tally.bound)
        value = code.if_less(count, tally.bound, false, true)
        if self.is_negated:
            value = code.complement(value)
        return value if exponent == 1 else code.power(value, exponent)


def tallies(circuit: Circuit, wires: Sequence[Wire], played: Samples, budget: Budget) -> dict[Wire, Tally]:
    """Those of the wires that tallies decide, for as long as there is time."""
    below = {wire: fluents_below(circuit, 2 * wire) for wire in wires}
    wires = [wire for wire in wires if 2 <= len(below[wire]) <= _MOST_FLUENTS]
    if not wires or budget.passed:
        return {}
    states = _States(circuit, wires, played)
    found: dict[Wire, Tally] = {}
    for number, wire in enumerate(wires):
        budget.spend(2 * _STATES * (_A_PRODUCT * len(below[wire]) ** 2 + _AN_INPUT * circuit.inputs))
        if budget.passed:
            break
        tally = states.tally(number, below[wire])
        if tally is not None:
            found[wire] = tally
    return found


class _States:
    """States to learn from and to confirm with, and which wires hold there."""

    def __init__(self, circuit: Circuit, wires: Sequence[Wire], played: Samples) -> None:
        self._groups = list(_groups(played))
        random = np.random.default_rng(0)
        self._bits = [_drawn(self._groups, circuit.fluents, random, is_even=True),
                      _drawn(self._groups, circuit.fluents, random, is_even=False), played.bits[:_PLAYED]]
        asked = conditions(circuit, [2 * wire for wire in wires])
        self._truths = [np.unpackbits(asked.terminal_and_legal(_rows(bits))[1].view(np.uint8), axis=1,
                                      bitorder="little", count=len(wires)).astype(bool) for bits in self._bits]

    def tally(self, wire: int, below: Collection[int]) -> Tally | None:
        """What decides a wire, by its number."""
        truth = self._truths[0][:, wire]
        if not _LEAST_SHARE <= truth.mean() <= 1 - _LEAST_SHARE:
            return None
        weights = _weights(self._bits[0], truth, below, self._groups)
        if weights is None:
            return None
        sums = np.concatenate([each.astype(np.float32) @ weights for each in self._bits])
        truths = np.concatenate([each[:, wire] for each in self._truths])
        false, true = int(sums[~truths].max()), int(sums[truths].min())
        if false >= true:
            return None
        ranges = [[int(weights[fluent]) for fluent in group] + [0] * (len(group) == 1) for group in self._groups]
        return Tally(tuple((number, int(weights[number])) for number in np.flatnonzero(weights).tolist()),
                     (false + true) / 2, sum(map(min, ranges)), sum(map(max, ranges)))


def _weights(drawn: NDArray[np.uint8], truth: NDArray[np.bool_], below: Collection[int],
             groups: Sequence[Sequence[int]]) -> NDArray[np.float32] | None:
    """What difference fluents make, in whole numbers; of every group the first that counts makes none."""
    wanted = set(below)
    # Where one of a group always holds, the first says nothing that the others do not.
    columns = [fluent for group in groups for fluent in group[len(group) > 1 and wanted.issuperset(group) :]
               if fluent in wanted]
    seen = drawn[:, columns].astype(np.float32)
    seen -= seen.mean(axis=0)
    covariance = (seen.T @ seen).astype(np.float64) / len(seen) + 1e-9 * np.eye(len(columns))
    told = truth - truth.mean()
    inverse = np.linalg.inv(covariance)
    difference = inverse @ (seen.T @ told / len(seen))
    error = np.sqrt(np.diag(inverse) * told.var() / len(seen))
    large = np.abs(difference[np.abs(difference) > _STANDARD_ERRORS * error])
    if not len(large):
        return None
    unit = float(np.median(large[large < 1.5 * large.min()]))
    found = np.rint(difference / unit).astype(np.float32)
    if np.abs(found).max() > _LARGEST_WEIGHT:
        return None
    weights = np.zeros(drawn.shape[1], dtype=np.float32)
    weights[columns] = found
    return weights


def _groups(played: Samples) -> Iterator[tuple[int, ...]]:
    """Fluents that differ in one argument and of which never two held in random play; else single ones."""
    by_name: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, fluent in enumerate(played.fluents):
        by_name[fluent.name, len(fluent.args)].append(number)
    for (_, arity), numbers in by_name.items():
        best: list[tuple[int, ...]] = [(number,) for number in numbers]
        for argument in reversed(range(arity)):
            told: dict[tuple[object, ...], list[int]] = defaultdict(list)
            for number in numbers:
                args = played.fluents[number].args
                told[(*args[:argument], *args[argument + 1 :])].append(number)
            if len(told) < len(best) and all(played.bits[:, group].sum(axis=1).max() <= 1 for group in told.values()):
                best = [tuple(group) for group in told.values()]
        yield from best


def _drawn(groups: Sequence[Sequence[int]], fluents: Sequence[Term], random: np.random.Generator, *,
           is_even: bool) -> NDArray[np.uint8]:
    """States with one fluent of every group, each as likely as the others, or contents by shares that differ from state
    to state; single fluents hold or do not."""
    drawn = np.zeros((_STATES, len(fluents)), dtype=np.uint8)
    contents = sorted({_content(fluents[number]) for group in groups for number in group})
    column = {content: index for index, content in enumerate(contents)}
    shares = random.exponential(size=(_STATES, len(contents))) ** (0 if is_even else 2) + 1e-12
    each = np.arange(_STATES)
    for group in groups:
        if len(group) == 1:
            drawn[:, group[0]] = random.random(_STATES) < 0.5
            continue
        chances = np.cumsum(shares[:, [column[_content(fluents[number])] for number in group]], axis=1)
        chosen = (random.random(_STATES)[:, None] * chances[:, -1:] > chances).sum(axis=1)
        drawn[each, np.array(group)[chosen]] = 1
    return drawn


def _content(fluent: Term) -> str:
    return str(fluent.args[-1]) if fluent.args else fluent.name


def _rows(bits: NDArray[np.uint8]) -> NDArray[np.uint64]:
    words = max(1, -(-bits.shape[1] // 64))
    packed = np.zeros((len(bits), 8 * words), dtype=np.uint8)
    narrow = np.packbits(bits, axis=1, bitorder="little")
    packed[:, : narrow.shape[1]] = narrow
    return packed.view(np.uint64)
