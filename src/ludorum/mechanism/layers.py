"""All matches of a game turn by turn, many states at once; states that come to the same are one.

Chances are exact: every state has a whole number of parts, of as many as all have together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, prod

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Simulator
from ludorum.circuit.circuit import Circuit
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.errors import NoSimulator, TooLarge
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.move import Move

#: So many states may stand side by side.
MOST_LANES = 4_000_000
# Numbers of parts beyond this do not fit.
_MOST_PARTS = 1 << 52
# The work of a state in a turn.
_A_LANE = 4e-7


@dataclass(frozen=True, eq=False)
class Layer:
    """States side by side, each with where it came from."""

    rows: NDArray[np.uint64]
    #: Of how many matches out of `whole` a state is, as far as chance goes.
    parts: NDArray[np.int64]
    whole: int
    #: The state of the layer before, and the joint move that led here; nothing in the first.
    parents: NDArray[np.int64]
    joints: NDArray[np.uint32]
    #: What must be kept apart beside states: for every state a number.
    labels: NDArray[np.int64]


class Layers:
    """A game whose matches are followed turn by turn."""

    def __init__(self, game: Game, budget: Budget, *, most: int = MOST_LANES) -> None:
        if not isinstance(game.reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine has no part in the core to follow {game.name} with")
        self.game, self.budget, self.most = game, budget, most
        self.chance = game.roles.index(RANDOM) if RANDOM in game.roles else None
        initial = game.initial.position
        self.simulator: Simulator = game.reasoner.simulator(initial)
        self._terms = game.reasoner.moves
        self._ends = np.cumsum(self.simulator.move_counts).tolist()
        row = game.reasoner.row(initial).reshape(1, -1)
        self.history = [Layer(row, np.ones(1, np.int64), 1, np.zeros(1, np.int64),
                              np.zeros((1, len(game.roles)), np.uint32), np.zeros(1, np.int64))]

    @property
    def last(self) -> Layer:
        return self.history[-1]

    def looked(self) -> tuple[NDArray[np.bool_], list[NDArray[np.bool_]]]:
        """Which states are terminal, and for every role its legal moves: bool [states, moves]."""
        terminal, bits = self.simulator.terminal_and_legal(np.ascontiguousarray(self.last.rows))
        legal = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little").view(bool)
        return terminal.astype(bool), [legal[:, end - count:end]
                                       for count, end in zip(self.simulator.move_counts, self._ends, strict=True)]

    def expand(self, going: NDArray[np.bool_], legal: list[NDArray[np.bool_]], fastest: int | None = None) -> Layer:
        """All joint moves in these states, in the order of states; of the moves those of one role change fastest."""
        order = [role for role in range(len(legal)) if role != fastest] + ([] if fastest is None else [fastest])
        lanes = np.flatnonzero(going)
        counts = [legal[role][lanes].sum(axis=1).astype(np.int64) for role in range(len(legal))]
        ways = prod(counts)
        total = int(np.sum(ways)) if len(lanes) else 0
        # What is not done is no work: a solver may do with all that is left.
        if total > self.most:
            raise TooLarge(f"{self.game.name} has {total} states in turn {len(self.history)}")
        self.budget.check(_A_LANE * total)
        chance = np.ones(1, np.int64) if self.chance is None else np.unique(counts[self.chance])
        factor = lcm(*chance.tolist()) if len(chance) else 1
        whole = self.last.whole * factor
        if whole > _MOST_PARTS:
            raise TooLarge(f"the chances of {self.game.name} are too fine to count")
        parents = np.repeat(np.arange(len(lanes)), ways)
        place = np.arange(total) - np.repeat(np.cumsum(ways) - ways, ways)
        joint = np.zeros((total, len(legal)), np.uint32)
        for role in reversed(order):
            digit = place % counts[role][parents]
            place = place // counts[role][parents]
            chosen = legal[role][lanes]
            starts = np.cumsum(counts[role]) - counts[role]
            joint[:, role] = np.nonzero(chosen)[1][starts[parents] + digit]
        parts = self.last.parts[lanes][parents] * (
            factor if self.chance is None else factor // counts[self.chance][parents])
        sources = lanes[parents]
        rows = self.simulator.step(np.ascontiguousarray(self.last.rows[sources]), joint) if total else \
            self.last.rows[:0]
        return Layer(rows, parts, whole, sources, joint, self.last.labels[sources])

    def told(self, layer: Layer, role: int) -> NDArray[np.int64]:
        """A number for what a role has been told in the last turn, the same for the same."""
        if not len(layer.rows):
            return np.zeros(0, np.int64)
        bits = self.simulator.percepts(np.ascontiguousarray(self.last.rows[layer.parents]), layer.joints)
        heard = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
        mine = [number for number, of_role in enumerate(self.simulator.percept_roles) if of_role == role]
        return _numbered(np.ascontiguousarray(np.packbits(heard[:, mine], axis=1)) if mine else
                         np.zeros((len(layer.rows), 1), np.uint8))

    def go_on(self, layer: Layer, mask: NDArray[np.uint64] | None = None) -> None:
        """Make a layer the last, where states with the same label that differ in nothing of a mask are one."""
        kept = layer.rows if mask is None else layer.rows & mask
        keys = np.concatenate([kept.view(np.int64), layer.labels[:, None]], axis=1)
        numbers = _numbered(keys)
        _, firsts = np.unique(numbers, return_index=True)
        parts = np.zeros(len(firsts), np.int64)
        np.add.at(parts, numbers, layer.parts)
        self.history.append(Layer(layer.rows[firsts], parts, layer.whole, layer.parents[firsts], layer.joints[firsts],
                                  layer.labels[firsts]))

    def match(self, lane: int, depth: int | None = None) -> tuple[tuple[Move, ...], ...]:
        """The joint moves that lead to a state of a layer, the last if none is named."""
        made = []
        for layer in reversed(self.history[1:len(self.history) if depth is None else depth + 1]):
            made.append(tuple(Move(self._terms[role][number]) for role, number in enumerate(layer.joints[lane])))
            lane = int(layer.parents[lane])
        return tuple(reversed(made))


def _numbered(keys: NDArray[np.generic]) -> NDArray[np.int64]:
    """For every row a number, the same for rows that are the same, in the order of their first ones."""
    if not len(keys):
        return np.zeros(0, np.int64)
    flat = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).reshape(-1)
    _, firsts, numbers = np.unique(flat, return_index=True, return_inverse=True)
    rank = np.empty(len(firsts), np.int64)
    rank[np.argsort(firsts, kind="stable")] = np.arange(len(firsts))
    return np.asarray(rank[numbers], dtype=np.int64)


def cone(circuit: Circuit, roots: list[int]) -> NDArray[np.uint64]:
    """The fluents, as a mask of rows, that literals depend on now or later, and what may be done with them."""
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    waiting = [literal >> 1 for literal in (*roots, circuit.terminal, *(may for role in circuit.legal for may in role))]
    reached = set(waiting)
    while waiting:
        wire = waiting.pop()
        if 0 < wire < circuit.first_move:
            inputs: tuple[int, ...] = (circuit.next[wire - 1],)
        else:
            inputs = (definitions[wire],) if wire in definitions else circuit.inputs_of(wire)
        for literal in inputs:
            if literal >> 1 not in reached:
                reached.add(literal >> 1)
                waiting.append(literal >> 1)
    words = (len(circuit.fluents) + 63) // 64
    bits = np.zeros(64 * words, np.uint8)
    bits[[wire - 1 for wire in reached if 0 < wire < circuit.first_move]] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)
