"""Nets over fluents: the same numbers as their definition, with every instruction set, and equal where games are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import ludorum
from ludorum import Game, _core
from ludorum.analysis.samples import samples
from ludorum.analysis.symmetry import find_symmetries
from ludorum.clock import Budget
from ludorum.engines.abilities import Simulates
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.learn.beginning import beginning
from ludorum.learn.network import NetShape, Network
from ludorum.learn.settings import LearnSettings


def random_network(game: Game, outputs: int, seed: int = 0) -> Network:
    shape = NetShape(len(game.circuit.fluents), len(game.roles), outputs, 64, 32)
    row = np.random.default_rng(seed).normal(0, 0.3, shape.size).astype(np.float32)
    return Network(shape, row)


def by_definition(network: Network, bits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The outputs in whole numbers, as native/evaluation/net.h defines them, in NumPy."""
    shape = network.shape
    columns, bias1, weights2, bias2, weights3, bias3, skip = (
        part.astype(np.float64) for part in shape.parts(network.parameters))

    def whole(numbers: NDArray[np.float64], scale: float) -> NDArray[np.int64]:
        return np.rint(numbers * scale).astype(np.int64)

    first = bits.astype(np.int64) @ whole(columns, 255).reshape(shape.fluents, -1) + whole(bias1, 255)
    second = (np.clip(first, 0, 255) @ whole(weights2, 256).reshape(shape.hidden2, -1).T + whole(bias2, 255 * 256)) >> 8
    found: NDArray[np.int64] = (
        np.clip(second, 0, 255) @ whole(weights3, 65536 / 255).reshape(shape.outputs, -1).T + whole(bias3, 65536)
        + bits.astype(np.int64) @ whole(skip, 65536).reshape(shape.fluents, -1))
    return found


@pytest.mark.parametrize("name", ["breakthrough", "tictactoe", "skirmish", "eightpuzzle"])
def test_a_net_gives_the_numbers_of_its_definition(name: str) -> None:
    game = ludorum.load(name)
    found = samples(game, 400)
    network = random_network(game, 1 if len(game.roles) == 2 else len(game.roles))
    expected = by_definition(network, found.bits)
    for instructions in _core.net_instructions():
        assert (network.evaluation(instructions).outputs(found.rows) == expected).all()
        assert (network.evaluation(instructions).outputs(found.rows, is_plain=True) == expected).all()


def test_a_state_is_worth_the_same_by_what_changed_since_its_parent() -> None:
    game = ludorum.load("connectfour")
    found = samples(game, 2000)
    core = random_network(game, 2).evaluation()
    after = np.flatnonzero(found.parents >= 0)
    order = after[np.argsort(found.parents[after], kind="stable")]
    rows = np.ascontiguousarray(found.rows[order])
    parents = found.parents[order].astype(np.uint32)
    assert (core.outputs_after(rows, found.rows, parents) == core.outputs(rows)).all()


def test_a_net_begins_as_the_weights_of_fluents() -> None:
    game = ludorum.load("breakthrough")
    core = beginning(game, LearnSettings(), Budget()).network.evaluation()
    reasoner = game.reasoner
    assert isinstance(reasoner, Simulates)
    rows = samples(game, 500).rows
    by_net = core.evaluate(reasoner.simulator(), rows)[:, 0]
    linear = evaluation(game, EvaluationSettings(goals=0, fluents=1)).core.evaluate(reasoner.simulator(), rows)[:, 0]
    # Symmetric fluents are worth the mean of both, and the logistic function is straight in its middle only.
    assert np.corrcoef(by_net, linear)[0, 1] > 0.98
    assert np.abs(by_net - linear).mean() < 3


