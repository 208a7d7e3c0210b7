"""What a search is handed to judge states that are not over: one of the core's evaluations, or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludorum._core import Evaluation as CoreEvaluation
    from ludorum.game import Game

#: From bool [states, fluents] to numbers from 0 to 100 [states, roles]; column f is the fluent `game.fluents[f]`.
Evaluation = Callable[["NDArray[np.bool_]"], "NDArray[np.floating[Any]]"]


def adapted(evaluation: Evaluation | CoreEvaluation, game: Game) -> (
        Callable[[NDArray[np.uint64]], NDArray[np.float64]] | CoreEvaluation):
    """As the core takes it: a function gets the core's rows of bits as truth values."""
    import numpy as np

    from ludorum._core import Evaluation as CoreEvaluation

    if isinstance(evaluation, CoreEvaluation):
        return evaluation
    if not callable(evaluation):
        raise TypeError(f"an evaluation is one of the core's, or a function, not {evaluation!r}")
    fluents = len(game.fluents or ())

    def evaluate(rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=fluents).astype(bool)
        return np.ascontiguousarray(evaluation(bits), dtype=np.float64)

    return evaluate
