"""States that a game can reach, as random play finds them: a row of bits a state.

What does not hold in all of them is refuted, and the path to a state is a witness. What holds in all of them is a
hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.engines.protocol import Position, Reasoner
from ludorum.errors import TooLarge, TooSlow
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.move import Move

_Item = TypeVar("_Item", bound=np.generic)

#: How many states are found unless another number is asked for, and the most work that is done for them.
STATES = 100_000
WORK = 2.0

# More games side by side are faster, fewer get further: with so many, a hundred thousand states go 200 moves deep.
_GAMES = 512
# The bits of all states, a byte each; games of many fluents get fewer states.
_MOST_BYTES = 256 * 2**20
# A multiple of 8.
_BLOCK = 512
# The work of one state side by side with others: for itself, and for every move, fluent and gate input of the game.
_A_STATE, _A_MOVE, _A_FLUENT, _AN_INPUT = 5e-7, 6e-9, 2e-9, 5e-11
# And by itself, for every fluent that holds and every move that is legal there.
_A_FLUENT_ALONE, _A_MOVE_ALONE = 1e-5, 1e-4


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
    #: Whether there are as many as were asked for, or as many as the work allows; if not, the clock ended the search.
    is_complete: bool = True

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


def samples(game: Game, n: int = STATES, *, seed: int = 0, budget: Budget | None = None) -> Samples:
    """About n reachable states of a game, found by random play; fewer where they are more work than `WORK`.

    They depend on the game, the number and the seed, unless the deadline of the budget ends the search early. A game
    remembers its samples, and goes on where it stopped when more are asked for.
    """
    if n < 1:
        raise ValueError("there cannot be fewer samples than 1")
    budget = (budget or Budget()).fixed(WORK)

    def find(_: object) -> tuple[Samples, bool]:
        found = _play(game, n, seed).first(n, budget)
        return found, found.is_complete

    return game.findings.find(_SAMPLES.of(n, seed), budget, find)


class _Play(Protocol):
    """Random play that can go on where it stopped."""

    def first(self, n: int, budget: Budget) -> Samples:
        """The first n states, as far as the budget allows; they count as work whether they were known or not."""
        ...


_SAMPLES: Slot[Samples] = Slot("samples")
_PLAY: Slot[_Play] = Slot("random play")


def _play(game: Game, n: int, seed: int) -> _Play:
    if isinstance(game.reasoner, Simulates) and game.fluents is not None:
        games = max(1, min(_GAMES, n // 16, _MOST_BYTES // max(1, len(game.fluents)) // 16))
        return game.findings.find(_PLAY.of(games, seed), Budget(), lambda _: (_SideBySide(game, games, seed), True))
    return game.findings.find(_PLAY.of(seed), Budget(), lambda _: (_OneByOne(game.reasoner, seed), True))


class _SideBySide:
    """Many games at once, each started again when it is over."""

    def __init__(self, game: Game, games: int, seed: int) -> None:
        reasoner = game.reasoner
        assert isinstance(reasoner, Simulates)
        assert game.fluents is not None
        self._core, self._moves = reasoner.simulator(reasoner.initial), reasoner.moves
        self._fluents, self._games, self._random = game.fluents, games, np.random.default_rng(seed)
        inputs = game.circuit.inputs if game.engine == "circuit" else 0
        self._work = (_A_STATE + _A_MOVE * sum(map(len, self._moves)) + _A_FLUENT * len(game.fluents)
                      + _AN_INPUT * inputs)
        self._first = first = reasoner.row(reasoner.initial)
        self._rows, self._parents = [first[None, :]], [np.full(1, -1, dtype=np.int32)]
        self._steps, self._joints = [np.zeros(1, dtype=np.int32)], [np.zeros((1, len(self._moves)), dtype=np.uint32)]
        terminal, self._legal = self._core.terminal_and_legal(first[None, :])
        self._terminal, self._choices = [terminal.astype(bool)], [_choose(self._legal, self._moves, self._random)[1]]
        self._is_over = bool(terminal[0]) or not self._choices[0].all()
        self._states = np.tile(first, (games, 1))
        self._here, self._step = np.zeros(games, dtype=np.int32), np.zeros(games, dtype=np.int32)
        self._joint = self._begin(games)

    def first(self, n: int, budget: Budget) -> Samples:
        wanted = min(n, max(1, _MOST_BYTES // max(1, len(self._fluents))), max(1, int(budget.work / self._work)))
        # In whole rounds.
        wanted = 1 if self._is_over else 1 + -(-(wanted - 1) // self._games) * self._games
        found = 1 + (len(self._rows) - 1) * self._games
        while found < wanted and not (found > 1 and budget.is_late):
            self._round(found)
            found += self._games
        taken = min(found, wanted)
        budget.spend(self._work * taken)
        rounds = 1 + (taken - 1) // self._games

        def joined(parts: list[NDArray[_Item]]) -> NDArray[_Item]:
            return np.concatenate(parts[:rounds])

        return Samples(self._fluents, joined(self._rows), joined(self._terminal), joined(self._choices),
                       joined(self._steps), joined(self._parents), joined(self._joints), self._moves, taken == wanted)

    def _round(self, found: int) -> None:
        """One more step in every game."""
        self._parents.append(self._here)
        self._joints.append(self._joint)
        self._rows.append(self._core.step(self._states, self._joint))
        self._steps.append(self._step + 1)
        terminal, legal = self._core.terminal_and_legal(self._rows[-1])
        self._joint, counts = _choose(legal, self._moves, self._random)
        self._terminal.append(terminal.astype(bool))
        self._choices.append(counts)
        self._states, self._step = self._rows[-1].copy(), self._step + 1
        self._here = np.arange(found, found + self._games, dtype=np.int32)
        over = np.flatnonzero(self._terminal[-1] | (counts == 0).any(axis=1))
        if len(over):
            self._states[over], self._here[over], self._step[over] = self._first, 0, 0
            self._joint[over] = self._begin(len(over))

    def _begin(self, games: int) -> NDArray[np.uint32]:
        """First moves of so many games."""
        return _choose(np.tile(self._legal, (games, 1)), self._moves, self._random)[0]


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


class _OneByOne:
    """One game after the other, by the questions that every engine answers."""

    def __init__(self, reasoner: Reasoner, seed: int) -> None:
        self._reasoner, self._random = reasoner, Random(seed)
        self._states: list[frozenset[Term]] = []
        self._terminal: list[bool] = []
        self._parents: list[int] = []
        self._joints: list[list[int]] = []
        self._choices: list[list[int]] = []
        self._steps: list[int] = []
        #: The work that was done until each of the states was found.
        self._work: list[float] = []
        self._moves: list[dict[Term, int]] = [{} for _ in reasoner.roles]
        self._is_over = False
        self._meet(reasoner.initial, -1, [0] * len(self._moves), 0.0)
        self._position, self._here = reasoner.initial, 0

    def first(self, n: int, budget: Budget) -> Samples:
        most = budget.work
        while len(self._states) < n and self._work[-1] < most and not self._is_over and not budget.is_late:
            try:
                self._go_on()
            except (TooSlow, TooLarge):
                self._is_over = True
        affordable = 1 + sum(work < most for work in self._work[:-1])
        taken = min(n, len(self._states), affordable)
        budget.spend(self._work[taken - 1])
        return self._samples(taken, is_complete=taken == n or self._is_over or self._work[taken - 1] >= most)

    def _go_on(self) -> None:
        """One more state, or the beginning of another game."""
        reasoner, here = self._reasoner, self._here
        legal = () if self._terminal[here] else reasoner.legal(self._position)
        self._choices[here] = [len(of_role) for of_role in legal] or self._choices[here]
        if not legal or not all(legal):
            self._is_over = here == 0
            self._position, self._here = reasoner.initial, 0
            return
        joint = [self._random.choice(of_role) for of_role in legal]
        self._position = reasoner.after(self._position, joint)
        numbers = [known.setdefault(move, len(known)) for known, move in zip(self._moves, joint, strict=True)]
        self._meet(self._position, here, numbers, _A_MOVE_ALONE * sum(map(len, legal)))
        self._here = len(self._states) - 1

    def _meet(self, position: Position, parent: int, joint: list[int], work: float) -> None:
        fluents = self._reasoner.fluents(position)
        self._states.append(fluents)
        self._terminal.append(self._reasoner.is_terminal(position))
        self._parents.append(parent)
        self._joints.append(joint)
        self._choices.append([0] * len(self._moves))
        self._steps.append(0 if parent < 0 else self._steps[parent] + 1)
        self._work.append((self._work[-1] if self._work else 0.0) + work + _A_FLUENT_ALONE * len(fluents))

    def _samples(self, n: int, *, is_complete: bool) -> Samples:
        states = self._states[:n]
        fluents = tuple(sorted(frozenset().union(*states), key=str))
        numbers = {fluent: number for number, fluent in enumerate(fluents)}
        bits = np.zeros((n, (len(fluents) + 63) // 64 * 64), dtype=np.uint8)
        for index, state in enumerate(states):
            bits[index, [numbers[fluent] for fluent in state]] = 1
        choices = np.array(self._choices[:n], dtype=np.int32)
        # It is known only if somebody went on from there.
        choices[-1] = 0
        return Samples(fluents, np.packbits(bits, axis=1, bitorder="little").view(np.uint64),
                       np.array(self._terminal[:n]), choices, np.array(self._steps[:n], dtype=np.int32),
                       np.array(self._parents[:n], dtype=np.int32), np.array(self._joints[:n], dtype=np.uint32),
                       tuple(tuple(known) for known in self._moves), is_complete)
