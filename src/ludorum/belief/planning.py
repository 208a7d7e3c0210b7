"""What the moves of a role are worth when it knows what it knows, and will be told more later.

In the literature: the belief tree of a POMDP (Kaelbling, Littman, Cassandra 1998), searched deeper and deeper.
"""

from __future__ import annotations

from ludorum._core import BeliefPlanner
from ludorum.belief.belief import Belief
from ludorum.clock import Deadline
from ludorum.engines.abilities import Simulates
from ludorum.errors import NoSimulator
from ludorum.game import Game
from ludorum.move import Move

# No match is worth more.
_CEILING = 100.0
# Of a large belief as many states are looked at as this allows joint moves in the first turn.
_FIRST_TRIES = 400_000
_MOST_TRIES = 50_000_000
# First so few joint moves are looked at that there is an answer in a moment, whatever the clock says.
_QUICK_TRIES, _FEW_STATES = 20_000, 48
_DEEPEST = 40


class Planner:
    """Plans for one role, against others who choose uniformly, as chance does.

    Values are exact where the end of all matches is seen; before that they are never too low but for rounding, and of
    moves that look alike the one that tells more is worth a little more. Raises NoSimulator if the game's engine has no
    part in the core.
    """

    def __init__(self, game: Game, role: str) -> None:
        if not isinstance(game.reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine has no part in the core to plan with")
        self._reasoner = game.reasoner
        self._seat = game.roles.index(game.role(role))
        self._planner = BeliefPlanner(game.reasoner.simulator(game.initial.position), self._seat, _CEILING)

    def values(self, belief: Belief, deadline: Deadline) -> tuple[dict[Move, float], bool]:
        """What each move is worth, as deep as there is time for, and whether that is exact; nothing for lack of it.

        The best come first, and of those alike the ones that looked better less far ahead.
        """
        if not belief.is_in_core:
            return {}, False
        most = max(1, _FIRST_TRIES // max(1, len(belief.legal)))
        moves = self._reasoner.moves[self._seat]
        found: dict[Move, float] = {}
        # First some of the states and one turn ahead, so that there is an answer soon; then more of them, then deeper.
        quick = max(1, min(_FEW_STATES, _QUICK_TRIES // max(1, len(belief.legal))))
        few = [size for size in dict.fromkeys((quick, _FEW_STATES)) if size < min(most, len(belief))]
        looked, rows, weights = 0, *belief.thinned(1)
        for size, horizon in [*((size, 1) for size in few), *((most, horizon) for horizon in range(1, _DEEPEST + 1))]:
            if size != looked:
                looked, rows, weights = size, *belief.thinned(size)
            values, is_exact, is_done = self._planner.plan(rows, weights, horizon, _MOST_TRIES,
                                                           max(0.0, min(deadline.remaining, 1e6)) if found else 1e6)
            if not is_done:
                break
            seen = {Move(moves[number]): value for number, value in values}
            # Of moves that look alike this far ahead, those come first that looked better before.
            known = [move for move in found if move in seen]
            order = sorted(dict.fromkeys([*known, *seen]), key=lambda move: -round(seen[move], 9))
            found = {move: seen[move] for move in order}
            if is_exact and size == most:
                return found, belief.is_exact and len(belief) <= most
        return found, False
