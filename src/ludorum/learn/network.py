"""A net over fluents: in floats where it learns, in integers where it plays.

It begins as the weights of fluents: they are the way past the hidden layers, which say nothing yet. Fluents that the
symmetries of the game make of each other share their weights: the hidden neurons come in groups, one an element of the
group of symmetries, so that a state and its images are worth exactly the same.

In the literature: NNUE (Nasu 2018); weight sharing by a group (Cohen and Welling 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum._core import NetEvaluation

# The scales of integers: of neurons, of the second layer, of outputs.
_CUT, _SECOND, _OUT = 255.0, 256.0, 65536.0
_SHORT = 32767
# The slope of the logistic function at 1/2: points of 100 to logits.
_LOGITS_A_POINT = 0.04
# How far the first neurons are apart, and where they begin.
_SPREAD1, _START1, _SPREAD2 = 0.35, 0.3, 1.0
# A larger group leaves too few different neurons.
MAX_GROUP = 8


@dataclass(frozen=True)
class NetShape:
    """How large the parts of a net are; a row of parameters has them one after the other."""

    fluents: int
    roles: int
    #: One a role, or one in all where two roles divide 100 between them.
    outputs: int
    hidden1: int
    hidden2: int

    @property
    def sizes(self) -> tuple[int, ...]:
        return (self.fluents * self.hidden1, self.hidden1, self.hidden2 * self.hidden1, self.hidden2,
                self.outputs * self.hidden2, self.outputs, self.fluents * self.outputs)

    @property
    def size(self) -> int:
        return sum(self.sizes)

    def parts(self, row: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """columns, bias1, weights2, bias2, weights3, bias3, skip: views of the row."""
        return np.split(row, np.cumsum(self.sizes)[:-1])


@dataclass(frozen=True, eq=False)
class Network:
    """A net as a row of floats, and which fluents it looks at."""

    shape: NetShape
    #: float32 [shape.size]
    parameters: NDArray[np.float32]

    @classmethod
    def beginning(cls, shape: NetShape, inputs: NDArray[np.bool_], points: NDArray[np.float64],
                  start: NDArray[np.float64], held: float, group: Sequence[Sequence[int]], seed: int) -> Network:
        """One that says what the weights of fluents say: `points` [fluents, roles] and `start` [roles].

        `held` is how many of the inputs hold in a state on average.
        """
        random = np.random.default_rng([seed, 22])
        row = np.zeros(shape.size, dtype=np.float32)
        columns, bias1, weights2, _, _, bias3, skip = shape.parts(row)
        spread = _SPREAD1 / max(1.0, held) ** 0.5
        columns[:] = (random.normal(0, spread, (shape.fluents, shape.hidden1)) * inputs[:, None]).ravel()
        bias1[:] = _START1
        weights2[:] = random.normal(0, _SPREAD2 / shape.hidden1**0.5, weights2.shape)
        bias3[:] = _LOGITS_A_POINT * (start[: shape.outputs] - 50)
        skip[:] = (_LOGITS_A_POINT * points[:, : shape.outputs] * inputs[:, None]).ravel()
        tied = ties(shape, group)
        if tied is not None:
            counts = np.bincount(tied, minlength=shape.size)
            sums = np.bincount(tied, weights=row, minlength=shape.size)
            # Of what is tied one stands for all; but what says something by itself is the mean.
            first = sum(shape.sizes[:5])
            row[:first] = row[tied[:first]]
            row[first:] = (sums / np.maximum(1, counts))[tied[first:]]
        return cls(shape, row)

    def evaluation(self, instructions: str | None = None) -> NetEvaluation:
        """In integers, as the core plays it."""
        shape = self.shape
        columns, bias1, weights2, bias2, weights3, bias3, skip = shape.parts(self.parameters)

        def rounded(numbers: NDArray[np.float32], scale: float, most: int = _SHORT) -> NDArray[np.float64]:
            return np.clip(np.rint(numbers.astype(np.float64) * scale), -most, most)

        # What cannot pass 32 bits: a part of the range for each layer's sums.
        most2, most3 = 2**30 // (255 * shape.hidden1), 2**29 // (255 * shape.hidden2)
        most_skip = 2**29 // max(1, shape.fluents)
        return NetEvaluation(
            shape.fluents, shape.roles, shape.outputs, shape.hidden1, shape.hidden2,
            rounded(columns, _CUT).astype(np.int16), rounded(bias1, _CUT).astype(np.int16),
            rounded(weights2, _SECOND, min(_SHORT, most2)).astype(np.int16),
            rounded(bias2, _CUT * _SECOND, 2**29).astype(np.int32),
            rounded(weights3, _OUT / _CUT, min(_SHORT, most3)).astype(np.int16),
            rounded(bias3, _OUT, 2**28).astype(np.int32), rounded(skip, _OUT, most_skip).astype(np.int32),
            instructions)


def ties(shape: NetShape, group: Sequence[Sequence[int]]) -> NDArray[np.uint32] | None:
    """Of every parameter the first of those that are equal to it by symmetry; None where all are free.

    Element g of the group takes fluent f to `group[g][f]`, and neuron (b, k) to (b, g·k): a column of an image is the
    column of the fluent, with its neurons moved.
    """
    if len(group) < 2 or shape.hidden1 % len(group):
        return None
    size, order = shape.size, len(group)
    elements = {tuple(images): number for number, images in enumerate(group)}
    table = np.array([[elements[tuple(group[g][f] for f in group[k])] for k in range(order)] for g in range(order)])
    base = np.arange(shape.hidden1) // order * order
    numbers = np.arange(size, dtype=np.int64)
    columns, bias1, weights2, bias2, weights3, bias3, skip = np.split(numbers, np.cumsum(shape.sizes)[:-1])
    least = numbers.copy()
    for g, images in enumerate(group):
        moved = base + table[g][np.arange(shape.hidden1) % order]
        places = np.asarray(images)
        image = np.concatenate([
            columns.reshape(shape.fluents, shape.hidden1)[places][:, moved].ravel(), bias1[moved],
            weights2.reshape(shape.hidden2, shape.hidden1)[:, moved].ravel(), bias2, weights3, bias3,
            skip.reshape(shape.fluents, shape.outputs)[places].ravel()])
        least = np.minimum(least, image)
    return least.astype(np.uint32)
