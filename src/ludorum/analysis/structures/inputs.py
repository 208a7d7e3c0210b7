"""Input and output arguments of fluents, as random play suggests them.

A set of arguments is an input set if in every state there is at most one fluent of the name for each of its values; the
other arguments are the outputs (thesis, definitions 5.4 and 5.5). Starting from the empty set, what a state refutes
grows by one argument at a time, so that minimal sets are left. Of many arguments that would be too many sets to try;
there one minimal set is found by leaving out from all of them what can be spared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import Samples
from ludorum.analysis.structures.tables import Table
from ludorum.clock import Budget

# Most wrong hypotheses fall in the first few states.
_FIRST_LOOK = 64
# Bytes of a fluent's bits that are looked at; more states than that hardly ever refute more.
_MOST_BYTES = 1 << 24
# The work of a test: for every row of the table, and for every bit that is looked at.
_A_ROW, _A_BIT = 1e-6, 2e-9
# With more columns than this not all minimal sets are looked for.
_MOST_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class InputSet:
    """Columns of a table that determine the others in all states that were seen."""

    columns: tuple[int, ...]
    #: Whether a value of the inputs that ever has a fluent has one in every state.
    is_total: bool


def input_sets(table: Table, samples: Samples, budget: Budget) -> tuple[InputSet, ...]:
    """The minimal input sets that no sample refutes, small ones first, or one of them; none if the budget runs out."""
    states = max(_FIRST_LOOK, _MOST_BYTES // max(1, len(table.fluents)))
    step = -(-len(samples) // states)
    bits = np.ascontiguousarray(samples.bits[::step, table.fluents].T)
    seen = bits.any(axis=1)
    everything = tuple(range(table.width))

    def tested(columns: tuple[int, ...]) -> InputSet | None:
        """The set of columns if no state refutes it."""
        groups = table.groups(columns)
        budget.spend(_A_ROW * len(table.rows))
        if _counts(bits[:, :_FIRST_LOOK], groups).max(initial=0) > 1:
            return None
        counts = _counts(bits, groups)
        budget.spend(_A_BIT * bits.size)
        if counts.max(initial=0) > 1:
            return None
        return InputSet(columns, is_total=bool((counts[np.unique(groups[seen])] == 1).all()))

    whole = InputSet(everything, is_total=bool(bits[seen].all()))
    if table.width > _MOST_COLUMNS:
        smallest = whole
        for column in everything:
            if budget.passed:
                return ()
            smallest = tested(tuple(other for other in smallest.columns if other != column)) or smallest
        return (smallest,)
    found: list[InputSet] = []
    for size in range(table.width):
        for columns in combinations(everything, size):
            if any(set(known.columns) <= set(columns) for known in found):
                continue
            if budget.passed:
                return ()
            if (known := tested(columns)) is not None:
                found.append(known)
    return tuple(found) or (whole,)


def _counts(bits: NDArray[np.uint8], groups: NDArray[np.int64]) -> NDArray[np.uint16]:
    """[groups, states]: how many fluents of each group hold."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    return np.add.reduceat(bits[order], starts, axis=0, dtype=np.uint16)
