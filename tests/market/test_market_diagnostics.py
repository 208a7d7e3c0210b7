"""Broken markets get diagnostics that name the culprit, point at it, and help."""

from __future__ import annotations

import pytest

from ludorum import market

# A market that is right, of which each example changes one line.
RIGHT = {
    "traders": "trader(a). trader(b).",
    "prices": "prices(0,3).",
    "message": "message(A,bid(P)) <= trader(A) ∧ P ≥ 0.",
    "next": "next(bid(A,P)) <= receive(A,bid(P)).",
    "legal": "legal(sell(A,P)) <= true(bid(A,P)).",
    "send": "send(A,sold(A1,P)) <= trader(A) ∧ does(sell(A1,P)).",
    "terminal": "terminal <= time(2).",
    "type": "type(A,value(A,V)) <= trader(A) ∧ V ≥ 0.",
    "payoff": "payoff(A,0) <= trader(A).",
}
# What is changed, into what, the code of what is found, and a word of the line that it points at (none for the whole).
BROKEN = [
    ("traders", "trader(a). trader(B) <= friend(B). friend(c).", "market-trader-not-fact", "trader(B)"),
    ("traders", "trader(a). trader(random).", "market-reserved", "random"),
    ("traders", "role(a). role(b).", "market-gdl-word", "role"),
    ("prices", "", "market-no-range", "≥"),
    ("prices", "prices(5,1).", "market-bad-range", "prices"),
    ("prices", "prices(low,high).", "market-bad-range", "prices"),
    ("message", "message(A,bid(P)) <= trader(A).", "market-unsafe", "bid(P)"),
    ("message", "message(A,bid(P)) <= trader(A) ∧ P ≥ 0 ∧ receive(A,bid(P)).", "market-too-early", "message"),
    ("message", "", "market-missing", None),
    ("next", "next(bid(A,P)) <= legal(sell(A,P)).", "market-answer-word", "legal"),
    ("next", "true(bid(A,P)) <= receive(A,bid(P)).", "market-given-word", "true"),
    ("next", "next(bid(A,P)) <= receive(bid(P)).", "market-arity", "receive"),
    ("legal", "legal(sell(A,P)) <= true(bid(A,P)) ∧ ¬odd(P).\nodd(P) <= true(bid(A,P)) ∧ ¬odd(P).",
     "market-unstratified", "odd"),
    ("legal", "legal(sell(A,P)) <= true(bid(A,P)) ∧ does(sell(A,P)).", "market-too-early", "legal"),
    ("send", "send(A,sold(A1,P)) <= trader(A) ∧ does(sell(A1,P)) ∧ receive(A,offer(P)).", "market-unknown-message",
     "offer"),
    ("send", "send(A,sold(A1,P)) <= trader(A) ∧ does(sell(A1,P)) ∧ cheap(P).", "market-undefined", "cheap"),
    ("terminal", "terminal <= true(bid(A,3)) ∧ time(T).", "market-endless", "time"),
    ("type", "init(clock(T)) <= time(T).", "market-init-depends", "init"),
    ("payoff", "", "market-no-payoff", "type"),
    ("payoff", "payoff(A,U) <= true(value(A,V)) ∧ W = V + 99 ∧ U = W - 0.", "market-large-payoff", "payoff"),
]


def test_the_market_that_is_broken_below_is_right() -> None:
    assert market.check("\n".join(RIGHT.values())) == []


@pytest.mark.parametrize(("line", "text", "code", "word"), BROKEN,
                         ids=[f"{code}-{line}" for line, _, code, _ in BROKEN])
def test_a_broken_market_is_told_what_is_wrong_and_where(line: str, text: str, code: str, word: str | None) -> None:
    lines = {**RIGHT, line: text}
    source = "\n".join(lines.values())
    found = {finding.code: finding for finding in market.check(source, "broken.msl")}
    assert code in found
    finding = found[code]
    assert finding.message
    assert finding.help
    if word is not None:
        assert finding.span is not None
        pointed = source[:finding.span.start].count("\n")
        assert word in source.splitlines()[pointed]
