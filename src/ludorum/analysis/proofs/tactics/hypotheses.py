"""Clauses of two fluents that random play suggests: this one never without, or never with, that one.

Only those count that chance would have refuted: if the two had nothing to do with each other, there would have been
several samples to the contrary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import TRUE, Literal, PropertyCircuit
from ludorum.analysis.samples import Samples
from ludorum.clock import Budget

#: So many samples to the contrary must have been expected.
EXPECTED = 8
#: The most telling are kept.
MOST_CLAUSES = 3_000
# States times fluents times fluents: what counting costs.
_MOST_WORK = 2e10
_MOST_FLUENTS = 4_000
# So many states are counted between two looks at the budget, and the work of each product of two bits.
_BLOCK, _A_PRODUCT = 4_096, 1.5e-10


def pairs(model: PropertyCircuit, samples: Samples, budget: Budget | None = None) -> list[Literal]:
    """Disjunctions of two fluents or negated fluents that hold in all samples, the most telling first.

    When the budget is used up, no more samples are counted.
    """
    budget = budget or Budget()
    fluents = samples.bits.shape[1]
    if not 1 < fluents <= _MOST_FLUENTS:
        return []
    spread = _spread(samples, int(_MOST_WORK / fluents**2))
    both: NDArray[np.floating] = np.zeros((fluents, fluents), dtype=np.float32)
    states, parts = 0, -(-len(spread) // _BLOCK)
    # Every part is spread over all samples, too, and the first one has the initial state.
    for part in range(parts):
        bits = spread[part::parts].astype(np.float32)
        both += bits.T @ bits
        states += len(bits)
        budget.spend(_A_PRODUCT * len(bits) * fluents**2)
        if budget.passed:
            break
    held = np.diagonal(both).astype(np.float64)
    found: list[tuple[float, int, int]] = []
    # For the four kinds of clauses the number of samples to the contrary, and what chance would have given.
    for negate_left, negate_right in ((0, 0), (0, 1), (1, 1)):
        left = states - held if negate_left else held
        right = states - held if negate_right else held
        contrary = both
        if negate_right:
            contrary = held[:, None] - both
        if negate_left:
            contrary = right[None, :] - contrary
        expected = np.outer(left, right) / states
        suggested = (contrary == 0) & (expected >= EXPECTED)
        if negate_left == negate_right:
            suggested = np.triu(suggested, 1)
        places = np.argwhere(suggested)
        telling = np.argsort(-expected[suggested], kind="stable")[:MOST_CLAUSES]
        for a, b in places[telling]:
            found.append((-expected[a, b], 2 * (int(a) + 1) ^ 1 ^ negate_left, 2 * (int(b) + 1) ^ 1 ^ negate_right))
    found.sort()
    clauses = (model.any_of([left, right]) for _, left, right in found[:MOST_CLAUSES])
    return [clause for clause in dict.fromkeys(clauses) if clause != TRUE]


def _spread(samples: Samples, most: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """So many samples, taken evenly from all of them."""
    return samples.bits[:: max(1, -(-len(samples) // max(most, 1)))]
