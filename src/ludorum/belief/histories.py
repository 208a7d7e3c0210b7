"""Whole matches that agree with what a role has done and been told, drawn one by one.

In the literature: the hypergames of HyperPlay (Schofield, Cerexhe, Thielscher 2012), each weighted by its choice
factors: how many of the choices on its way would have agreed as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.engines.abilities import Simulates
from ludorum.errors import NoSimulator
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.move import Move

# So many joint moves of a state are looked at, and so many states on the way to one match.
_MOST_JOINTS, _MOST_STATES = 100_000, 20_000


@dataclass(frozen=True, slots=True)
class Hypergame:
    """A match up to now: its joint moves as numbers, its states as rows, what all were told, and its weight."""

    joints: tuple[tuple[int, ...], ...]
    rows: tuple[NDArray[np.uint64], ...]
    percepts: tuple[NDArray[np.uint64], ...]
    weight: float


class Histories:
    """Draws matches that agree with what a role knows. Raises NoSimulator where the engine has no part in the core."""

    def __init__(self, game: Game, role: str, *, seed: int | None = None) -> None:
        if not isinstance(game.reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine has no part in the core to draw matches with")
        self._reasoner = game.reasoner
        self._seat = game.roles.index(game.role(role))
        self._simulator = game.reasoner.simulator(game.initial.position)
        self._initial = game.reasoner.row(game.initial.position)
        self._random = random.Random(seed)
        own = np.array(self._simulator.percept_roles, dtype=np.int64) == self._seat
        bits = np.zeros(64 * max(1, -(-len(own) // 64)), dtype=np.uint8)
        bits[: len(own)] = own
        self._mask = np.packbits(bits, bitorder="little").view(np.uint64)[: -(-len(own) // 64)]

    def draw(self, history: Sequence[tuple[Move, frozenset[Term]]]) -> Hypergame | None:
        """A match that agrees with the role's moves and percepts; None if none was found.

        In depth first, with choices in any order; where one leads to nothing that agrees, another is tried.
        """
        told: list[tuple[int, NDArray[np.uint64]]] = []
        for move, percepts in history:
            number = self._reasoner.move_number(self._seat, move.term)
            row = self._reasoner.percept_row(self._seat, percepts)
            if number is None or row is None:
                return None
            told.append((number, row))
        rows, percept_rows = [self._initial], list[NDArray[np.uint64]]()
        joints, factors = list[tuple[int, ...]](), list[float]()
        choices: list[Iterator[tuple[tuple[int, ...], NDArray[np.uint64], NDArray[np.uint64], float]]] = []
        for _ in range(_MOST_STATES):
            if len(joints) == len(told):
                return Hypergame(tuple(joints), tuple(rows), tuple(percept_rows), float(np.prod(factors or [1.0])))
            if len(choices) == len(joints):
                choices.append(self._choices(rows[-1], *told[len(joints)]))
            found = next(choices[-1], None)
            if found is not None:
                joint, row, percept_row, factor = found
                joints.append(joint)
                rows.append(row)
                percept_rows.append(percept_row)
                factors.append(factor)
                continue
            choices.pop()
            if not choices:
                return None
            joints.pop()
            rows.pop()
            percept_rows.pop()
            factors.pop()
        return None

    def _choices(self, row: NDArray[np.uint64], own: int, told: NDArray[np.uint64]) \
            -> Iterator[tuple[tuple[int, ...], NDArray[np.uint64], NDArray[np.uint64], float]]:
        """Joint moves that explain what was told, in any order, with where they lead and their share of all."""
        terminal, _ = self._simulator.terminal_and_legal(row.reshape(1, -1))
        if terminal[0]:
            return
        joints = self._simulator.joint_moves(row, _MOST_JOINTS)
        joints = np.ascontiguousarray(joints[joints[:, self._seat] == own])
        if not len(joints):
            return
        states = np.repeat(row.reshape(1, -1), len(joints), axis=0)
        percepts = self._simulator.percepts(states, joints)
        kept = np.flatnonzero(((percepts & self._mask) == (told & self._mask)).all(axis=1))
        if not len(kept):
            return
        joints, percepts = np.ascontiguousarray(joints[kept]), percepts[kept]
        later = self._simulator.step(states[: len(kept)], joints)
        share = len(kept) / len(states)
        for number in self._random.sample(range(len(kept)), len(kept)):
            yield tuple(map(int, joints[number])), later[number], percepts[number], share
