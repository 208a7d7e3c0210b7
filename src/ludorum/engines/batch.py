"""Many games side by side, as NumPy planes: what learning needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludorum import _core
from ludorum.errors import IllegalMove
from ludorum.gdl.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludorum._core import Simulator

GOING, TERMINAL, STUCK, CUT = range(4)


class Batch:
    """`n` games of one kind, all in the same state at first.

    Here moves are numbers, because this is for programs that learn: move k of role r is `batch.moves[r][k]`, and
    column f of `fluents` is the fluent `batch.fluent_terms[f]`. A game that is over (terminal, stuck because a role has
    no legal move, or cut after `max_steps`) stays as it is until `reset`. Every game draws its random moves from a
    stream of its own, so they depend neither on the games beside it nor on the number of threads.
    """

    def __init__(self, simulator: Simulator, terms: Callable[[], tuple[tuple[Term, ...], tuple[tuple[Term, ...], ...]]],
                 start: NDArray[np.uint64], n: int, *, max_steps: int = 10_000, threads: int = 1) -> None:
        if n < 1 or threads < 1:
            raise ValueError("a batch has at least one game and one thread")
        if max_steps < 0:
            raise ValueError("steps cannot be fewer than 0")
        self._terms = terms
        self._start = start
        self._core = _core.Batch(simulator, start, n, max_steps, threads)
        self._ends = np.cumsum(self._core.moves).tolist()

    def __len__(self) -> int:
        return len(self._core)

    @property
    def fluent_terms(self) -> tuple[Term, ...]:
        """What the columns of `fluents` mean: all of them, or for the relational engine those met with so far."""
        return self._terms()[0]

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """By role what its numbers mean."""
        return self._terms()[1]

    # ---- how the games are ----

    @property
    def fluents(self) -> NDArray[np.bool_]:
        """bool [games, fluents]: what holds."""
        return self.fluent_bytes.view(np.bool_)

    @property
    def fluent_bytes(self) -> NDArray[np.uint8]:
        """The same as uint8."""
        return self.write_fluents(np.empty((len(self), self._core.fluents), dtype=np.uint8))

    def write_fluents(self, out: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The same into an array of yours."""
        self._core.write_fluents(out)
        return out

    @property
    def legal(self) -> tuple[NDArray[np.bool_], ...]:
        """For every role bool [games, moves of the role]: what it may do."""
        bits = self.legal_bytes.view(np.bool_)
        return tuple(bits[:, end - count:end] for count, end in zip(self._core.moves, self._ends, strict=True))

    @property
    def legal_bytes(self) -> NDArray[np.uint8]:
        """The same as uint8 [games, all moves], role after role."""
        return self.write_legal(np.empty((len(self), self._ends[-1]), dtype=np.uint8))

    def write_legal(self, out: NDArray[np.uint8], role: int | None = None) -> NDArray[np.uint8]:
        """The same into an array of yours: of one role [games, moves of the role], or of all."""
        end = self._ends[-1 if role is None else role]
        first = 0 if role is None else end - self._core.moves[role]
        self._core.write_legal(out, first, end)
        return out

    @property
    def rows(self) -> NDArray[np.uint64]:
        """uint64 [games, words]: the fluents as packed bits."""
        return self._core.rows

    @property
    def legal_rows(self) -> NDArray[np.uint64]:
        """uint64 [games, words]: the legal moves as packed bits, role after role."""
        return self._core.legal_rows

    @property
    def standings(self) -> NDArray[np.uint8]:
        """uint8 [games]: GOING, TERMINAL, STUCK or CUT."""
        return self._core.standings

    @property
    def is_terminal(self) -> NDArray[np.bool_]:
        """bool [games]"""
        return np.equal(self.standings, TERMINAL)

    @property
    def is_stuck(self) -> NDArray[np.bool_]:
        """bool [games]: not terminal, and some role has no legal move."""
        return np.equal(self.standings, STUCK)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """bool [games]: terminal, stuck or cut."""
        return np.not_equal(self.standings, GOING)

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """uint32 [games]: steps since a game was put into its state."""
        return self._core.lengths

    @property
    def goals(self) -> NDArray[np.int16]:
        """int16 [games, roles]: goal values, −1 where not exactly one holds."""
        return self._core.goals()

    @property
    def ended(self) -> NDArray[np.uint8]:
        """uint8 [games]: TERMINAL, STUCK or CUT for games that ended in the last step, GOING for the others."""
        return self._core.ended

    @property
    def final_goals(self) -> NDArray[np.int16]:
        """int16 [games, roles]: how games ended that the last step began anew (`auto_reset`); −1 for others."""
        return self._core.final_goals

    @property
    def choosers(self) -> NDArray[np.bool_]:
        """bool [games, roles]: which roles have more than one legal move; none where a game is over."""
        return self._core.choosers().view(np.bool_)

    # ---- one game of them ----

    def standing(self, game: int) -> int:
        """How a game is: GOING, TERMINAL, STUCK or CUT."""
        return self._core.standing(game)

    def choosing(self, game: int) -> list[int]:
        """The roles that have more than one legal move in a game, by their numbers; none where it is over."""
        return self._core.choosing(game)

    def legal_numbers(self, game: int, role: int) -> list[int]:
        """The numbers of a role's legal moves in a game."""
        return self._core.legal_numbers(game, role)

    def step_alone(self, wanted: list[int]) -> list[int]:
        """Advance a batch of one game by these moves, a role each; where one is negative the role moves at random.

        The joint move that was made; empty where a move is not legal, and nothing is done then.
        """
        return self._core.step_alone(wanted)

    # ---- what becomes of them ----

    def seed(self, seed: int | NDArray[np.uint64], games: NDArray[np.bool_] | None = None) -> None:
        """Begin the random streams of these games (all if none are named) anew: game i with seed + i, or its own."""
        if isinstance(seed, int):
            seed = (np.arange(len(self), dtype=np.uint64) + np.uint64(seed % 2**64)).astype(np.uint64)
        self._core.seed(seed, _mask(games))

    def sample(self, games: NDArray[np.bool_] | None = None,
               out: NDArray[np.uint32] | None = None) -> NDArray[np.uint32]:
        """A legal move for every game and role, each as likely as any other: uint32 [games, roles].

        2³² − 1 stands for none, where a game is over or not among those that are asked for. `out` is an array of yours
        that is filled then.
        """
        if out is None:
            out = np.empty((len(self), len(self._ends)), dtype=np.uint32)
        self._core.sample(_mask(games), out)
        return out

    def step(self, moves: NDArray[np.integer], games: NDArray[np.bool_] | None = None, *, tell: bool = False,
             auto_reset: bool = False, fluents: NDArray[np.uint8] | None = None,
             legal: NDArray[np.uint8] | None = None) -> NDArray[np.uint8] | None:
        """Advance every game that is not over (of these, if some are named) by one joint move: int [games, roles].

        Raises IllegalMove, and then no game is changed. With `tell`, what roles are told: uint8 [games, percepts].
        With `auto_reset`, games that are over begin anew at once: `ended` and `final_goals` say how they ended. What
        holds and what is legal then is written into `fluents` and `legal`, if these are given, as `write_fluents` and
        `write_legal` would.
        """
        joint = np.ascontiguousarray(moves, dtype=np.uint32)
        if joint.shape != (len(self), len(self._ends)):
            raise ValueError(f"moves have the shape {joint.shape}, not {(len(self), len(self._ends))}")
        told = self._core.step(joint, _mask(games), tell, auto_reset, fluents, legal)
        if isinstance(told, tuple):
            game, role = told
            raise IllegalMove(f"move {joint[game, role]} of role {role} is not legal in game {game} of the batch")
        return told

    def reset(self, games: NDArray[np.bool_] | None = None, row: NDArray[np.uint64] | None = None) -> None:
        """Put these games (all of them if none are named) back into the state they started from, or into another."""
        self._core.set(self._start if row is None else np.ascontiguousarray(row), _mask(games))


def _mask(games: NDArray[np.bool_] | None) -> NDArray[np.uint8] | None:
    return None if games is None else np.ascontiguousarray(games, dtype=np.uint8)
