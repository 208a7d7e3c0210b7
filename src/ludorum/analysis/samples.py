"""States that a game can reach, as random play finds them: a row of bits a state.

What does not hold in all of them is refuted, and the path to a state is a witness. What holds in all of them is a
hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Deadline
from ludorum.errors import TooLarge, TooSlow
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.move import Move
from ludorum.reason.abilities import Simulates
from ludorum.reason.protocol import Position, Reasoner

#: How many states are found unless another number is asked for, and how long that may take.
STATES = 100_000
SECONDS = 2.0

# More games side by side are faster, fewer get further: with so many, a hundred thousand states go 200 moves deep.
_GAMES = 512
# The bits of all states, a byte each; games of many fluents get fewer states.
_MOST_BYTES = 256 * 2**20
# A multiple of 8.
_BLOCK = 512


@dataclass(frozen=True, eq=False)
class Samples:
    """Reachable states, the initial one first; each of the others came from an earlier one by a joint move."""

    #: What the bits of a row say: every fluent that the game knows, or all that were met with.
    fluents: tuple[Term, ...]
    #: uint64 [states, words]: bit f % 64 of word f // 64 is the truth of fluent f.
    rows: NDArray[np.uint64]
    #: bool [states]
    terminal: NDArray[np.bool_]
    #: int32 [states, roles]: how many legal moves each role has; it says nothing of ends, the last state included.
    choices: NDArray[np.int32]
    #: int32 [states]: how many joint moves were made before.
    steps: NDArray[np.int32]
    #: int32 [states]: the state that each came from, −1 for the initial one.
    parents: NDArray[np.int32]
    #: uint32 [states, roles]: the joint move that led from there, as numbers into `moves`.
    joints: NDArray[np.uint32]
    #: For every role its moves.
    moves: tuple[tuple[Term, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def bits(self) -> NDArray[np.uint8]:
        """uint8 [states, fluents]: 0 and 1."""
        return np.unpackbits(self.rows.view(np.uint8), axis=1, bitorder="little", count=len(self.fluents))

    @cached_property
    def columns(self) -> NDArray[np.uint64]:
        """uint64 [fluents, words]: bit s % 64 of word s // 64 is the truth of the fluent in state s."""
        columns = np.zeros((len(self.fluents), 8 * -(-len(self) // 64)), dtype=np.uint8)
        # In blocks that stay in the cache while they are turned round: ten times faster than at once.
        for start in range(0, len(self), _BLOCK):
            block = np.ascontiguousarray(self.bits[start : start + _BLOCK].T)
            packed = np.packbits(block, axis=1, bitorder="little")
            columns[:, start // 8 : start // 8 + packed.shape[1]] = packed
        return columns.view(np.uint64)

    @cached_property
    def numbers(self) -> dict[Term, int]:
        """The column of every fluent."""
        return {fluent: number for number, fluent in enumerate(self.fluents)}

    def state(self, index: int) -> frozenset[Term]:
        """The fluents that hold in one of the states."""
        return frozenset(self.fluents[number] for number in np.flatnonzero(self.bits[index]))

    def path(self, index: int) -> tuple[tuple[Move, ...], ...]:
        """The joint moves that lead from the initial state to this one, as `Game.replay` takes them."""
        return path(index, self.parents, self.joints, self.moves)

    def __str__(self) -> str:
        count, fluents = len(self), len(self.fluents)
        return (f"{count} {agree(count, 'state')} of {fluents} {agree(fluents, 'fluent')}, "
                f"{int(self.terminal.sum())} of them terminal")


def path(index: int, parents: NDArray[np.int32], joints: NDArray[np.uint32],
         moves: Sequence[Sequence[Term]]) -> tuple[tuple[Move, ...], ...]:
    """The joint moves to a state, where for every state the one that it came from and the joint move are known."""
    found = []
    while parents[index] >= 0:
        found.append(tuple(Move(of_role[number]) for of_role, number in zip(moves, joints[index], strict=True)))
        index = int(parents[index])
    return tuple(reversed(found))


def samples(game: Game, n: int = STATES, *, seed: int = 0, seconds: float = SECONDS) -> Samples:
    """About n reachable states of a game, found by random play; fewer where that takes longer than `seconds`.

    The same seed gives the same states if the time suffices. A game remembers its samples.
    """
    if n < 1:
        raise ValueError("there cannot be fewer samples than 1")

    def find() -> Samples:
        deadline = Deadline.within(seconds)
        if isinstance(game.reasoner, Simulates) and game.fluents is not None:
            return _side_by_side(game, n, seed, deadline)
        return _one_by_one(game.reasoner, n, seed, deadline)

    return game.remembered(("samples", n, seed), find)


def _side_by_side(game: Game, n: int, seed: int, deadline: Deadline) -> Samples:
    """Many games at once, each started again when it is over."""
    reasoner = game.reasoner
    assert isinstance(reasoner, Simulates)
    assert game.fluents is not None
    core, moves = reasoner.simulator(reasoner.initial), reasoner.moves
    first = reasoner.row(reasoner.initial)
    n = min(n, max(1, _MOST_BYTES // max(1, len(game.fluents))))
    games = max(1, min(_GAMES, n // 16))
    random = np.random.default_rng(seed)

    rows, parents, steps = [first[None, :]], [np.full(1, -1, dtype=np.int32)], [np.zeros(1, dtype=np.int32)]
    joints = [np.zeros((1, len(moves)), dtype=np.uint32)]
    start_terminal, start_legal = core.look(first[None, :])
    terminal, choices = [start_terminal.astype(bool)], [_choose(start_legal, moves, random)[1]]
    is_over = bool(start_terminal[0]) or not choices[0].all()
    states, here, step = np.tile(first, (games, 1)), np.zeros(games, dtype=np.int32), np.zeros(games, dtype=np.int32)
    joint = _choose(np.tile(start_legal, (games, 1)), moves, random)[0]
    found = 1
    while found < n and not is_over and not (found > 1 and deadline.passed):
        parents.append(here)
        joints.append(joint)
        rows.append(core.step(states, joint))
        steps.append(step + 1)
        looked, legal = core.look(rows[-1])
        joint, counts = _choose(legal, moves, random)
        terminal.append(looked.astype(bool))
        choices.append(counts)
        states, step = rows[-1].copy(), step + 1
        here = np.arange(found, found + games, dtype=np.int32)
        found += games
        over = np.flatnonzero(terminal[-1] | (counts == 0).any(axis=1))
        if len(over):
            states[over], here[over], step[over] = first, 0, 0
            joint[over] = _choose(np.tile(start_legal, (len(over), 1)), moves, random)[0]
    return Samples(game.fluents, np.concatenate(rows), np.concatenate(terminal), np.concatenate(choices),
                   np.concatenate(steps), np.concatenate(parents), np.concatenate(joints), moves)


def _choose(legal: NDArray[np.uint64], moves: Sequence[Sequence[Term]],
            random: np.random.Generator) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """A random legal move of every role in every game, and how many it could choose from."""
    games = len(legal)
    bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")
    joint = np.zeros((games, len(moves)), dtype=np.uint32)
    choices = np.zeros((games, len(moves)), dtype=np.int32)
    end = 0
    for role, of_role in enumerate(moves):
        which, numbers = np.nonzero(bits[:, end : end + len(of_role)])
        end += len(of_role)
        counts = np.bincount(which, minlength=games)
        choices[:, role] = counts
        if len(numbers):
            chosen = np.cumsum(counts) - counts + (random.random(games) * counts).astype(np.int64)
            joint[:, role] = numbers[np.minimum(chosen, len(numbers) - 1)]
    return joint, choices


def _one_by_one(reasoner: Reasoner, n: int, seed: int, deadline: Deadline) -> Samples:
    """One game after the other, by the questions that every engine answers."""
    random = Random(seed)
    states: list[frozenset[Term]] = []
    terminal: list[bool] = []
    parents: list[int] = []
    joints: list[list[int]] = []
    choices: list[list[int]] = []
    steps: list[int] = []
    moves: list[dict[Term, int]] = [{} for _ in reasoner.roles]

    def meet(position: Position, parent: int, joint: list[int]) -> None:
        states.append(reasoner.fluents(position))
        terminal.append(reasoner.is_terminal(position))
        parents.append(parent)
        joints.append(joint)
        choices.append([0] * len(moves))
        steps.append(0 if parent < 0 else steps[parent] + 1)

    meet(reasoner.initial, -1, [0] * len(moves))
    position, here = reasoner.initial, 0
    while len(states) < n and not deadline.passed:
        try:
            legal = () if terminal[here] else reasoner.legal(position)
            choices[here] = [len(of_role) for of_role in legal] or choices[here]
            if not legal or not all(legal):
                if here == 0:
                    break
                position, here = reasoner.initial, 0
                continue
            joint = [random.choice(of_role) for of_role in legal]
            position = reasoner.after(position, joint)
            meet(position, here, [known.setdefault(move, len(known)) for known, move in zip(moves, joint, strict=True)])
            here = len(states) - 1
        except (TooSlow, TooLarge):
            break
    fluents = tuple(sorted(frozenset().union(*states), key=str))
    numbers = {fluent: number for number, fluent in enumerate(fluents)}
    bits = np.zeros((len(states), (len(fluents) + 63) // 64 * 64), dtype=np.uint8)
    for index, state in enumerate(states):
        bits[index, [numbers[fluent] for fluent in state]] = 1
    return Samples(fluents, np.packbits(bits, axis=1, bitorder="little").view(np.uint64), np.array(terminal),
                   np.array(choices, dtype=np.int32), np.array(steps, dtype=np.int32),
                   np.array(parents, dtype=np.int32), np.array(joints, dtype=np.uint32),
                   tuple(tuple(known) for known in moves))
