"""Markets mean what the interpreter says, and their translation to GDL-II means the same."""

from __future__ import annotations

import random

import pytest

import ludorum
from collection import GAMES
from ludorum import library, market
from ludorum.game import Game
from ludorum.gdl import parse_term
from ludorum.gdl.terms import Term
from ludorum.market import Interpreter, Moment
from ludorum.state import State

MARKETS = [entry.name for entry in library.catalogue() if "market" in entry.tags]


def slides(*names: str) -> str:
    return "\n".join((GAMES / "markets" / name).read_text(encoding="utf-8") for name in names)


class Walk:
    """The interpreter and the engine side by side."""

    def __init__(self, name: str, seed: int) -> None:
        self.market = market.parse(library.entry(name).text, f"{name}.msl")
        self.game: Game = ludorum.load(name)
        self.interpreter = Interpreter(self.market)
        self.random = random.Random(seed)

    def ticks(self, wanted: int) -> int:
        done = 0
        while done < wanted:
            done += self.market_day(wanted - done)
        return done

    def market_day(self, limit: int) -> int:
        types = {trader: self.random.choice(sorted(self.interpreter.types(trader), key=str))
                 for trader in self.market.traders}
        moment, state = self.interpreter.dealt(types), self.game.initial
        for trader, kind in types.items():
            state = state.after({"random": str(Term("deal", (trader, kind)))})
            assert state.percepts[str(trader)] == {kind}
        for tick in range(limit):
            assert self.interpreter.is_closed(moment) == state.is_terminal
            if state.is_terminal:
                self.same_end(moment, state)
                return tick
            moment, state = self.tick(moment, state)
        return limit

    def tick(self, moment: Moment, state: State) -> tuple[Moment, State]:
        sent, joint = {}, {}
        for trader in self.market.traders:
            messages = sorted(self.interpreter.messages(moment, trader), key=str)
            assert {str(move) for move in state.legal(str(trader))} == {*map(str, messages), "silent"}
            message = self.random.choice([*messages, None])
            joint[str(trader)] = str(message or "silent")
            if message is not None:
                sent[trader] = message
        actions = sorted(self.interpreter.legal(moment, sent), key=str)
        if self.market.is_two_phased:
            state = state.after({**joint, "random": "none"})
            joint = dict.fromkeys(joint, "silent")
        assert {str(move) for move in state.legal("random")} == ({*map(str, actions)} or {"none"})
        action = self.random.choice(actions) if actions else None
        moment, told = self.interpreter.after(moment, sent, action)
        state = state.after({**joint, "random": str(action or "none")})
        assert {role: set(percepts) for role, percepts in state.percepts.items() if role != "random"} == {
            str(trader): set(messages) for trader, messages in told.items()}
        ours = {fluent for fluent in state.fluents if fluent.name not in ("stage", "time", "inbox")}
        assert ours == moment.state
        return moment, state

    def same_end(self, moment: Moment, state: State) -> None:
        scale = market.translate(self.market).scale
        for trader, payoff in self.interpreter.amounts(moment).items():
            assert payoff is not None
            assert state.goals[str(trader)] == 50 + scale * payoff


@pytest.mark.parametrize("name", MARKETS)
def test_interpreter_and_engine_agree(name: str) -> None:
    assert Walk(name, seed=1).ticks(40) == 40


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKETS)
def test_interpreter_and_engine_agree_on_many_ticks(name: str) -> None:
    assert Walk(name, seed=2).ticks(900) == 900


def test_the_library_has_the_markets_it_should_have() -> None:
    assert len(MARKETS) >= 12
    assert {"firstprice", "vickrey", "english"} <= set(MARKETS)


@pytest.mark.parametrize("name", MARKETS)
def test_rules_of_markets_are_clean_and_say_what_they_are(name: str) -> None:
    entry = library.entry(name)
    assert market.check(entry.text, name) == []
    assert entry.players == len(market.parse(entry.text).traders)
    assert entry.description


