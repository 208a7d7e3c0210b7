"""The auction of the slides over HTTP: a referee and three players, and what nobody is told."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import product

import pytest

import ludorum
from collection import GAMES
from ludorum.game import Game
from ludorum.match import Clocks, conduct
from ludorum.match.remote import RemoteSeat
from ludorum.serve.options import Options
from ludorum.serve.server import serving

pytestmark = pytest.mark.corpus


@pytest.fixture
def slides() -> Game:
    """As the slides have it, for three traders."""
    text = "".join((GAMES / "markets" / name).read_text(encoding="utf-8")
                   for name in ("sealed-bid.msl", "private-values.scenario"))
    return ludorum.load(text.replace("trader(a_2) <= .", "trader(a_2) <= .\ntrader(a_3) <= .").replace("0..5", "0..2"))


@pytest.mark.slow
def test_a_referee_and_three_players_hold_the_auction_over_http(slides: Game) -> None:
    with ExitStack() as servers:
        seats = {f"a_{number}": RemoteSeat(servers.enter_context(serving(Options(player="truthful"))))
                 for number in (1, 2, 3)}
        record = conduct(slides, seats, clocks=Clocks(20, 10, 5), seed=1)
    assert record.outcome == "finished"
    assert record.errors == []
    assert record.percepts is not None
    told = {term.strip("(").split()[0] for turn in record.percepts for role, terms in turn.items()
            if role != "random" for term in terms}
    assert told == {"value", "bid_accepted", "winner"}


def test_no_loser_is_told_anything_that_depends_on_another_losing_bid(slides: Game) -> None:
    deals = [{"random": f"(deal a_{number} (value a_{number} 1))"} for number in (1, 2, 3)]
    quiet = {f"a_{number}": "silent" for number in (1, 2, 3)}
    before = slides.replay([*deals, {**quiet, "random": "none"}])
    heard: dict[tuple[str, str, str], set[frozenset[object]]] = {}
    # Whoever does not win and bids the same is told the same, whatever the third did below the winning bid.
    for bids in product(("silent", "(my_bid 0)", "(my_bid 1)"), repeat=2):
        joint = {"a_1": bids[0], "a_2": bids[1], "a_3": "(my_bid 2)", "random": "none"}
        bidding = before.after(joint)
        cleared = bidding.after({**quiet, "random": "(clearing a_3 2)"})
        for role, mine in zip(("a_1", "a_2"), bids, strict=True):
            told = frozenset((turn, term) for turn, state in enumerate((bidding, cleared))
                             for term in state.percepts[role])
            heard.setdefault((role, mine, "a_3"), set()).add(told)
    assert heard
    assert all(len(ways) == 1 for ways in heard.values())
