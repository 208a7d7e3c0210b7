"""Measures that fall in every step, and the weights they are made of."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import ludorum
from ludorum.analysis.proofs import prove
from ludorum.analysis.proofs.properties.dual_simplex import DualSimplex
from ludorum.analysis.proofs.properties.ranking import ranking
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.clock import Budget

#: Stones on five squares; a move takes one away and puts any two of the squares below it as it likes.
HEAP = """
(role r)
(init (stone 5)) (init (stone 3))
(below 2 1) (below 3 2) (below 4 3) (below 5 4)
(<= (legal r (split ?n ?a ?b)) (true (stone ?n)) (put ?n ?a) (put ?n ?b))
(put 1 none)
(<= (put ?n none) (below ?n ?m))
(<= (put ?n ?m) (below ?n ?m))
(<= (put ?n ?k) (below ?n ?m) (put ?m ?k) (distinct ?k none))
(<= (next (stone ?k)) (does r (split ?n ?k ?b)) (distinct ?k none))
(<= (next (stone ?k)) (does r (split ?n ?b ?k)) (distinct ?k none))
(<= (next (stone ?k)) (true (stone ?k)) (does r (split ?n ?a ?b)) (distinct ?n ?k))
(<= anything (true (stone ?n)))
(<= terminal (not anything))
(goal r 100)
"""


def test_breakthrough_ends_because_its_pawns_have_only_so_many_steps_before_them() -> None:
    game = ludorum.load("breakthrough")
    (proof,) = prove(game, "terminates", budget=Budget(120))
    assert proof.verdict == "proved"
    bound = int(proof.says.split("within ")[1].split()[0])
    # Sixteen pawns a side, half of them seven steps from the other end and half of them six; a match takes one of
    # these every step, and random play shows how many it may need.
    assert game.playouts(2000, seed=1).lengths.max() <= bound <= 2 * (8 * 7 + 8 * 6)


def test_a_measure_falls_in_every_step_of_random_play() -> None:
    game = ludorum.load(HEAP)
    prover = CircuitProver(game, game.circuit, Budget())
    prover.learn()
    found = ranking(prover.model, prover.samples, prover.known, Budget())
    assert found is not None
    bits, parents = prover.samples.bits.astype(int), prover.samples.parents
    measures = bits @ np.array(found.true) + (1 - bits) @ np.array(found.false)
    later = parents >= 0
    assert (measures >= 0).all()
    assert (measures[parents[later]] - measures[later] >= found.falls).all()
    assert found.steps >= prover.samples.steps.max()


def test_a_game_with_a_pass_has_no_measure() -> None:
    game = ludorum.load("(role r) (init (p 1)) (legal r wait) (<= (legal r (go ?n)) (true (p ?n))) (init (q 0)) "
                        "(<= (next (p ?n)) (true (p ?n)) (does r wait)) (<= (next (q 0)) (true (q 1))) "
                        "(<= (next (q 1)) (true (q 0))) (<= terminal (not (true (p 1)))) (goal r 100)")
    prover = CircuitProver(game, game.circuit, Budget())
    assert ranking(prover.model, prover.samples, prover.known, Budget()) is None


@pytest.mark.parametrize("seed", range(4))
def test_weights_are_the_cheapest_that_suffice(seed: int) -> None:
    random = np.random.default_rng(seed)
    # Changes that some weights do suffice for, and all weights of small whole numbers tried one by one.
    changes = random.integers(-2, 3, size=(40, 4))
    changes = changes[changes @ np.array([3, 1, 0, 2]) >= 1].astype(float)
    costs = random.integers(1, 5, size=4).astype(float)
    weighing = DualSimplex(costs)
    assert weighing.demand(changes, Budget())
    weights = weighing.weights
    assert (weights >= -1e-9).all()
    assert (changes @ weights >= 1 - 1e-6).all()
    tried = np.array(list(product(range(5), repeat=4)), dtype=float)
    enough = tried[(tried @ changes.T >= 1).all(axis=1)]
    assert costs @ weights <= (enough @ costs).min() + 1e-6


def test_no_weights_suffice_for_a_change_and_its_opposite() -> None:
    weighing = DualSimplex(np.ones(2))
    assert weighing.demand(np.array([[1.0, -1.0]]), Budget())
    assert not weighing.demand(np.array([[-1.0, 1.0]]), Budget())