@pytest.mark.corpus
def test_the_auction_of_the_slides_counts_as_worked_out_by_hand() -> None:
    game = ludorum.load(slides("sealed-bid.msl", "private-values.scenario"))
    # 36 deals; 49 messages a tick; at the last 42 clearings of two bids, 12 of one and none of none.
    assert game.perft(6) == [6, 36, 36 * 49, 36 * 49 * 49, 1_764 * 55 * 49, 0]


@pytest.mark.corpus
def test_a_trader_of_the_slides_is_told_its_bid_and_the_winner_and_no_more() -> None:
    game = ludorum.load(slides("sealed-bid.msl", "private-values.scenario"))
    state = game.replay([{"random": "(deal a_1 (value a_1 3))"}, {"random": "(deal a_2 (value a_2 5))"}])
    bids = {"a_1": "(my_bid 2)", "a_2": "(my_bid 4)", "random": "none"}
    state = state.after(bids)
    assert not any(state.percepts.values())
    state = state.after(bids)
    assert state.percepts["a_1"] == {parse_term("(bid_accepted 2)")}
    state = state.after({"a_1": "silent", "a_2": "silent", "random": "(clearing a_2 4)"})
    assert state.percepts["a_1"] == state.percepts["a_2"] == {parse_term("(winner a_2 4)")}
    assert state.goals == {"a_1": 50, "a_2": 60, "random": None}


def test_the_english_auction_goes_to_the_higher_value_at_the_lower() -> None:
    game = ludorum.load("english")
    state = game.replay([{"random": "(deal a_1 (value a_1 4))"}, {"random": "(deal a_2 (value a_2 2))"}])
    values, standing = {"a_1": 4, "a_2": 2}, ("", -1)
    while not state.is_terminal:
        price = standing[1] + 1
        sent = {role: f"(raise {price})" if price <= value and role != standing[0] else "silent"
                for role, value in values.items()}
        state = state.after({**sent, "random": "none"})
        action = state.legal("random")[0]
        state = state.after({"a_1": "silent", "a_2": "silent", "random": action})
        for fluent in state.fluents:
            if fluent.name == "standing":
                standing = str(fluent.args[0]), int(fluent.args[1])
    assert standing == ("a_1", 2)
    assert state.goals == {"a_1": 70, "a_2": 50, "random": None}


@pytest.mark.parametrize(("bids", "asks", "trades", "doubled"), [
    ((9, 7, 4), (3, 5, 8), 2, 12),
    ((10, 8, 6, 2), (1, 5, 7, 9), 2, 13),
    ((3, 2), (4, 5), 0, None),
    ((5, 5), (5, 5), 2, 10),
    ((9, 9, 1), (2, 8, 9), 2, 17),
])
def test_the_call_market_makes_most_trades_in_the_middle(bids: tuple[int, ...], asks: tuple[int, ...], trades: int,
                                                         doubled: int | None) -> None:
    traders = [*(f"b_{n}" for n in range(1, len(bids) + 1)), *(f"s_{n}" for n in range(1, len(asks) + 1))]
    lines = [line for line in library.entry("callmarket").text.splitlines()
             if not line.startswith(("trader(", "buyer(b_", "seller(s_", "place(", "prices(", "type(", "payoff("))]
    text = "\n".join(lines).replace("4", str(len(traders)))
    text += "prices(0,10).\n" + "".join(
        f"trader({name}). place({name},{n}). {'buyer' if name[0] == 'b' else 'seller'}({name}).\n"
        for n, name in enumerate(traders, start=1))
    interpreter = Interpreter(market.parse(text, "call.msl"))
    sent = {Term(name): Term("order", (Term(str(price)),))
            for name, price in zip(traders, (*bids, *asks), strict=True)}
    moment, _ = interpreter.after(interpreter.start, sent, None)
    actions = sorted(map(str, interpreter.legal(moment, {})))
    assert actions == ([f"(clear {doubled})"] if doubled is not None else [])
    if actions:
        moment, _ = interpreter.after(moment, {}, parse_term(actions[0]))
        assert sum(fluent.name == "bought" for fluent in moment.state) == trades
        assert sum(fluent.name == "sold" for fluent in moment.state) == trades


