"""The player that looks at the game and picks how to play it."""

from __future__ import annotations

from ludorum.clock import NEVER, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.mcts import MCTS
from ludorum.players.solver import Solver
from ludorum.players.thoughts import Thoughts
from ludorum.state import State


class Ludorum:
    """Plays puzzles as `Solver`, and everything else as `MCTS`: over all games nothing else was found to be better.

    It thinks for `seconds`, but never past the deadline; `seconds=none` means up to the deadline. With `ponder` it goes
    on while the others think.
    """

    def __init__(self, seconds: float | None = 1.0, *, threads: int = 1, ponder: bool = False, memory_mb: int = 1024,
                 seed: int | None = None) -> None:
        if seconds is not None and seconds < 0:
            raise ValueError(f"seconds cannot be {seconds}")
        self._seconds = seconds
        self._threads = threads
        self._ponder = ponder
        self._memory_mb = memory_mb
        self._seed = seed
        self._game: Game | None = None
        self._player: MCTS | Solver | None = None

    @property
    def thoughts(self) -> Thoughts | None:
        return None if self._player is None else self._player.thoughts

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        self._playing(game).prepare(game, role, deadline)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        return self._playing(state.game).move(state, role, deadline)

    def finish(self) -> None:
        if self._player is not None:
            self._player.finish()

    def _playing(self, game: Game) -> MCTS | Solver:
        if self._player is None or self._game is not game:
            self.finish()
            self._game, self._player = game, self._pick(game)
        return self._player

    def _pick(self, game: Game) -> MCTS | Solver:
        if len(game.roles) == 1:
            return Solver(self._seconds, seed=self._seed or 0)
        return MCTS(self._seconds, threads=self._threads, ponder=self._ponder, memory_mb=self._memory_mb,
                    seed=self._seed)

    def __repr__(self) -> str:
        return f"Ludorum(seconds={self._seconds}, seed={self._seed})"
