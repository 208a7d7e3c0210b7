"""The library's games of bluffing, spying and looking in the dark keep their rules.

The means under uniform play of Kuhn poker, Leduc poker and liar's dice are those of the same games in OpenSpiel.
"""

from __future__ import annotations

from math import prod

import pytest
from positions import load, terms

from ludorum import State
from ludorum.gdl.terms import Term


def uniform_means(state: State, known: dict[State, dict[str, float]]) -> dict[str, float]:
    """The goals that are expected if everybody, random too, chooses uniformly; over all matches, not a sample."""
    if state.is_terminal:
        return {role: float(value or 0) for role, value in state.goals.items()}
    if state not in known:
        ways = prod(len(state.legal(role)) for role in state.game.roles)
        means = dict.fromkeys(map(str, state.game.roles), 0.0)
        for _, successor in state.game.expand(state):
            for role, value in uniform_means(successor, known).items():
                means[str(role)] += value / ways
        known[state] = means
    return known[state]


@pytest.mark.parametrize(("name", "means"), [
    ("kuhnpoker", {"anna": 53.125, "ben": 46.875}),
    ("leducpoker", {"anna": 49.765625, "ben": 50.234375}),
    ("liarsdice3", {"anna": 50.925926, "ben": 49.074074}),
    ("spyvsspy", {"armer": 50, "cutter": 50}),
    ("explodingbomb", {"agent": 47.5}),
    ("bankerandthief", {"banker": 25, "thief": 25}),
])
def test_uniform_play_is_worth_what_the_rules_make_it(name: str, means: dict[str, float]) -> None:
    found = uniform_means(load(name).initial, {})
    assert {role: found[role] for role in means} == pytest.approx(means, abs=1e-6)


def test_kuhn_poker_pays_a_bluff_that_is_not_called() -> None:
    dealt = load("kuhnpoker").replay([{"random": "(deal jack king)"}])
    assert dealt.percepts == {"anna": terms("(card jack)"), "ben": terms("(card king)"), "random": frozenset()}
    bet = dealt.after("bet")
    assert bet.percepts["ben"] == terms("(did bet)")
    folded = bet.after("fold")
    assert folded.is_terminal
    assert (folded.goals["anna"], folded.goals["ben"]) == (75, 25)
    assert folded.percepts["anna"] == terms("(did fold)")
    called = bet.after("call")
    assert (called.goals["anna"], called.goals["ben"]) == (0, 100)
    assert called.percepts["anna"] == terms("(did call) (shown king)")


def test_leduc_poker_is_won_by_a_pair_and_by_as_much_as_was_bet() -> None:
    state = load("leducpoker").replay([{"random": "(deal jack 1 king 1)"}])
    assert {str(move) for move in state.legal("anna")} == {"call", "raise"}
    state = state.after("raise").after("raise")
    assert {str(move) for move in state.legal("anna")} == {"call", "fold"}
    state = state.after("call")
    assert {str(move) for move in state.legal("random")} == {
        "(turn_up jack 1)", "(turn_up queen 1)", "(turn_up queen 2)", "(turn_up king 1)"}
    state = state.after(random="(turn_up jack 1)")
    assert state.percepts["ben"] == terms("(turned_up jack)")
    state = state.after("raise").after("raise").after("call")
    assert state.is_terminal
    assert (state.goals["anna"], state.goals["ben"]) == (89, 11)


def test_equal_cards_share_the_pot_of_leduc_poker() -> None:
    state = load("leducpoker").replay([{"random": "(deal queen 1 queen 2)"}, {"anna": "call"}, {"ben": "call"},
                                       {"random": "(turn_up king 1)"}, {"anna": "call"}, {"ben": "call"}])
    assert (state.goals["anna"], state.goals["ben"]) == (50, 50)


@pytest.mark.parametrize(("dice", "bid", "winner"), [
    ("2 2", "2 2", "anna"), ("2 3", "2 2", "ben"), ("6 2", "2 2", "anna"), ("6 6", "2 1", "anna"),
    ("1 2", "1 3", "ben"),
])
def test_the_highest_face_counts_as_every_face_in_liars_dice(dice: str, bid: str, winner: str) -> None:
    called = load("liarsdice").replay([{"random": f"(roll {dice})"}, {"anna": f"(bid {bid})"}, {"ben": "liar"}])
    assert called.is_terminal
    assert called.goals[winner] == 100


def test_a_bid_of_liars_dice_is_higher_than_the_last() -> None:
    state = load("liarsdice3").replay([{"random": "(roll 1 1)"}, {"anna": "(bid 1 3)"}])
    assert {str(move) for move in state.legal("ben")} == {"(bid 2 1)", "(bid 2 2)", "(bid 2 3)", "liar"}


def test_asking_tells_which_wire_is_armed_and_costs_ten() -> None:
    armed = load("explodingbomb").replay([{"random": "(arm red)"}])
    assert armed.after("ask").percepts["agent"] == terms("(armed red)")
    assert armed.after("wait").percepts["agent"] == frozenset()
    assert armed.after("ask").after("(cut blue)").goals["agent"] == 90
    assert armed.after("wait").after("(cut blue)").goals["agent"] == 100
    assert armed.after("ask").after("(cut red)").goals["agent"] == 0


