"""Many games side by side, as NumPy planes: what learning needs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludorum.errors import IllegalMove
from ludorum.gdl.terms import Term

if TYPE_CHECKING:
    from ludorum._core import CircuitSimulator
    from ludorum.circuit import Circuit


class Batch:
    """`n` games of one kind, all in the same state at first.

    Here moves are numbers, because this is for programs that learn: move k of role r is `batch.moves[r][k]`, and
    column f of `fluents` is the fluent `batch.fluent_terms[f]`. A game that has ended stays as it is until `reset`.
    """

    def __init__(self, simulator: CircuitSimulator, circuit: Circuit, start: NDArray[np.uint64], n: int) -> None:
        if n < 1:
            raise ValueError("a batch has at least one game")
        self._simulator = simulator
        self._start = start
        self._states = np.tile(start, (n, 1))
        self._ends = np.cumsum([len(of_role) for of_role in circuit.moves])
        self.fluent_terms: tuple[Term, ...] = circuit.fluents
        self.moves: tuple[tuple[Term, ...], ...] = circuit.moves

    def __len__(self) -> int:
        return len(self._states)

    @property
    def fluents(self) -> NDArray[np.bool_]:
        """bool [games, fluents]: what holds."""
        return _bits(self._states, len(self.fluent_terms))

    @property
    def legal(self) -> tuple[NDArray[np.bool_], ...]:
        """For every role bool [games, moves of the role]: what it may do."""
        bits = _bits(self._looked[1], int(self._ends[-1]))
        return tuple(bits[:, end - len(moves) : end] for moves, end in zip(self.moves, self._ends, strict=True))

    @property
    def is_terminal(self) -> NDArray[np.bool_]:
        """bool [games]"""
        return self._looked[0].astype(bool)

    @property
    def goals(self) -> NDArray[np.int16]:
        """int16 [games, roles]: goal values, −1 where not exactly one holds."""
        values: NDArray[np.int16] = self._simulator.goals(self._states)
        return values

    def step(self, moves: NDArray[np.integer]) -> None:
        """Advances every game that has not ended by one joint move: int [games, roles], numbers of legal moves."""
        joint = np.ascontiguousarray(moves, dtype=np.uint32)
        if joint.shape != (len(self), len(self.moves)):
            raise ValueError(f"moves have the shape {joint.shape}, not {(len(self), len(self.moves))}")
        going = np.flatnonzero(~self.is_terminal)
        for role, legal in enumerate(self.legal):
            chosen = joint[going, role]
            inside = chosen < legal.shape[1]
            fine = inside & legal[going, np.where(inside, chosen, 0)] if legal.shape[1] else np.zeros(len(going), bool)
            if not fine.all():
                game = int(going[np.flatnonzero(~fine)[0]])
                raise IllegalMove(f"move {joint[game, role]} of role {role} is not legal in game {game} of the batch")
        if len(going):
            self._states[going] = self._simulator.step(self._states[going], np.ascontiguousarray(joint[going]))
            self.__dict__.pop("_looked", None)

    def reset(self, games: NDArray[np.bool_] | None = None) -> None:
        """Puts these games (all of them if none are named) back into the state they started from."""
        self._states[slice(None) if games is None else games] = self._start
        self.__dict__.pop("_looked", None)

    @cached_property
    def _looked(self) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        terminal, legal = self._simulator.look(self._states)
        return terminal, legal


def _bits(rows: NDArray[np.uint64], count: int) -> NDArray[np.bool_]:
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=count).astype(bool)