@pytest.mark.parametrize("name", ["connectfour", "tictactoe", "breakthrough"])
def test_images_of_a_state_are_worth_the_same_before_and_after_training(name: str) -> None:
    game = ludorum.load(name)
    begun = beginning(game, LearnSettings(), Budget())
    assert begun.ties is not None
    shape, row = begun.network.shape, begun.network.parameters.copy()
    found = samples(game, 3000)
    targets = np.random.default_rng(3).random((len(found), shape.outputs)).astype(np.float32)
    zeros = np.zeros_like(row), np.zeros_like(row)
    _core.train(shape.fluents, shape.outputs, shape.hidden1, shape.hidden2, row, *zeros, found.rows, targets, 64, 1e-2,
                1, 0, begun.inputs, begun.ties)
    symmetry = next(symmetry for symmetry in find_symmetries(game).for_search(8) if not symmetry.is_identity)
    images = np.zeros_like(found.bits)
    images[:, list(symmetry.fluents)] = found.bits
    packed = np.zeros((len(found), found.rows.shape[1] * 8), dtype=np.uint8)
    small = np.packbits(images, axis=1, bitorder="little")
    packed[:, : small.shape[1]] = small
    core = Network(shape, row).evaluation()
    assert (core.outputs(packed.view(np.uint64)) == core.outputs(found.rows)).all()
    assert (begun.network.parameters != row).any()


def test_training_comes_to_the_same_bits_with_every_instruction_set() -> None:
    random = np.random.default_rng(5)
    shape = NetShape(70, 2, 1, 64, 32)
    rows = random.integers(0, 2**63, (500, 2), dtype=np.uint64)
    rows[:, 1] &= np.uint64(63)
    targets = random.random((500, 1)).astype(np.float32)
    start = random.normal(0, 0.2, shape.size).astype(np.float32)
    ends = []
    for instructions in _core.net_instructions():
        row, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
        _core.train(70, 1, 64, 32, row, first, second, rows, targets, 32, 1e-3, 9, 0, instructions=instructions)
        ends.append(row)
    assert all((end == ends[0]).all() for end in ends)


def test_a_net_learns_what_no_weights_of_fluents_can_say() -> None:
    """Whether exactly one of two fluents holds."""
    random = np.random.default_rng(7)
    shape = NetShape(4, 2, 1, 32, 16)
    bits = random.integers(0, 2, (4000, 4)).astype(np.uint64)
    rows = (bits << np.arange(4, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)[:, None]
    targets = (bits[:, :1] ^ bits[:, 1:2]).astype(np.float32)
    everything, nothing = np.ones(4, dtype=bool), np.zeros((4, 2))
    row = Network.beginning(shape, everything, nothing, np.full(2, 50.0), 2.0, [range(4)], 0).parameters
    first, second, steps = np.zeros_like(row), np.zeros_like(row), 0
    for number in range(10):
        _core.train(4, 1, 32, 16, row, first, second, rows, targets, 32, 1e-2, number, steps)
        steps += 125
    found = Network(shape, row).evaluation().outputs(np.ascontiguousarray(rows))
    assert ((found > 0) == (targets > 0.5)).all()


def test_what_is_no_training_is_refused() -> None:
    shape = NetShape(4, 2, 1, 32, 16)
    row = np.zeros(shape.size, dtype=np.float32)
    rows, targets = np.zeros((2, 1), dtype=np.uint64), np.zeros((2, 1), dtype=np.float32)
    arguments = (row, row.copy(), row.copy(), rows, targets, 32, 1e-2, 0, 0)
    _core.train(4, 1, 32, 16, *arguments)
    with pytest.raises(ValueError, match="not as many parameters"):
        _core.train(5, 1, 32, 16, *arguments)
    with pytest.raises(ValueError, match="targets are from 0 to 1"):
        _core.train(4, 1, 32, 16, row, row.copy(), row.copy(), rows, targets + 2, 32, 1e-2, 0, 0)
    with pytest.raises(ValueError, match="a fluent that there is not"):
        _core.train(4, 1, 32, 16, row, row.copy(), row.copy(), rows + np.uint64(64), targets, 32, 1e-2, 0, 0)
