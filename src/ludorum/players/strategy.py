"""What a player has made up its mind to do, by all that it may come to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.move import Move, Role

if TYPE_CHECKING:
    from ludorum.belief import Belief
    from ludorum.equilibrium.tree import History


class Strategy:
    """How likely a role makes each move, by what it has done and been told; where no move matters, the idle one."""

    def __init__(self, game: Game, role: Role, choices: Callable[[History], Mapping[Move, float] | None]) -> None:
        # Not before it is needed: NumPy takes a while to load.
        from ludorum.analysis.idle import without_idle_moves

        self._lean = without_idle_moves(game)
        self._seat = game.roles.index(role)
        self._choices = choices

    def policy(self, belief: Belief) -> dict[Move, float] | None:
        """None where it does not know what to do."""
        history = belief.history
        if history is None:
            return None
        if (choices := self._choices(history)) is not None:
            return dict(choices)
        legal = belief.legal
        if len(legal) > 1 and self._lean.engine == "circuit":
            left = self._lean.reasoner.legal(belief.states[0].position)[self._seat]
            if len(left) == 1 and Move(left[0]) in legal:
                return {Move(left[0]): 1.0}
        return None


# More joint messages than this are not tried before a match.
_MOST_LANES = 1_000_000


def dominant_strategy(game: Game, role: Role, budget: Budget) -> Strategy | None:
    """What is never worse than anything else, whatever the others do; None if there is none, or it is not found.

    Of several such moves it makes one that is not its move where it has no choice: who can take part does.
    """
    from ludorum.mechanism import Decisions

    try:
        choices: dict[History, dict[Move, float]] = {}
        for decision in Decisions(game, role, budget, most=_MOST_LANES):
            if not decision.dominant:
                return None
            forced = {move for move, _ in decision.history}
            choices[decision.history] = {min(decision.dominant, key=lambda move: (move in forced, str(move))): 1.0}
    except LudorumError:
        return None
    return Strategy(game, role, choices.get)
