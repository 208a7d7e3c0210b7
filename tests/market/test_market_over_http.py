"""The auction of the slides over HTTP: a referee and three players, and what nobody is told."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product

import pytest

import ludorum
from collection import GAMES
from ludorum.game import Game
from ludorum.match import Clocks, conduct
from ludorum.match.remote import RemoteSeat
from ludorum.verify import prove

pytestmark = pytest.mark.corpus


def three_bidders(more: str = "") -> Game:
    """As the slides have it, for three traders."""
    text = "".join((GAMES / "markets" / name).read_text(encoding="utf-8")
                   for name in ("sealed-bid.msl", "private-values.scenario"))
    text = text.replace("trader(a_2) <= .", "trader(a_2) <= .\ntrader(a_3) <= .").replace("0..5", "0..2")
    return ludorum.load(text + more)


@pytest.fixture
def slides() -> Game:
    return three_bidders()


@contextmanager
def player_process(player: str) -> Iterator[str]:
    """A player in a process of its own; its address."""
    process = subprocess.Popen([sys.executable, "-c", "from ludorum.cli import main; main()", "serve", "--port", "0",
                                "--player", player], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://([\d.:]+)", process.stdout.readline())
        assert found is not None
        yield found.group(1)
    finally:
        process.terminate()
        process.communicate()


@pytest.mark.slow
def test_a_referee_and_three_player_processes_hold_the_auction_over_http(slides: Game) -> None:
    with ExitStack() as processes:
        seats = {role: RemoteSeat(processes.enter_context(player_process(player)))
                 for role, player in (("a_1", "truthful"), ("a_2", "zi"), ("a_3", "ludorum"))}
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


def test_no_loser_ever_knows_whether_another_loser_has_bid_nor_what() -> None:
    """By knowledge: what holds in every match that looks the same to it. Bids are kept to be asked for at the end."""
    game = three_bidders("next(was(A,P)) <= true(bid(A,P)).\n")
    losers = [(winner, loser, other) for winner in "123" for loser in "123" for other in "123"
              if len({winner, loser, other}) == 3]
    formulas = [f"AG ((terminal and some ?q (sold a_{winner} ?q)) implies all ?p "
                f"(not K a_{loser} (was a_{other} ?p) and not K a_{loser} some ?r (was a_{other} ?r)))"
                for winner, loser, other in losers]
    # That others lose, and that the winning bid is known, so that there was something to hide.
    formulas += ["EF ((some ?q (sold a_3 ?q)) and (was a_2 1))", "EF (terminal and K a_1 (was a_3 2))"]
    assert [proof.verdict for proof in prove(game, *formulas)] == ["proved"] * 8
