"""Sums that stay the same: found in random play, added up by gates, and proved where nothing simpler would do."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.proofs.encoding.property_circuit import Balance, PropertyCircuit
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.analysis.proofs.tactics.balances import balances
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import structures
from ludorum.clock import Budget

#: Twenty stones in a row: two players take one, or two next to each other, and a counter counts what is left. It cannot
#: count two down from 1, which never happens, because then there is only one stone.
STONES = """
(role left) (role right)
(init (control left)) (init (stones 20))
(succ 0 1)
""" + "\n".join(f"(init (stone {n})) (succ {n} {n + 1})" for n in range(1, 21)) + """
(<= (legal ?r (take ?a)) (true (control ?r)) (true (stone ?a)))
(<= (legal ?r (both ?a ?b)) (true (control ?r)) (true (stone ?a)) (true (stone ?b)) (succ ?a ?b))
(<= (legal left wait) (true (control right)))
(<= (legal right wait) (true (control left)))
(<= (gone ?a) (does ?r (take ?a)))
(<= (gone ?a) (does ?r (both ?a ?b)))
(<= (gone ?b) (does ?r (both ?a ?b)))
(<= (next (stone ?a)) (true (stone ?a)) (not (gone ?a)))
(<= (next (stones ?less)) (does ?r (take ?a)) (true (stones ?n)) (succ ?less ?n))
(<= (next (stones ?less)) (does ?r (both ?a ?b)) (true (stones ?n)) (succ ?some ?n) (succ ?less ?some))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (true (stones 0)))
(<= counted (true (stones ?n)))
(<= terminal (not counted))
(<= (goal ?r 100) counted (true (control ?r)))
(<= (goal ?r 0) counted (role ?r) (not (true (control ?r))))
"""


def prover_of(game: Game) -> CircuitProver:
    return CircuitProver(game, game.circuit, Budget())


def worth(balance: Balance, bits: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> np.ndarray[
        tuple[int], np.dtype[np.int64]]:
    """What the terms of an equation add up to in states."""
    return np.array(sum(weight * bits[:, list(numbers)].any(axis=1) for numbers, weight in balance.weights))


def test_a_counter_that_counts_stones_never_runs_out_before_them() -> None:
    prover = prover_of(ludorum.load(STONES))
    one, whole = prover.modes["one (stones -)"], prover.claims.constant_sum()
    assert whole is not None
    # Not thorough: there is neither a search through states nor through invariants.
    assert [proof.verdict for proof in prover.judge([one, whole], thorough=False)] == ["proved", "proved"]


def test_random_play_suggests_that_the_counter_counts_the_stones() -> None:
    game = ludorum.load(STONES)
    seen = samples(game)
    found = balances(seen, structures(game), [])
    assert found
    for balance in found:
        assert (worth(balance, seen.bits) == balance.total).all()
    stones = {number for number, fluent in enumerate(seen.fluents) if fluent.name == "stone"}
    counters = {number for number, fluent in enumerate(seen.fluents) if fluent.name == "stones"}
    # One of them speaks of all stones and of the counter, whose 0 weighs nothing.
    assert any({number for numbers, _ in balance.weights for number in numbers} >= stones
               and sum(number in counters for numbers, _ in balance.weights for number in numbers) == 20
               for balance in found)


@pytest.mark.parametrize(("weights", "total"), [((1, 1, 1, -1, -1, -1), 0), ((3, -2, 5, 1, 0, -1), 2),
                                                ((40, 30, -70, 20, 50, 0), 20), ((1, 1, 1, 1, 1, 1), 7)])
def test_gates_add_up_what_holds(weights: tuple[int, ...], total: int) -> None:
    game = ludorum.load("(role r) (legal r wait) (goal r 0) (<= terminal (true (p 0))) " + " ".join(
        f"(init (p {n})) (<= (next (p {n})) (not (true (p {n}))))" for n in range(6)))
    model = PropertyCircuit(game.circuit)
    balance = Balance(tuple(((number,), weight) for number, weight in enumerate(weights) if weight), total)
    rows = np.arange(64, dtype=np.uint64)[:, None]
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=6)
    assert (model.truth([model.balanced(balance)], rows)[:, 0] == (worth(balance, bits) == total)).all()
