"""Traders: what they send, and what that brings them, from the rules alone."""

from __future__ import annotations

import pytest
from market_variants import market

import ludorum
from collection import GAMES
from ludorum.belief import Belief
from ludorum.clock import Deadline
from ludorum.equilibrium import GameTree, InformationSet, Plans
from ludorum.game import Game
from ludorum.gdl import Source, scramble, to_kif
from ludorum.languages import parse as parse_any
from ludorum.match import conduct
from ludorum.match.seat import LocalSeat
from ludorum.mechanism import numbers
from ludorum.move import Move
from ludorum.players import ZI, Equilibrium, Ludorum, Player, Truthful
from ludorum.players.player import Mixes


class Asked:
    """A player that is asked at every information set of a small market."""

    def __init__(self, tree: GameTree, player: Player, role: str) -> None:
        self._tree = tree
        playing = player.join(tree.game, tree.game.role(role), ludorum.players.Clocks())
        playing.prepare(Deadline.within(60))
        assert isinstance(playing, Mixes)
        self._playing = playing

    def __call__(self, known: InformationSet) -> dict[Move, float]:
        belief: Belief = self._tree.belief(known)
        policy = self._playing.policy(belief)
        assert policy is not None
        return policy


def plans(tree: GameTree, *players: Player) -> Plans:
    return [tree.plan(role, Asked(tree, player, role)) for role, player in zip(tree.players, players, strict=True)]


def messages(game: Game, player: Player, role: str) -> dict[int, str]:
    tree = GameTree.grow(game)
    asked = Asked(tree, player, role)
    found = {}
    for known in tree.information_sets(role):
        (value,) = (numbers(term)[-1] for _, percepts in known.history for term in percepts)
        (found[value],) = (str(move) for move, share in asked(known).items() if share > 0.999)
    return found


def test_the_truthful_trader_tells_the_truth() -> None:
    assert messages(ludorum.load("firstprice"), Truthful(), "a_1") == {value: f"(bid {value})" for value in range(6)}


def test_in_vickreys_auction_ludorum_bids_its_value_for_every_value() -> None:
    assert messages(ludorum.load("vickrey"), Ludorum(seed=1), "a_2") == {value: f"(bid {value})" for value in range(6)}


def in_other_words(name: str) -> Game:
    """A market whose words mean nothing. Scrambling leaves numbers alone, so that bids can still be read."""
    return ludorum.load(to_kif(scramble(parse_any(Source(market(name), f"{name}.msl")), seed=5)))


def test_in_other_words_it_bids_the_same() -> None:
    game = in_other_words("vickrey")
    sent = messages(game, Ludorum(seed=1), GameTree.grow(game).players[0])
    assert {value: numbers(Move(text).term) for value, text in sent.items()} == {
        value: (value,) for value in range(6)}


UNDOMINATED = {0: {0}, 1: {0}, 2: {0, 1}, 3: {0, 1, 2}, 4: {0, 1, 2, 3}, 5: {0, 1, 2, 3, 4}}


@pytest.mark.parametrize("is_scrambled", [False, True], ids=["as-written", "scrambled"])
def test_in_first_price_ludorum_stays_within_undominated_bids_and_nothing_is_gained_against_it(
        is_scrambled: bool) -> None:
    game = in_other_words("firstprice") if is_scrambled else ludorum.load("firstprice")
    tree = GameTree.grow(game)
    for value, text in messages(game, Ludorum(seed=1), tree.players[0]).items():
        (bid,) = numbers(Move(text).term)
        assert bid in UNDOMINATED[value]
    made = plans(tree, Ludorum(seed=1), Ludorum(seed=1))
    values, best = tree.values(made), tree.best_replies(made)
    for role in tree.players:
        # Goals have 50 for nothing: the gain is what is above.
        assert values[role] - 50 >= 0.95 * (best[role] - 50)


@pytest.mark.parametrize("is_scrambled", [False, True], ids=["as-written", "scrambled"])
def test_against_zi_ludorum_earns_more_than_the_truth_in_first_price_and_as_much_in_second(is_scrambled: bool) -> None:
    for name, more in (("firstprice", True), ("vickrey", False)):
        tree = GameTree.grow(in_other_words(name) if is_scrambled else ludorum.load(name))
        ours, honest = (tree.values(plans(tree, player, ZI(seed=1)))[tree.players[0]]
                        for player in (Ludorum(seed=1), Truthful()))
        assert ours > honest + 1 if more else ours >= honest - 1e-9


@pytest.mark.parametrize("name", ["firstprice", "vickrey", "doubleauction", "dutch"])
def test_zi_never_ends_at_a_loss(name: str) -> None:
    game = ludorum.load(name)
    for seed in range(6):
        seats = {role: LocalSeat(ZI(seed=seed)) for role in game.roles if role != "random"}
        record = conduct(game, seats, seed=seed)
        assert all((record.goals[role] or 0) >= 50 for role in seats)


def test_zi_of_a_market_too_large_to_look_at_whole_tries_what_is_safe() -> None:
    game = ludorum.load("vickrey")
    seats = {role: LocalSeat(ZI(nodes=1, seed=3)) for role in ("a_1", "a_2")}
    record = conduct(game, seats, seed=4)
    assert all((record.goals[role] or 0) >= 50 for role in seats)


@pytest.mark.corpus
def test_the_auction_of_the_slides_is_played_though_idle_bids_are_legal() -> None:
    text = "".join((GAMES / "markets" / name).read_text(encoding="utf-8")
                   for name in ("sealed-bid.msl", "private-values.scenario"))
    game = ludorum.load(text)
    seats = {"a_1": LocalSeat(Equilibrium(seed=1)), "a_2": LocalSeat(Ludorum(0.05, seed=1))}
    record = conduct(game, seats, seed=3)
    sent = [joint["a_1"] for joint in record.moves]
    assert [message for number, message in enumerate(sent) if number != 3] == ["silent"] * 4
    assert sent[3].startswith("(my_bid")
