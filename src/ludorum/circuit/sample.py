"""Random play on a circuit, for what passes want to know of the game before they prove or use it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.circuit.circuit import Circuit
from ludorum.circuit.core import simulator


@dataclass(frozen=True, slots=True)
class Step:
    """Some games at the same step of their lives, or started again after their ends."""

    #: uint64 [games, words]: rows of fluent bits.
    states: NDArray[np.uint64]
    #: bool [games]: those that are over, terminal or stuck; they start again in the next step.
    over: NDArray[np.bool_]
    #: For every role int [games]: how many legal moves it has.
    choices: tuple[NDArray[np.int64], ...]


def random_play(circuit: Circuit, games: int, steps: int) -> Iterator[Step]:
    """Plays games side by side from the initial state; the same circuit gives the same games."""
    core = simulator(circuit)
    random = np.random.default_rng(1)
    start = np.zeros((len(circuit.fluents) + 63) // 64 * 64, dtype=np.uint8)
    start[list(circuit.initial)] = 1
    first = np.packbits(start, bitorder="little").view(np.uint64)
    states = np.tile(first, (games, 1))
    ends = np.cumsum([len(of_role) for of_role in circuit.moves])
    for _ in range(steps):
        terminal, legal = core.look(states)
        bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")
        joint = np.zeros((games, len(ends)), dtype=np.uint32)
        over = terminal.astype(bool)
        choices = []
        for role, (end, of_role) in enumerate(zip(ends, circuit.moves, strict=True)):
            may = bits[:, end - len(of_role) : end]
            choices.append(may.sum(axis=1, dtype=np.int64))
            over |= choices[-1] == 0
            # The largest of random numbers is at a random legal move.
            if of_role:
                joint[:, role] = np.argmax(may * (1 + random.random(may.shape)), axis=1)
        yield Step(states.copy(), over, tuple(choices))
        going = np.flatnonzero(~over)
        states[over] = first
        if len(going):
            states[going] = core.step(states[going], np.ascontiguousarray(joint[going]))
