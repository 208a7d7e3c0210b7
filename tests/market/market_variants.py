"""Markets of the library with other traders and prices, for tests."""

from __future__ import annotations

from ludorum import library


def market(name: str, traders: int = 2, prices: int = 5, lowest: int = 0) -> str:
    """An auction of the library for so many bidders with values from the lowest to the highest price."""
    lines = [line for line in library.entry(name).text.splitlines() if not line.startswith(("trader(", "prices("))]
    facts = [*(f"trader(a_{number})." for number in range(1, traders + 1)), f"prices(0,{prices})."]
    return "\n".join([*facts, *lines]).replace("trader(A) ∧ V ≥ 0.", f"trader(A) ∧ V ≥ {lowest}.")


def must_bid(text: str) -> str:
    """The same market where who is silent bids nothing at all: 0."""
    return text.replace("next(bid(A,P))    <= receive(A,bid(P)).",
                        "next(bid(A,P))    <= receive(A,bid(P)).\nspoke(A) <= receive(A,bid(P)).\n"
                        "next(bid(A,0)) <= trader(A) ∧ ¬spoke(A) ∧ time(0).")


def ties_to_the_first(text: str, traders: int = 2) -> str:
    """The same market where the first in order wins a tie."""
    facts = "\n".join(f"before(a_{one},a_{other})." for other in range(1, traders + 1) for one in range(1, other))
    return text.replace("outbid(P) <= true(bid(A,P)) ∧ true(bid(A1,P1)) ∧ P1 > P.",
                        "outbid(A) <= true(bid(A,P)) ∧ true(bid(A1,P1)) ∧ P1 > P.\n"
                        "outbid(A) <= true(bid(A,P)) ∧ true(bid(A1,P)) ∧ before(A1,A).\n" + facts).replace(
                        "best(A,P) <= true(bid(A,P)) ∧ ¬outbid(P).", "best(A,P) <= true(bid(A,P)) ∧ ¬outbid(A).")
