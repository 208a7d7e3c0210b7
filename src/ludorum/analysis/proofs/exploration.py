"""All states of a game, layer by layer, where they are few enough: then nothing is left to prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.budget import Budget
from ludorum.circuit import Circuit
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.reason.circuit import CircuitReasoner

#: Rows of bits, a byte each when they are looked at, stay below this.
_MOST_BYTES = 512 * 2**20
_MOST_STATES = 3_000_000
# So many states are looked at, and so many successors made, at a time.
_STATES, _SUCCESSORS = 1 << 12, 1 << 17


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
        path = []
        while self.parents[index] >= 0:
            path.append(tuple(Move(moves[number])
                              for moves, number in zip(self.moves, self.joints[index], strict=True)))
            index = int(self.parents[index])
        return tuple(reversed(path))


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


def explore(reasoner: CircuitReasoner, budget: Budget) -> Explored:
    """As many states as the budget allows, the nearest first."""
    circuit = reasoner.circuit
    core = reasoner.simulator(reasoner.initial)
    layer = _Layer(np.array(reasoner.row(reasoner.initial))[None, :], np.full(1, -1, dtype=np.int32),
                   np.zeros((1, len(circuit.roles)), dtype=np.uint32))
    most = min(_MOST_STATES, _MOST_BYTES // max(1, len(circuit.fluents)))
    layers = [layer]
    known = _Known(layer.rows)
    found, first = 1, 0
    while len(layer.rows) and found <= most and not budget.deadline.passed:
        parts = [layer.only(np.zeros(0, dtype=np.intp))]
        for start in range(0, len(layer.rows), _STATES):
            states = layer.rows[start : start + _STATES]
            ended, legal = core.look(states)
            for which, joint in _joint_moves(ended.astype(bool), legal, circuit):
                after = core.step(np.ascontiguousarray(states[which]), joint)
                part = _Layer(after, (first + start + which).astype(np.int32), joint)
                parts.append(part.only(known.new(after)))
            if budget.deadline.passed or found + sum(len(part.rows) for part in parts) > 4 * most:
                return _explored(layers, circuit, is_complete=False)
        first += len(layer.rows)
        layer = _Layer.together(parts)
        layer = layer.only(known.new(layer.rows))
        known.add(layer.rows)
        layers.append(layer)
        found += len(layer.rows)
    return _explored(layers, circuit, is_complete=not len(layer.rows))


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


def _joint_moves(ended: NDArray[np.bool_], legal: NDArray[np.uint64],
                 circuit: Circuit) -> list[tuple[NDArray[np.intp], NDArray[np.uint32]]]:
    """All joint moves of states that go on, with the numbers of the states, in parts that are not too large."""
    bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")
    bits[ended] = 0
    which = np.flatnonzero(~ended)
    joint = np.zeros((len(which), 0), dtype=np.uint32)
    end = 0
    for of_role in circuit.moves:
        states, numbers = np.nonzero(bits[:, end : end + len(of_role)])
        end += len(of_role)
        counts = np.bincount(states, minlength=len(bits))
        starts = np.cumsum(counts) - counts
        times = counts[which]
        # For every joint move so far the moves of this role, one after the other.
        offsets = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        chosen = numbers[np.repeat(starts[which], times) + offsets].astype(np.uint32)
        joint = np.column_stack([np.repeat(joint, times, axis=0), chosen]).astype(np.uint32)
        which = np.repeat(which, times)
    return [(which[at : at + _SUCCESSORS], np.ascontiguousarray(joint[at : at + _SUCCESSORS]))
            for at in range(0, len(which), _SUCCESSORS)]