@pytest.mark.parametrize(("way", "cut", "goals"), [
    ("tell", "red", (100, 0)), ("hide", "red", (80, 0)), ("tell", "blue", (20, 100)), ("hide", "blue", (0, 100)),
])
def test_hiding_the_wire_costs_the_armer_twenty(way: str, cut: str, goals: tuple[int, int]) -> None:
    armed = load("spyvsspy").replay(f"(arm red {way})")
    assert armed.percepts["cutter"] == (terms("(armed red)") if way == "tell" else frozenset())
    over = armed.after(f"(cut {cut})")
    assert (over.goals["armer"], over.goals["cutter"]) == goals


def test_every_question_about_the_number_costs_ten() -> None:
    state = load("numberguessing").replay([{"random": "(think_of 7)"}])
    assert state.after("(less_than 8)").percepts["guesser"] == {Term("yes")}
    assert state.after("(less_than 7)").percepts["guesser"] == {Term("no")}
    asked = state.after("(less_than 8)").after("(less_than 7)").after("ready")
    assert asked.after("(guess 7)").goals["guesser"] == 80
    assert asked.after("(guess 8)").goals["guesser"] == 0


@pytest.mark.parametrize(("raided", "goals"), [(1, (0, 40)), (2, (40, 0))])
def test_only_the_bank_that_counts_is_worth_raiding(raided: int, goals: tuple[int, int]) -> None:
    state = load("bankerandthief").replay([{"random": "(choose 1)"}])
    assert state.percepts["banker"] == terms("(counts 1)")
    assert state.percepts["thief"] == frozenset()
    for bank in (1, 2, 2, 1, 2, 2, 1, 2, 2, 1):
        state = state.after(f"(deposit {bank})")
        assert state.percepts["thief"] == terms(f"(deposited {bank})")
    over = state.after(f"(raid {raided})")
    assert (over.goals["banker"], over.goals["thief"]) == goals


def test_a_scan_finds_the_ship_and_is_noticed() -> None:
    state = load("battleshipsinfog").replay([{"random": "(place 1 1 3 4)"}])
    assert state.percepts["captain"] == terms("(placed 3 4)")
    scanned = state.after("scan")
    assert scanned.percepts["admiral"] == terms("(scan 3 4)")
    assert scanned.percepts["captain"] == {Term("scanned")}
    away = scanned.after("(move west)").after("(fire 3 4)")
    assert not away.is_terminal
    hit = scanned.after("wait").after("(fire 3 4)")
    assert hit.is_terminal
    assert (hit.goals["admiral"], hit.goals["captain"]) == (100, 0)


def test_a_refused_try_of_kriegspiel_keeps_the_turn() -> None:
    state = load("kriegtictactoe").replay("(try 3 3)")
    assert state.percepts["o"] == terms("(control o)")
    refused = state.after("(try 3 3)")
    assert refused.percepts == {"x": terms("(control o)"), "o": terms("(control o)")}
    assert len(refused.legal("o")) == 24


def test_a_try_on_a_taken_cell_costs_the_turn_in_the_abrupt_games() -> None:
    for name, first, second in [("abruptphantomtictactoe", "x", "o"), ("abruptdarkhex", "red", "blue")]:
        state = load(name).replay("(try 2 2)")
        assert state.percepts == {first: frozenset(), second: frozenset()}
        taken = state.after("(try 2 2)")
        assert taken.percepts == {first: frozenset(), second: terms("(taken 2 2)")}
        assert len(taken.legal(first)) == 8
        assert len(taken.after("(try 1 1)").legal(second)) == 8


def test_red_joins_the_columns_of_dark_hex() -> None:
    state = load("abruptdarkhex").replay("(try 1 2) (try 1 1) (try 2 2) (try 1 3) (try 3 1)")
    assert state.is_terminal
    assert state.goals == {"red": 100, "blue": 0}


def test_a_step_straight_into_a_hidden_pawn_is_refused() -> None:
    game = load("blindbreakthrough")
    state = game.replay("(move 3 2 3 3) (move 3 5 3 4) (move 3 3 3 4)")
    assert state.percepts == {"white": terms("(control white)"), "black": terms("(control white)")}
    assert "(move 3 3 3 4)" not in state.legal("white")
    assert "(move 3 3 4 4)" in state.legal("white")
    captured = state.after("(move 2 2 2 3)").after("(move 3 4 2 3)")
    assert captured.percepts["white"] == terms("(control white) (captured 2 3)")


def test_the_smuggler_must_not_meet_the_patrol() -> None:
    game = load("transit")
    state = game.replay("(move stay) (move north) (move south)")
    assert state.percepts == {"patrol": terms("(moved south)"), "smuggler": frozenset()}
    met = state.after("(move north)").after("(move south)").after("(move north)")
    assert met.is_terminal
    assert met.goals == {"smuggler": 0, "patrol": 100}


def test_a_disc_of_hidden_connect_tells_its_owner_where_it_landed() -> None:
    state = load("hiddenconnect").replay("(drop 2) (drop 2)")
    assert state.percepts == {"red": frozenset(), "black": terms("(landed 2 2)")}
    full = state.after("(drop 2)").after("(drop 2)")
    assert full.percepts == {"red": terms("(full 2)"), "black": terms("(landed 2 4) (full 2)")}
