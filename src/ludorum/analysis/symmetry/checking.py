"""Trying symmetries on an engine: random games and their images must take the same course."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludorum._core import Simulator
from ludorum.analysis.symmetry.symmetry import Symmetry
from ludorum.engines.abilities import Simulates
from ludorum.game import Game


def agrees(game: Game, symmetry: Symmetry, *, walks: int = 16, steps: int = 32, seed: int = 0) -> bool:
    """Whether the images of the states of random games have the images of their moves, ends, goals and successors.

    Requires: the engine has a part in the core, and the game's fluents are known.
    """
    reasoner = game.reasoner
    assert isinstance(reasoner, Simulates)
    trial = _Trial(reasoner.simulator(), symmetry, [len(moves) for moves in reasoner.moves])
    random = np.random.default_rng(seed)
    rows = np.repeat(reasoner.row(game.initial.position)[None, :], walks, axis=0)
    for _ in range(steps):
        if not trial.looks_alike(rows):
            return False
        rows = trial.step(rows, random)
        if not len(rows):
            break
        if not trial.stepped_alike:
            return False
    return True


class _Trial:
    def __init__(self, simulator: Simulator, symmetry: Symmetry, sizes: list[int]) -> None:
        self._simulator = simulator
        self._symmetry = symmetry
        self._starts = np.concatenate(([0], np.cumsum(sizes)))
        self._moves = np.concatenate([np.asarray(images, dtype=np.int64) + self._starts[symmetry.roles[role]]
                                      for role, images in enumerate(symmetry.moves)])
        self._fluents = np.asarray(symmetry.fluents, dtype=np.int64)
        self._roles = np.asarray(symmetry.roles)
        self.stepped_alike = True

    def looks_alike(self, rows: NDArray[np.uint64]) -> bool:
        others = _images(rows, self._fluents)
        terminal, legal = self._simulator.terminal_and_legal(rows)
        ended, allowed = self._simulator.terminal_and_legal(others)
        going = terminal == 0
        return bool((terminal == ended).all()
                    and (_images(legal, self._moves)[going] == allowed[going]).all()
                    and (self._simulator.goals(rows) == self._simulator.goals(others)[:, self._roles]).all())

    def step(self, rows: NDArray[np.uint64], random: np.random.Generator) -> NDArray[np.uint64]:
        """Successors by random moves of those games that go on; notes whether their images step alike."""
        terminal, legal = self._simulator.terminal_and_legal(rows)
        bits = _bits(legal)[:, : self._starts[-1]]
        joint = np.zeros((len(rows), len(self._roles)), dtype=np.uint32)
        goes_on = terminal == 0
        for role, (start, end) in enumerate(zip(self._starts, self._starts[1:], strict=False)):
            # The largest of random numbers is anywhere among the legal moves.
            chosen = np.argmax(bits[:, start:end] * random.random((len(rows), end - start)), axis=1)
            goes_on &= bits[:, start:end].any(axis=1)
            joint[:, role] = chosen
        rows, joint = np.ascontiguousarray(rows[goes_on]), joint[goes_on]
        if not len(rows):
            return rows
        images = np.zeros_like(joint)
        for role, image in enumerate(self._roles):
            images[:, image] = np.asarray(self._symmetry.moves[role], dtype=np.uint32)[joint[:, role]]
        after = self._simulator.step(rows, joint)
        others = self._simulator.step(_images(rows, self._fluents), images)
        self.stepped_alike = bool((_images(after, self._fluents) == others).all())
        return after


def _bits(rows: NDArray[np.uint64]) -> NDArray[np.uint8]:
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")


def _images(rows: NDArray[np.uint64], permutation: NDArray[np.int64]) -> NDArray[np.uint64]:
    bits = _bits(rows)
    images = np.zeros_like(bits)
    images[:, permutation] = bits[:, : len(permutation)]
    return np.packbits(images, axis=1, bitorder="little").view(np.uint64)
