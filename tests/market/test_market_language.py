"""The language: both syntaxes, numbers, and how it is told from others."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludorum
from ludorum import languages, loading, market
from ludorum.errors import InvalidRules
from ludorum.gdl import Source, parse_term

INFIX = """
trader(a). trader(b).
prices(0,3).
message(A,bid(P)) <= trader(A) ∧ P ≥ 1 ∧ time(0).
next(high(P+1)) <= receive(A,bid(P)) ∧ ¬topped(P).
topped(P) <= receive(A,bid(P)) ∧ receive(B,bid(Q)) ∧ Q > P.
terminal <= time(1).
"""
KIF = """
; prices: 0..3
(trader a) (trader b)
(<= (message ?a (bid ?p)) (trader ?a) (>= ?p 1) (time 0))
(<= (next (high (+ ?p 1))) (receive ?a (bid ?p)) (not (topped ?p)))
(<= (topped ?p) (receive ?a (bid ?p)) (receive ?b (bid ?q)) (> ?q ?p))
(<= terminal (time 1))
"""


@pytest.mark.parametrize("text", [INFIX, KIF], ids=["infix", "kif"])
def test_both_syntaxes_say_the_same(text: str) -> None:
    game = ludorum.load(text)
    assert [str(move) for move in game.initial.legal("a")] == ["(bid 1)", "(bid 2)", "(bid 3)", "silent"]
    after = game.initial.after({"a": "(bid 3)", "b": "(bid 1)"})
    assert after.is_terminal
    assert after.holds("(high 4)")


def test_a_market_is_told_from_a_game() -> None:
    assert market.is_market(Source(INFIX))
    assert market.is_market(Source(KIF))
    assert not market.is_market(Source(ludorum.library.entry("kuhnpoker").text))
    assert market.is_market(Source("whatever", "broken.msl"))


def test_payoffs_become_goals_by_one_factor() -> None:
    translation = market.translate(market.parse(ludorum.library.entry("vickrey").text))
    assert translation.scale == 10
    assert translation.units(70) == 2


def test_types_are_dealt_one_trader_a_step_and_told_to_it_alone() -> None:
    state = ludorum.load("vickrey").initial
    state = state.after({"random": "(deal a_1 (value a_1 3))"})
    assert state.percepts["a_1"] == {parse_term("(value a_1 3)")}
    assert not state.percepts["a_2"]


def test_the_translation_is_a_rulesheet_like_any_other() -> None:
    text = languages.parse(Source(ludorum.library.entry("firstprice").text, "firstprice.msl")).source.text
    assert ludorum.load(text).perft(4) == ludorum.load("firstprice").perft(4)


def test_errors_of_a_market_are_raised_together() -> None:
    with pytest.raises(InvalidRules) as caught:
        market.parse("trader(a).\ntrader(B) <= x(B).\nmessage(A,M) <= send(A,M).\nrole(a).\n")
    assert {finding.code for finding in caught.value.diagnostics} >= {
        "market-trader-not-fact", "market-answer-word", "market-gdl-word"}


SCENARIO = """
type(A,value(A,V)) <= trader(A) ∧ V ≥ 1.
payoff(A,V) <= true(value(A,V)).
"""


def test_what_traders_want_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    rules, scenario = tmp_path / "auction.msl", tmp_path / "values.scenario"
    rules.write_text(INFIX, encoding="utf-8")
    scenario.write_text(SCENARIO, encoding="utf-8")
    game = ludorum.load(f"{rules}+{scenario}")
    assert game.name == "auction"
    assert game.perft(2) == ludorum.load(INFIX + SCENARIO).perft(2) == [3, 9]


def test_a_mistake_in_the_second_file_is_shown_there(tmp_path: Path) -> None:
    rules, scenario = tmp_path / "auction.msl", tmp_path / "values.scenario"
    rules.write_text(INFIX, encoding="utf-8")
    scenario.write_text(SCENARIO.replace("payoff", "pay_off"), encoding="utf-8")
    (found,) = languages.check(loading.find(f"{rules}+{scenario}"))
    assert (found.code, found.line, found.column) == ("market-no-payoff", 2, 1)
    assert f"--> {scenario}:2:1" in str(found)
    assert "type(A,value(A,V))" in str(found)
