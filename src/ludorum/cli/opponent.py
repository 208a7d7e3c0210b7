"""Whom a person at the terminal plays against."""

from __future__ import annotations

from ludorum.belief import hides
from ludorum.cli.knowledge import Knowledge
from ludorum.cli.output import working
from ludorum.clock import NEVER, Deadline
from ludorum.game import Game, Move, Role, State
from ludorum.players import MCTS, Ludorum, join_match
from ludorum.players.determinization import determinized_move

#: How many levels there are; at each the engine looks at four times as much as at the one below.
LEVELS = 9


class Opponent:
    """The engine, which shows that it is thinking, and knows no more of the state than its role can."""

    def __init__(self, game: Game, role: Role, seconds: float, seed: int, level: int | None = None) -> None:
        self._game, self._role, self._seed = game, role, seed
        self._seconds = seconds
        self._playing = join_match(Ludorum(seconds, seed=seed), game, role)
        if level is not None:
            self.set_level(level)
        self._knowledge = Knowledge(game, role, seed) if hides(game) else None
        self._last: Move | None = None

    def set_level(self, level: int) -> None:
        """From now on search so much, however long that takes: the same on every machine."""
        self._playing.finish()
        self._playing = join_match(MCTS(playouts=4**level, seed=self._seed), self._game, self._role)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        with working(f"{role} is thinking"):
            if self._knowledge is not None and self._last is not None:
                self._knowledge.learn(state, self._last)
            legal = state.legal(role)
            self._last = legal[0] if len(legal) == 1 else self._choose(state, deadline)
        return self._last

    def _choose(self, state: State, deadline: Deadline) -> Move:
        if self._knowledge is None:
            return self._playing.move(state, deadline)
        belief, legal = self._knowledge.belief, state.legal(self._role)
        if belief is None or not belief.legal:
            return legal[0]
        chosen = determinized_move(self._playing, belief, self._role, deadline.or_within(self._seconds))
        return chosen if chosen in legal else legal[0]
