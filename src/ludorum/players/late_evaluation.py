"""An evaluation that is made beside the match: whoever plays goes on without it until it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludorum.absent import Absent
from ludorum.clock import Budget, Deadline
from ludorum.errors import BudgetExceeded, NoCircuit
from ludorum.players.background import Background

if TYPE_CHECKING:
    from ludorum.evaluate import StateEvaluation

# Of the time before the first move, or of a move where there is none before it, the most that is waited for it; the
# search has the rest.
_SHARE = 0.5
# An evaluation that takes longer than this many seconds, over all moves, is given up.
_MAX_S = 120.0


class LateEvaluation:
    """Makes an evaluation once, in as many moves as it takes."""

    def __init__(self, make: Callable[[Budget], StateEvaluation]) -> None:
        self._make = make
        self._background: Background[StateEvaluation] | None = None
        self._found: StateEvaluation | Absent | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will come of it."""
        return self._found is not None

    def by(self, deadline: Deadline) -> StateEvaluation | Absent:
        """The evaluation, waited for in a part of the time; or why there is none yet, or will be none at all."""
        if self._found is None:
            try:
                return self._wait(deadline)
            except (NoCircuit, BudgetExceeded) as error:
                self._found = Absent(str(error))
        return self._found

    def _wait(self, deadline: Deadline) -> StateEvaluation | Absent:
        if deadline.at is None and self._background is None:
            self._found = self._make(Budget())
            return self._found
        if self._background is None:
            if deadline.passed:
                return Absent("there was no time to make the evaluation")
            self._background = Background(lambda: self._make(Budget.within(_MAX_S)))
        self._background.wait(deadline.with_margin().part(_SHARE))
        made = self._background.result
        if made is None:
            return Absent("the evaluation was not made in time")
        self._found = made
        return made
