"""The equilibrium of two players whose goals have a constant sum, as a linear program.

In the literature: the sequence-form program (Koller, Megiddo, von Stengel 1996), solved by HiGHS (Huangfu, Hall 2018).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum.equilibrium.tree import GameTree

#: With more sequences than this the program takes longer than regret matching.
MOST_SEQUENCES = 30_000


def is_available() -> bool:
    """Whether SciPy is installed, which has the solver."""
    return find_spec("scipy") is not None


def constant_sum(tree: GameTree) -> float | None:
    """What the goals of the players add up to in every match, None if that is not the same in all."""
    _, weights, payoffs = tree.core.outcomes()
    sums = payoffs.sum(axis=1)
    total = float(sums.sum() / weights.sum())
    return total if np.allclose(sums, total * weights, rtol=0, atol=1e-9) else None


def equilibrium(tree: GameTree, seconds: float) -> list[NDArray[np.float64]] | None:
    """Plans of both players against which neither can gain; None if there was not enough time.

    Requires: two players whose goals have a constant sum.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, vstack

    sequences, _, payoffs = tree.core.outcomes()
    mine, theirs = (len(tree.core.moves(player)) for player in (0, 1))
    matrix = csr_array((payoffs[:, 0], (sequences[:, 0], sequences[:, 1])), shape=(mine, theirs))
    own, other = _flow(tree, 0), _flow(tree, 1)
    # The value of each information set of the other is at most that of each of its moves there.
    limits = hstack([-matrix.T, other.T])
    flow = hstack([own, csr_array((own.shape[0], other.shape[0]))])
    start = np.zeros(own.shape[0])
    start[0] = 1
    cost = np.zeros(mine + other.shape[0])
    cost[mine] = -1
    bounds: list[tuple[float | None, float | None]] = [(0, None)] * mine + [(None, None)] * other.shape[0]
    found: Any = linprog(cost, A_ub=limits, b_ub=np.zeros(theirs), A_eq=vstack([flow]), b_eq=start, bounds=bounds,
                         method="highs", options={"time_limit": max(0.01, seconds)})
    if found.status != 0:
        return None
    return [np.clip(found.x[:mine], 0, None), np.clip(-found.ineqlin.marginals, 0, None)]


def _flow(tree: GameTree, player: int) -> Any:
    """Rows for: the empty sequence is certain; what leaves an information set is what comes to it."""
    from scipy.sparse import csr_array

    rows, columns, values = [0], [0], [1.0]
    for number, (parent, first, count, _) in enumerate(tree.core.sets(player).tolist(), start=1):
        rows += [number] * (count + 1)
        columns += [parent, *range(first, first + count)]
        values += [-1.0] + [1.0] * count
    shape = (len(tree.core.sets(player)) + 1, len(tree.core.moves(player)))
    return csr_array((values, (rows, columns)), shape=shape)
