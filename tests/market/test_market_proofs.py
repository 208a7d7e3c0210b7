"""Proofs of mechanisms, with the dominance tables that brute force in exact fractions gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from market_variants import market, must_bid, ties_to_the_first

import ludorum
from ludorum import Move, library
from ludorum.clock import Budget
from ludorum.errors import LudorumError, UnknownProperty
from ludorum.market import parse
from ludorum.mechanism import Decisions, Ledger, Mechanism, MechanismProof, copies, numbers, prove_mechanism


def table(text: str, role: str, *, silent: bool = False) -> dict[int, set[object]]:
    """The dominant messages by value: prices, and None for silence if that is a choice of its own."""
    found: dict[int, set[object]] = {}
    for decision in Decisions(ludorum.load(text), role):
        (value,) = (numbers(term)[-1] for term in decision.told)
        messages: set[object] = {int(move.term.args[0]) if move.term.args else None for move in decision.dominant}
        found[value] = messages if silent else messages - {None}
    return found


def undominated(text: str, role: str) -> dict[int, set[int]]:
    return {numbers(next(iter(decision.told)))[-1]: {int(move.term.args[0]) for move in decision.undominated
                                                     if move.term.args}
            for decision in Decisions(ludorum.load(text), role)}


def proved(mechanism: Mechanism, name: str) -> MechanismProof:
    (proof,) = prove_mechanism(mechanism, name)
    return proof


@pytest.mark.parametrize("traders", [2, 3])
def test_in_second_price_the_value_is_the_only_dominant_bid(traders: int) -> None:
    text = must_bid(market("vickrey", traders))
    for role in range(1, traders + 1):
        assert table(text, f"a_{role}") == {value: {value} for value in range(6)}


@pytest.mark.parametrize("traders", [2, 3])
def test_in_first_price_only_low_values_have_a_dominant_bid(traders: int) -> None:
    text = must_bid(market("firstprice", traders))
    assert table(text, "a_1") == {0: {0}, 1: {0}, 2: {1}, 3: set(), 4: set(), 5: set()}


def test_the_undominated_bids_of_first_price() -> None:
    assert undominated(must_bid(market("firstprice")), "a_2") == {
        0: {0}, 1: {0}, 2: {1}, 3: {1, 2}, 4: {1, 2, 3}, 5: {1, 2, 3, 4}}


@pytest.mark.parametrize("traders", [2, 3])
def test_where_the_first_wins_ties_its_bid_may_be_one_lower_and_the_last_one_higher(traders: int) -> None:
    text = ties_to_the_first(must_bid(market("vickrey", traders)), traders)
    assert table(text, "a_1") == {value: {max(0, value - 1), value} for value in range(6)}
    assert table(text, f"a_{traders}") == {value: {value, min(5, value + 1)} for value in range(6)}
    if traders == 3:
        assert table(text, "a_2") == {value: {value} for value in range(6)}


def by_brute_force(price: int, traders: int, place: int, *, in_order: bool) -> dict[int, set[int]]:
    """The dominant bids of the bidder at a place by value, where the winner pays the first or the second price."""
    def gain(value: int, bids: tuple[int, ...]) -> Fraction:
        best = [number for number, bid in enumerate(bids) if bid == max(bids)]
        if place not in best or (in_order and best[0] != place):
            return Fraction(0)
        return Fraction(value - sorted(bids)[-price], 1 if in_order else len(best))

    found: dict[int, set[int]] = {}
    for value in range(6):
        gains = [[gain(value, (*others[:place], bid, *others[place:])) for bid in range(6)]
                 for others in product(range(6), repeat=traders - 1)]
        found[value] = {bid for bid in range(6) if all(row[bid] == max(row) for row in gains)}
    return found


@pytest.mark.parametrize("in_order", [False, True], ids=["by-lot", "in-order"])
@pytest.mark.parametrize("traders", [2, 3])
@pytest.mark.parametrize(("name", "price"), [("firstprice", 1), ("vickrey", 2)])
def test_dominant_bids_are_those_of_brute_force(name: str, price: int, traders: int, in_order: bool) -> None:
    text = must_bid(market(name, traders))
    if in_order:
        text = ties_to_the_first(text, traders)
    for place in range(traders):
        assert table(text, f"a_{place + 1}") == by_brute_force(price, traders, place, in_order=in_order)


def test_where_one_may_be_silent_who_wants_nothing_may_be() -> None:
    assert table(market("vickrey"), "a_1", silent=True) == {0: {0, None}, **{value: {value} for value in range(1, 6)}}
    assert table(market("firstprice"), "a_1", silent=True) == {
        0: {0, None}, 1: {0}, **{value: set() for value in range(2, 6)}}


def test_twenty_prices_and_three_bidders_are_tried_exhaustively() -> None:
    assert table(market("vickrey", 3, 20), "a_2") == {value: {value} for value in range(21)}


# By the theory of auctions: Vickrey 1961; Clarke 1971, Groves 1973; Ausubel, Cramton 2002 for two units.
@pytest.mark.parametrize(("name", "truthful", "rational"), [
    ("vickrey", "proved", "proved"), ("vcg", "proved", "proved"), ("firstprice", "refuted", "proved"),
    ("thirdprice", "refuted", "proved"), ("allpay", "refuted", "refuted"), ("doubleauction", "refuted", "proved"),
    ("twounitsuniform", "refuted", "proved"), ("twounitspayasbid", "refuted", "proved"),
    ("callmarket", "refuted", "proved"), ("dutch", "unknown", "proved"), ("haggling", "refuted", "proved"),
])
def test_what_auction_theory_says_of_the_library(name: str, truthful: str, rational: str) -> None:
    mechanism = Mechanism.load(name)
    proofs = prove_mechanism(mechanism, "truthful", "rational", "budget")
    assert [proof.verdict for proof in proofs] == [truthful, rational, "proved"]
    for proof in proofs:
        if proof.moves is not None:
            played = [dict(zip(mechanism.game.roles, joint, strict=True)) for joint in proof.moves]
            assert mechanism.game.replay(played).is_terminal


def test_a_refutation_is_a_match_that_another_message_would_have_spoilt() -> None:
    mechanism = Mechanism.load("firstprice")
    proof = proved(mechanism, "truthful")
    assert proof.moves is not None
    played: list[dict[str, Move]] = [dict(zip(mechanism.game.roles, joint, strict=True)) for joint in proof.moves]
    better = mechanism.game.replay(played)
    value = played[0]["random"].term.args[1].args[1]  # type: ignore[union-attr]
    honest = mechanism.game.replay([*played[:2], {**played[2], "a_1": f"(bid {value})"}])
    while not honest.is_terminal:
        honest = honest.after({**dict.fromkeys(mechanism.traders, "silent"), "random": f"(sell a_1 {value})"})
    assert (better.goals["a_1"] or 0) > (honest.goals["a_1"] or 0)


def test_a_maker_that_pays_more_than_it_takes_breaks_its_budget() -> None:
    generous = library.entry("vickrey").text.replace("payment(A,P) <= true(sold(A,P)).",
                                                     "payment(A,U) <= true(sold(A,P)) ∧ U = P - 1.")
    proof = proved(Mechanism(parse(generous)), "budget")
    assert proof.verdict == "refuted"
    assert "-1" in proof.says


def test_two_copies_and_exhaustion_agree() -> None:
    for name, verdict in (("vickrey", "proved"), ("firstprice", "refuted"), ("allpay", "refuted")):
        mechanism = Mechanism(parse(market(name, prices=3)))
        assert copies.truthful(mechanism, Budget(30))[0] == verdict
        assert proved(mechanism, "truthful").verdict == verdict
    lucky = Mechanism(parse(ties_to_the_first(market("firstprice", prices=3))))
    assert copies.dominant(lucky, Budget(30))[0] == proved(lucky, "dominant").verdict


def test_five_bidders_and_twenty_prices_need_two_copies() -> None:
    proof = proved(Mechanism(parse(market("firstprice", 5, 20))), "truthful")
    assert (proof.verdict, proof.method) == ("refuted", "SAT on two copies")


@pytest.mark.parametrize(("name", "highest", "revenue"), [("vickrey", 4, 6 / 5), ("vickrey", 5, 55 / 36)])
def test_the_revenue_of_the_truth_is_the_second_highest_value(name: str, highest: int, revenue: float) -> None:
    proof = proved(Mechanism(parse(market(name, prices=highest))), "efficient")
    assert proof.verdict == "proved"
    assert proof.details["revenue"] == pytest.approx(revenue, abs=1e-12)


def test_three_bidders_bring_the_second_highest_of_three() -> None:
    proof = proved(Mechanism(parse(market("vickrey", 3))), "efficient")
    assert proof.details["revenue"] == pytest.approx(5 / 2, abs=1e-12)


def test_the_first_price_auction_wastes_something_where_unlike_values_bid_alike() -> None:
    proof = proved(Mechanism.load("firstprice"), "efficient")
    assert proof.verdict == "refuted"
    assert proof.details["epsilon"] <= 1e-6
    assert proof.moves is not None


def test_accounts_add_up() -> None:
    ledger = Ledger(Mechanism.load("firstprice"))
    accounts = ledger.accounts(list(ledger.tree.uniform()))
    assert accounts.revenue is not None
    assert accounts.welfare == pytest.approx(sum(accounts.surplus.values()) + accounts.revenue)


def test_what_cannot_be_asked_is_said_so() -> None:
    with pytest.raises(UnknownProperty, match="there is no property honest of mechanisms, only dominant"):
        prove_mechanism(Mechanism.load("vickrey"), "honest")
    with pytest.raises(LudorumError, match="is no market"):
        Mechanism.load("tictactoe")
