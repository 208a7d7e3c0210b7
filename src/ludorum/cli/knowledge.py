"""What a role can know while a match goes on: its own moves, what it is told, and what follows from that."""

from __future__ import annotations

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game, Move, Role, State
from ludorum.search.belief import Belief

# How long somebody at a terminal waits gladly for what follows from a step, in seconds.
_PATIENCE = 2.0


class Knowledge:
    """The states that are possible for a role, step by step."""

    def __init__(self, game: Game, role: Role, seed: int = 0) -> None:
        self._role = role
        self._belief = Belief(game, role, seed=seed)
        self._is_lost = False

    @property
    def belief(self) -> Belief | None:
        """The states that are possible; None if there are so many that those of the match were lost track of."""
        return None if self._is_lost else self._belief

    def learn(self, state: State, move: Move) -> None:
        """A move of the role has led, with those of the others, to this state, of which it is told its percepts."""
        if self._is_lost:
            return
        try:
            self._belief.perceived(move, state.percepts[self._role], Deadline.within(_PATIENCE))
        except LudorumError:
            # The match itself is possible. It was not in the sample, and neither was anything that explains it.
            self._is_lost = True
        self._is_lost |= not self._belief.is_consistent
