"""Equilibria of auctions, as brute force in exact fractions has them: bids for each value in order."""

from __future__ import annotations

import pytest
from market_variants import market

import ludorum
from ludorum.equilibrium import Equilibrium, solve


def bids(found: Equilibrium, role: str) -> tuple[int, ...]:
    """The bid of every value in order, for who bids without dice."""
    tree = found.tree
    made = {}
    for known, choices in zip(tree.information_sets(role), tree.choices(role, found.plans[tree.players.index(
            tree.game.role(role))]), strict=True):
        value = next(int(told.args[1]) for _, percepts in known.history for told in percepts if told.name == "value")
        (made[value],) = (int(move.term.args[0]) for move, share in choices.items() if share > 0.999)
    return tuple(made[value] for value in sorted(made))


# Every symmetric monotone equilibrium without dice in the first-price auction of uniform values and random ties.
FIRST_PRICE: dict[tuple[int, int, int], set[tuple[int, ...]]] = {
    (2, 0, 2): {(0, 0, 0), (0, 0, 1)},
    (2, 0, 3): {(0, 0, 1, 1)},
    (2, 0, 4): {(0, 0, 1, 1, 1), (0, 0, 1, 1, 2)},
    (2, 1, 3): {(0, 1, 1), (1, 1, 1), (1, 1, 2)},
    (2, 1, 4): {(0, 1, 1, 2), (0, 1, 2, 2), (1, 1, 2, 2)},
    (2, 1, 5): {(0, 1, 1, 2, 2), (0, 1, 2, 2, 2), (0, 1, 2, 2, 3), (1, 1, 2, 2, 2), (1, 1, 2, 2, 3)},
    (3, 0, 3): {(0, 0, 1, 1)},
}


@pytest.mark.parametrize(("traders", "lowest", "highest"), FIRST_PRICE)
def test_first_price_bidders_shade_their_bids_as_brute_force_says(traders: int, lowest: int, highest: int) -> None:
    found = solve(ludorum.load(market("firstprice", traders, highest, lowest)))
    assert found.nash_conv <= 1e-6
    made = {bids(found, f"a_{number}") for number in range(1, traders + 1)}
    assert len(made) == 1
    assert made <= FIRST_PRICE[traders, lowest, highest]


def test_second_price_bidders_tell_their_values() -> None:
    found = solve(ludorum.load(market("vickrey", prices=4)))
    assert bids(found, "a_1") == bids(found, "a_2") == (0, 1, 2, 3, 4)
    assert found.nash_conv <= 1e-6


@pytest.mark.parametrize("name", ["allpay", "dutch", "doubleauction", "haggling", "twounitsuniform",
                                  "twounitspayasbid"])
def test_other_markets_have_an_equilibrium_with_nothing_to_gain(name: str) -> None:
    assert solve(ludorum.load(name)).nash_conv <= 1e-6


def test_open_spiel_says_that_nothing_is_gained_against_our_bids() -> None:
    """Its auction has values from 1 to 5, and bids below the value."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import TabularPolicy

    text = market("firstprice", lowest=1).replace("trader(A) ∧ P ≥ 0 ∧ time(0)",
                                                  "trader(A) ∧ true(value(A,V)) ∧ P ≥ 0 ∧ P < V ∧ time(0)")
    found = solve(ludorum.load(text))
    ours = [bids(found, role) for role in ("a_1", "a_2")]
    game = pyspiel.load_game("first_sealed_auction(players=2,max_value=5)")
    policy = TabularPolicy(game)
    for key, row in policy.state_lookup.items():
        state = policy.states[row]
        player = state.current_player()
        value = int(state.information_state_string(player).split()[-1])
        probabilities = policy.policy_for_key(key)
        probabilities[:] = 0
        probabilities[ours[player][value - 1]] = 1
    assert exploitability.nash_conv(game, policy) < 1e-6


def test_an_english_auction_of_five_prices_is_settled_and_nobody_gains_by_leaving() -> None:
    found = solve(ludorum.load(market("english", prices=4)))
    assert found.nash_conv < 1e-6
