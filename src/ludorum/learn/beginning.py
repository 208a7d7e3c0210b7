"""What a net begins with: what fluents are worth in random play, which of them ever change, and symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.samples import samples
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.evaluate.evaluation import SAMPLES, evaluation
from ludorum.evaluate.settings import EvaluationSettings
from ludorum.game import Game
from ludorum.learn.network import MAX_GROUP, NetShape, Network, ties
from ludorum.learn.settings import LearnSettings

# Random matches say whether two roles always divide 100 between them.
_MATCHES, _STEPS = 256, 500
# The most fluents that a net looks at: those that change most often.
MAX_INPUTS = 4096
# The work that symmetries are looked for with.
_SYMMETRY_WORK = 2.0


@dataclass(frozen=True, eq=False)
class Beginning:
    """A net before its first game."""

    network: Network
    #: uint64 [words]: a bit a fluent, those that the net looks at.
    inputs: NDArray[np.uint64]
    #: uint32 [parameters]: which of them stay equal; None where all are free.
    ties: NDArray[np.uint32] | None


def beginning(game: Game, settings: LearnSettings, budget: Budget) -> Beginning:
    """The net that says what the weights of fluents say, or nothing where there was no time for them."""
    roles, fluents = len(game.roles), len(game.circuit.fluents)
    found = samples(game, SAMPLES, budget=budget)
    usual = found.bits.mean(axis=0, dtype=np.float64)
    inputs = _inputs(usual)
    goals = game.playouts(_MATCHES, seed=settings.seed, max_steps=_STEPS).goals
    divides = roles == 2 and bool((goals.sum(axis=1) == 100).all())
    shape = NetShape(fluents, roles, 1 if divides else roles, settings.hidden1, settings.hidden2)
    points, start = _weights(game, fluents, roles, budget)
    group, inputs = _group(game, inputs, settings.hidden1, budget)
    network = Network.beginning(shape, inputs, points, start, float(usual[inputs].sum()), group, settings.seed)
    packed = np.packbits(inputs, bitorder="little")
    words = np.zeros(-(-fluents // 64) * 8, dtype=np.uint8)
    words[: len(packed)] = packed
    return Beginning(network, words.view(np.uint64), ties(shape, group))


def _inputs(usual: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Those fluents that change: they alone can tell states apart."""
    spread = usual * (1 - usual)
    inputs: NDArray[np.bool_] = spread > 0
    if inputs.sum() > MAX_INPUTS:
        inputs = np.zeros(len(usual), dtype=bool)
        inputs[np.argsort(-spread, kind="stable")[:MAX_INPUTS]] = True
    return inputs


def _weights(game: Game, fluents: int, roles: int, budget: Budget) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    try:
        worths = evaluation(game, EvaluationSettings(goals=0, fluents=1), budget=budget).report["worths"]
    except BudgetExceeded:
        return np.zeros((fluents, roles)), np.full(roles, 50.0)
    return worths.points, worths.start


def _group(game: Game, inputs: NDArray[np.bool_], hidden: int,
           budget: Budget) -> tuple[Sequence[tuple[int, ...]], NDArray[np.bool_]]:
    """Symmetries that keep the roles, as permutations of the fluents; the identity alone where none are of use.

    And the inputs with their images: what an image of a fluent does, the fluent may do where nobody has seen it.
    """
    from ludorum.analysis.symmetry import find_symmetries

    identity = tuple(range(len(inputs)))
    try:
        found = find_symmetries(game, Budget(_SYMMETRY_WORK, budget.deadline))
    except BudgetExceeded:
        return [identity], inputs
    most = MAX_GROUP
    while most > 1:
        symmetries = found.for_search(most)
        closed = inputs.copy()
        for symmetry in symmetries:
            closed[np.asarray(symmetry.fluents)[np.flatnonzero(inputs)]] = True
        # What nobody looks at may be anywhere.
        group = list(dict.fromkeys(tuple(image if looked else fluent for fluent, (image, looked) in
                                         enumerate(zip(symmetry.fluents, closed, strict=True)))
                                   for symmetry in symmetries))
        if len(group) < 2:
            break
        if hidden % len(group) == 0 and _is_group(group, closed):
            return group, closed
        most = len(group) - 1
    return [identity], inputs


def _is_group(group: Sequence[tuple[int, ...]], inputs: NDArray[np.bool_]) -> bool:
    known = set(group)
    return (all(set(np.flatnonzero(inputs)) == {images[f] for f in np.flatnonzero(inputs)} for images in group)
            and all(tuple(one[f] for f in other) in known for one in group for other in group))