ORDERS = [("t_1", "sell", 7), ("t_2", "buy", 5), ("t_3", "sell", 6), ("t_4", "buy", 6), ("t_2", "buy", 8),
          ("t_1", "sell", 4), ("t_4", "buy", 3), ("t_3", "sell", 3)]


@pytest.mark.corpus
def test_the_continuous_double_auction_of_the_samples_ends_with_an_empty_book() -> None:
    interpreter = Interpreter(market.parse(slides("cda.msl"), "cda.msl"))
    moment = interpreter.start
    for who, side, price in ORDERS:
        sent = {Term(who): parse_term(f"(order {side} {price})")}
        (action,) = interpreter.legal(moment, sent)
        moment, _ = interpreter.after(moment, sent, action)
    trades = {str(fluent) for fluent in moment.state if fluent.name == "traded"}
    assert {trade.rsplit(" ", 1)[0] for trade in trades} == {
        "(traded t_4 t_3 6", "(traded t_2 t_1 7", "(traded t_2 t_1 5", "(traded t_4 t_3 3"}
    assert not [fluent for fluent in moment.state if fluent.name == "book"]


def test_the_continuous_double_auction_of_the_library_ends_like_that_of_the_samples() -> None:
    game = ludorum.load(library.entry("cda").text.replace("prices(0,5)", "prices(0,9)"))
    silent = dict.fromkeys(("t_1", "t_2", "t_3", "t_4"), "silent")
    state = game.replay([{"random": f"(deal t_{n} (value t_{n} {value}))"} for n, value in enumerate((2, 8, 1, 7), 1)])
    told = []
    for who, side, price in ORDERS:
        state = state.after({**silent, who: f"(order {side} {price})", "random": "none"})
        state = state.after({**silent, "random": f"(handle {who} {side} {price})"})
        told.append({str(term) for term in state.percepts["t_1"]})
    assert state.is_terminal
    assert [sorted(terms) for terms in told] == [
        ["(quote sell 7)"], ["(quote buy 5)"], ["(quote sell 6)"], ["(traded t_3 sell 6)", "(traded t_4 buy 6)"],
        ["(traded t_1 sell 7)", "(traded t_2 buy 7)"], ["(traded t_1 sell 5)", "(traded t_2 buy 5)"],
        ["(quote buy 3)"], ["(traded t_3 sell 3)", "(traded t_4 buy 3)"]]
    assert not [fluent for fluent in state.fluents if fluent.name == "book"]
    # By hand: t_1 sells at 7 and 5 what is worth 2 to it, t_2 buys at 7 and 5 what is worth 8, and so on.
    # A payoff is 18 at the most, so a unit is 2 points.
    assert state.goals == {"t_1": 66, "t_2": 58, "t_3": 64, "t_4": 60, "random": None}


def test_who_was_first_at_a_price_trades_first_and_nobody_trades_with_itself() -> None:
    game = ludorum.load("cda")
    silent = dict.fromkeys(("t_1", "t_2", "t_3", "t_4"), "silent")
    state = game.replay([{"random": f"(deal t_{n} (value t_{n} 3))"} for n in range(1, 5)])
    for who, side, price in (("t_3", "sell", 4), ("t_1", "sell", 4), ("t_2", "buy", 5)):
        state = state.after({**silent, who: f"(order {side} {price})", "random": "none"})
        state = state.after({**silent, "random": f"(handle {who} {side} {price})"})
    assert {str(term) for term in state.percepts["t_4"]} == {"(traded t_3 sell 4)", "(traded t_2 buy 4)"}
    assert {str(move) for move in state.legal("t_1")} == {"silent", *(f"(order sell {price})" for price in range(6))}
