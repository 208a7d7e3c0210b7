"""Dominance where traders decide more than once, and what a solver says where matches are too many to follow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from market_variants import market
from numpy.typing import NDArray

from ludorum import library
from ludorum.clock import Budget
from ludorum.market import parse
from ludorum.mechanism import Ledger, Mechanism, MechanismProof, prove_mechanism, unrolling

# The price rises as long as both stay. Who is left alone pays it; if both leave at once nobody gets anything. To stay
# below the own value brings 0 at the least, and to leave 0 at the most.
RISING = """
trader(a). trader(b). prices(0,3).
init(clock(0)).
message(A,stay) <= trader(A) ∧ true(clock(P)).
two             <= receive(a,stay) ∧ receive(b,stay).
next(clock(P1)) <= two ∧ true(clock(P)) ∧ P < 3 ∧ P1 = P + 1.
next(sold(A,P)) <= receive(A,stay) ∧ ¬two ∧ true(clock(P)).
send(A,on)      <= trader(A) ∧ two.
running         <= true(clock(P)).
terminal        <= ¬running.
type(A,value(A,V)) <= trader(A) ∧ V ≥ 0.
bought(A)    <= true(sold(A,P)).
payoff(A,U)  <= true(sold(A,P)) ∧ true(value(A,V)) ∧ U = V - P.
payoff(A,0)  <= trader(A) ∧ ¬bought(A).
payment(A,P) <= true(sold(A,P)).
payment(A,0) <= trader(A) ∧ ¬bought(A).
"""


def proved(mechanism: Mechanism, name: str) -> MechanismProof:
    (proof,) = prove_mechanism(mechanism, name)
    return proof


def test_to_stay_below_the_own_value_is_dominant_where_the_price_rises() -> None:
    proof = proved(Mechanism(parse(RISING)), "dominant")
    assert (proof.verdict, proof.method) == ("proved", "worst against best (obvious dominance)")


# Who leaves first gets it, if the other stays.
LEAVING = RISING.replace("next(sold(A,P)) <= receive(A,stay) ∧ ¬two ∧ true(clock(P)).",
                         "next(sold(A,P)) <= trader(A) ∧ ¬receive(A,stay) ∧ ¬none ∧ true(clock(P)).\n"
                         "none <= ¬receive(a,stay) ∧ ¬receive(b,stay).")


def by_brute_force(mechanism: Mechanism) -> bool:
    """Whether every trader of every type has a plan that is best against every plan of every type of the other."""
    ledger = Ledger(mechanism)
    plans = [list(every_plan(ledger, player)) for player in (0, 1)]
    for player in (0, 1):
        rows = np.zeros((len(ledger.weights), len(plans[player])))
        for number, (_, plan) in enumerate(plans[player]):
            rows[:, number] = plan[ledger.sequences[:, player]]
        gains = np.array([(ledger.gains[:, player] * ledger.weights * other[ledger.sequences[:, 1 - player]]) @ rows
                          for _, other in plans[1 - player]])
        for kind in {kind for kind, _ in plans[player]}:
            mine = gains[:, [number for number, (of, _) in enumerate(plans[player]) if of == kind]]
            if not (mine >= mine.max(axis=1, keepdims=True) - 1e-9).all(axis=0).any():
                return False
    return True


def every_plan(ledger: Ledger, player: int) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """All plans without dice of every type, by type."""
    role = ledger.tree.players[player]
    sets = ledger.tree.core.sets(player).tolist()
    kinds = [str(next(iter(sorted(term for _, told in known.history for term in map(str, told) if "value" in term))))
             for known in ledger.tree.information_sets(role)]
    for kind in dict.fromkeys(kinds):
        own = [entry for entry, of in zip(sets, kinds, strict=True) if of == kind]
        for chosen in product(*(range(count) for _, _, count, _ in own)):
            plan = np.zeros(len(ledger.tree.core.moves(player)))
            plan[0] = 1
            for (parent, first, _, _), move in zip(own, chosen, strict=True):
                plan[first + move] = plan[parent]
            yield kind, plan


@pytest.mark.parametrize("text", [
    RISING.replace("3", "2"), LEAVING.replace("3", "2"), LEAVING.replace("3", "1"),
    market("dutch", prices=2).replace("clock(5)", "clock(2)"),
    market("dutch", prices=1).replace("clock(5)", "clock(1)"),
    market("dutch", prices=2).replace("clock(5)", "clock(1)"),
], ids=["rising", "leaving", "leaving-1", "dutch-2", "dutch-1", "dutch-low"])
def test_what_is_proved_or_refuted_is_so_by_brute_force(text: str) -> None:
    mechanism = Mechanism(parse(text))
    verdict = proved(mechanism, "dominant").verdict
    assert verdict in ("unknown", "proved" if by_brute_force(mechanism) else "refuted")


@pytest.mark.parametrize("name", ["dutch", "haggling"])
def test_no_plan_is_dominant_where_it_depends_on_others_whether_to_wait(name: str) -> None:
    mechanism = Mechanism.load(name)
    proof = proved(mechanism, "dominant")
    assert proof.verdict == "refuted"
    assert proof.moves is not None
    played = [dict(zip(mechanism.game.roles, joint, strict=True)) for joint in proof.moves]
    assert mechanism.game.replay(played).is_terminal


def test_to_bid_the_value_at_once_is_not_best_in_an_english_auction() -> None:
    mechanism = Mechanism(parse(market("english", prices=3)))
    proof = proved(mechanism, "truthful")
    assert proof.verdict == "refuted"
    assert proof.moves is not None
    played = [dict(zip(mechanism.game.roles, joint, strict=True)) for joint in proof.moves]
    end = mechanism.game.replay(played)
    # Who bids its value gains nothing, whatever happens.
    assert (end.goals["a_1"] or 0) > 50


def test_a_message_without_numbers_tells_no_truth() -> None:
    proof = proved(Mechanism.load("dutch"), "truthful")
    assert (proof.verdict, proof.method) == ("unknown", "no message of a_1 carries its type")


# The order book of four traders has too many matches to follow.
@pytest.mark.parametrize("name", [entry.name for entry in library.catalogue()
                                  if "market" in entry.tags and entry.name != "cda"])
def test_a_solver_and_all_matches_agree_on_losses_and_money(name: str) -> None:
    mechanism = Mechanism.load(name)
    budget = Budget(60)
    rational, budgeted = prove_mechanism(mechanism, "rational", "budget")
    assert (rational.method, budgeted.method) == ("exhaustive, in lanes",) * 2
    assert unrolling.rational(mechanism, budget)[0] == rational.verdict
    assert unrolling.budgeted(mechanism, budget)[0] == budgeted.verdict


def test_a_solver_finds_the_match_in_which_money_is_missing() -> None:
    generous = library.entry("vickrey").text.replace("payment(A,P) <= true(sold(A,P)).",
                                                     "payment(A,U) <= true(sold(A,P)) ∧ U = P - 1.")
    mechanism = Mechanism(parse(generous))
    verdict, _, match, says = unrolling.budgeted(mechanism, Budget(60))
    assert verdict == "refuted"
    assert "-1" in says
    assert match is not None
    assert mechanism.payments is not None
    played = [dict(zip(mechanism.payments.roles, joint, strict=True)) for joint in match]
    assert mechanism.payments.replay(played).is_terminal


def test_money_of_five_bidders_and_twenty_prices_is_asked_of_a_solver() -> None:
    proof = proved(Mechanism(parse(market("firstprice", 5, 20))), "budget")
    assert (proof.verdict, proof.method) == ("proved", "SAT, turn by turn")
