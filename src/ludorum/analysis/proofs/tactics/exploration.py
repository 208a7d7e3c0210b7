"""All states of a game, layer by layer, where they are few enough: then nothing is left to prove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Simulator
from ludorum.analysis.samples import path
from ludorum.circuit import Circuit
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.move import Move

#: Rows of bits, a byte each when they are looked at, stay below this.
_MOST_BYTES = 512 * 2**20
_MOST_STATES = 3_000_000
# So many states are looked at, and so many successors made, at a time.
_STATES, _SUCCESSORS = 1 << 12, 1 << 17
# Fewer where they are large.
_BYTES_AT_ONCE = 1 << 24
# Nobody waits for so many.
_MOST_JOINT_MOVES = 1 << 40
# The work of looking at a state, and of making a successor and looking whether it is known.
_A_STATE = 1e-6


@dataclass(frozen=True, eq=False)
class Explored:
    """States in the order of their distance from the initial one; all that can be reached if it is complete."""

    #: uint64 [states, words]: rows of fluent bits.
    rows: NDArray[np.uint64]
    #: int32 [states]: the state that each came from, −1 for the initial one.
    parents: NDArray[np.int32]
    #: uint32 [states, roles]: the joint move that led from there, as numbers into `moves`.
    joints: NDArray[np.uint32]
    moves: tuple[tuple[Term, ...], ...]
    is_complete: bool

    def path(self, index: int) -> tuple[tuple[Move, ...], ...]:
        """The joint moves that lead from the initial state to this one, as few as possible."""
        return path(index, self.parents, self.joints, self.moves)

    def joint(self, numbers: NDArray[np.uint32]) -> tuple[Move, ...]:
        """A joint move by the numbers of its moves."""
        return tuple(Move(of_role[number]) for of_role, number in zip(self.moves, numbers, strict=True))


@dataclass(frozen=True, eq=False)
class _Layer:
    rows: NDArray[np.uint64]
    #: Numbers of states, counted over all layers.
    parents: NDArray[np.int32]
    joints: NDArray[np.uint32]

    def only(self, which: NDArray[np.intp]) -> _Layer:
        return _Layer(self.rows[which], self.parents[which], self.joints[which])

    @classmethod
    def together(cls, layers: Sequence[_Layer]) -> _Layer:
        return cls(np.concatenate([layer.rows for layer in layers]),
                   np.concatenate([layer.parents for layer in layers]),
                   np.concatenate([layer.joints for layer in layers]))


def explore(game: Game, budget: Budget) -> Explored:
    """As many states as the budget allows, the nearest first."""
    circuit, reasoner, initial = game.circuit, game.reasoner, game.initial.position
    assert isinstance(reasoner, Simulates)
    core = reasoner.simulator(initial)
    layer = _Layer(np.array(reasoner.row(initial))[None, :], np.full(1, -1, dtype=np.int32),
                   np.zeros((1, len(circuit.roles)), dtype=np.uint32))
    most = min(_MOST_STATES, _MOST_BYTES // max(1, len(circuit.fluents)))
    layers = [layer]
    known = _Known(layer.rows)
    found = 1
    # A layer that there is no room for is left out.
    with suppress(BudgetExceeded, MemoryError):
        while len(layer.rows) and found <= most:
            layer = _following(core, circuit, layer, found - len(layer.rows), known, budget, 4 * most - found)
            known.add(layer.rows)
            layers.append(layer)
            found += len(layer.rows)
    return _explored(layers, circuit, is_complete=not len(layers[-1].rows))


def _following(core: Simulator, circuit: Circuit, layer: _Layer, first: int, known: _Known, budget: Budget,
               most: int) -> _Layer:
    """The states that follow a layer, whose first state has the number `first`, and are not known.

    Raises BudgetExceeded, also if more than `most` states had to be kept.
    """
    parts = [layer.only(np.zeros(0, dtype=np.intp))]
    kept = 0
    for start, which, joint, after in _steps(core, circuit, layer.rows, budget):
        part = _Layer(after, (first + start + which).astype(np.int32), joint)
        parts.append(part.only(known.new(after)))
        kept += len(parts[-1].rows)
        if kept > most:
            raise BudgetExceeded("there are too many states")
    layer = _Layer.together(parts)
    return layer.only(known.new(layer.rows))


#: From some states on, the first of which has a number: for each of many steps the state that it is made from, counted
#: from there, its joint move, and the state that it leads to.
Steps = tuple[int, NDArray[np.intp], NDArray[np.uint32], NDArray[np.uint64]]


def transitions(game: Game, explored: Explored, budget: Budget) -> Iterator[Steps]:
    """All steps from states that were explored. Raises BudgetExceeded."""
    assert isinstance(game.reasoner, Simulates)
    return _steps(game.reasoner.simulator(game.initial.position), game.circuit, explored.rows, budget)


def _steps(core: Simulator, circuit: Circuit, rows: NDArray[np.uint64], budget: Budget) -> Iterator[Steps]:
    states_at_once = _at_once(_STATES, max(rows.itemsize * rows.shape[1], sum(map(len, circuit.moves))))
    at_once = _at_once(_SUCCESSORS, rows.itemsize * rows.shape[1])
    for start in range(0, len(rows), states_at_once):
        budget.check(states_at_once * _A_STATE)
        states = rows[start : start + states_at_once]
        ended, legal = core.terminal_and_legal(states)
        for which, joint in joint_moves(ended.astype(bool), legal, circuit, at_once):
            budget.check(len(which) * _A_STATE)
            yield start, which, joint, core.step(np.ascontiguousarray(states[which]), joint)


def _at_once(most: int, size: int) -> int:
    """How many things of a size in bytes are dealt with at once."""
    return max(1, min(most, _BYTES_AT_ONCE // max(1, size)))


def _explored(layers: Sequence[_Layer], circuit: Circuit, *, is_complete: bool) -> Explored:
    every = _Layer.together(layers)
    return Explored(every.rows, every.parents, every.joints, circuit.moves, is_complete)


class _Known:
    """Rows that were met with, found by a hash and then compared: two rows with one hash are never confused."""

    def __init__(self, rows: NDArray[np.uint64]) -> None:
        random = Random(1)
        # Odd numbers.
        self._factors = [random.getrandbits(63) * 2 + 1 for _ in range(rows.shape[1])]
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._rows = rows[:0]
        self.add(rows)

    def add(self, rows: NDArray[np.uint64]) -> None:
        hashes = np.concatenate([self._hashes, self._hash(rows)])
        order = np.argsort(hashes)
        self._hashes, self._rows = hashes[order], np.concatenate([self._rows, rows])[order]

    def new(self, rows: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The first of every row that is not known. A row that shares its hash with another counts as new."""
        hashes, firsts, inverse = np.unique(self._hash(rows), return_index=True, return_inverse=True)
        places = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        is_known = (self._rows[places] == rows[firsts]).all(axis=1)
        collides = (rows[firsts[inverse.reshape(-1)]] != rows).any(axis=1)
        return np.sort(np.concatenate([firsts[~is_known], np.flatnonzero(collides)]))

    def _hash(self, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
        hashes = np.zeros(len(rows), dtype=np.uint64)
        for word in range(rows.shape[1]):
            hashes = (hashes ^ rows[:, word]) * np.uint64(self._factors[word])
            hashes ^= hashes >> np.uint64(29)
        return hashes


def joint_moves(ended: NDArray[np.bool_], legal: NDArray[np.uint64], circuit: Circuit,
                at_once: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.uint32]]]:
    """All joint moves of states that go on, with the numbers of the states, no more than `at_once` in a part.

    Raises BudgetExceeded if they cannot be counted to the end.
    """
    bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")
    bits[ended] = 0
    # For every role the moves of all states, one after the other; where those of a state start; how many they are.
    moves, starts, counts = [], [], []
    end = 0
    for of_role in circuit.moves:
        states, numbers = np.nonzero(bits[:, end : end + len(of_role)])
        end += len(of_role)
        moves.append(numbers.astype(np.uint32))
        counts.append(np.bincount(states, minlength=len(bits)))
        starts.append(np.cumsum(counts[-1]) - counts[-1])
    # As floats: the products may be larger than any integer of the machine, and even than any float.
    with np.errstate(over="ignore"):
        joint_moves = np.prod(counts, axis=0, dtype=np.float64).sum()
    if joint_moves > _MOST_JOINT_MOVES:
        raise BudgetExceeded("there are too many joint moves")
    totals = np.prod(counts, axis=0)
    ends = np.cumsum(totals)
    for at in range(0, int(ends[-1]), at_once):
        index = np.arange(at, min(at + at_once, int(ends[-1])))
        which = np.searchsorted(ends, index, side="right")
        # Which of its state's joint moves it is, a number whose digits are the moves of the roles.
        rest = index - (ends - totals)[which]
        joint = np.empty((len(index), len(moves)), dtype=np.uint32)
        for role in reversed(range(len(moves))):
            rest, digit = np.divmod(rest, counts[role][which])
            joint[:, role] = moves[role][starts[role][which] + digit]
        yield which, joint
