"""A live market: messages of a tick go out together, late ones wait, who is gone is silent, and records replay."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import ludorum
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.marketplace import DoorLine, SeatLine, TerminalLine, Ticks, door, hold
from ludorum.marketplace.door import Desk
from ludorum.match import Record
from ludorum.match import record as records
from ludorum.match.remote import RemoteSeat
from ludorum.match.seat import Answer, History, LocalSeat, Terms
from ludorum.move import Move
from ludorum.players import Truthful
from ludorum.serve.options import Options
from ludorum.serve.server import serving

SILENT = Move("silent")
LUDORUM = [sys.executable, "-c", "from ludorum.cli import main; main()"]
# Three ticks in which everybody may shout a number, and all hear it at the next.
SHOUTS = """
trader(a). trader(b). prices(0,9).
message(A,shout(P)) <= trader(A) ∧ P ≥ 0.
next(heard(A,P)) <= receive(A,shout(P)).
next(heard(A,P)) <= true(heard(A,P)).
send(A1,shouted(A,P)) <= trader(A1) ∧ receive(A,shout(P)).
terminal <= time(4).
"""


def sent(record: Record, role: str) -> list[str]:
    return [joint[role] for joint in record.moves]


class TicksByWork(Ticks):
    """A tick ends when what is to happen in it has happened, however busy the machine is."""

    def __init__(self, game: Game, is_over: Callable[[int], bool], opening: float | None = None) -> None:
        super().__init__(60.0, [role for role in game.roles if role != "random"], opening)
        self._is_over = is_over
        self._ended: set[int] = set()

    def wait(self, step: int) -> None:
        # Over for one is over for all, though the first may have taken what it waited for.
        while step not in self._ended:
            if self._is_over(step):
                self._ended.add(step)
            time.sleep(0.01)


class Late:
    """A seat that answers the first question only when it is let go."""

    is_local = False
    name = spec = "late"

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def start(self, terms: Terms, deadline: Deadline) -> None: ...

    def catch_up(self, news: History, deadline: Deadline) -> None: ...

    def play(self, news: History, deadline: Deadline) -> Answer:
        self.let_go.wait()
        move = Move("(shout 1)") if news.step == 0 else SILENT
        return Answer(move, str(move))

    def stop(self, news: History, deadline: Deadline) -> None: ...

    def abort(self, deadline: Deadline) -> None: ...


@pytest.fixture
def shouts() -> Game:
    return ludorum.load(SHOUTS, name="shouts")


def test_a_late_message_waits_for_the_next_tick(shouts: Game) -> None:
    late = Late()
    line = SeatLine(late, 60.0)

    def is_over(step: int) -> bool:
        if step == 1:
            late.let_go.set()
        return step != 1 or len(line.tray) == 1

    record = hold(shouts, {"a": line, "b": DoorLine()}, silent=SILENT, tick=60, opening=0,
                  ticks=TicksByWork(shouts, is_over, 0.0))
    assert sent(record, "a") == ["silent", "(shout 1)", "silent", "silent"]
    assert sent(record, "b") == ["silent"] * 4
    assert record.outcome == "finished"


def test_two_messages_of_one_tick_go_out_one_after_the_other_and_nonsense_does_not(shouts: Game) -> None:
    line = DoorLine()
    for text in ("(shout 3)", "(shout 99)", "(shout 4)"):
        line.tray.put(Move(text))
    record = hold(shouts, {"a": line, "b": DoorLine()}, silent=SILENT, tick=0.05, opening=0)
    assert sent(record, "a") == ["(shout 3)", "(shout 4)", "silent", "silent"]


def test_a_person_at_the_terminal_types_messages_and_reads_what_it_is_told(shouts: Game) -> None:
    printed = io.StringIO()
    line = TerminalLine(io.StringIO("(shout 3)\n\n(shout\n(shout 4)\n"), printed)
    record = hold(shouts, {"a": line, "b": DoorLine()}, silent=SILENT, tick=60, opening=0,
                  ticks=TicksByWork(shouts, lambda step: step > 0 or len(line.tray) == 2, 0.0))
    assert sent(record, "a") == ["(shout 3)", "(shout 4)", "silent", "silent"]
    lines = printed.getvalue().splitlines()
    assert lines[0].startswith("you are a;")
    assert "   1  you are told (shouted a 3)" in lines
    assert lines[-1] == "the market is closed"
    assert record.errors == []


class Trader:
    """A trader that comes in by the door."""

    def __init__(self, address: str, role: str, messages: dict[int, str]) -> None:
        self.address, self.role, self.messages = address, role, messages
        self.told: list[str] = []

    def post(self, text: str) -> str:
        return httpx.post(f"http://{self.address}/", content=text, timeout=30).text

    def trade(self) -> None:
        start = self.post(f"(JOIN {self.role})")
        while "not open yet" in start:
            time.sleep(0.02)
            start = self.post(f"(JOIN {self.role})")
        assert start.startswith("(START ")
        match = start.split()[1]
        for turn in range(100):
            news = self.post(f"(NEXT {match} {turn})")
            self.told.append(news)
            if news.startswith("(STOP "):
                return
            if turn in self.messages:
                assert self.post(f"(SEND {match} {self.messages[turn]})") == "RECEIVED"


def test_traders_come_in_by_the_door_and_are_told_their_own_percepts_alone() -> None:
    game = ludorum.load("firstprice")
    lines = {"a_1": DoorLine(), "a_2": DoorLine()}
    with door(Desk("firstprice", lines)) as address:
        traders = [Trader(address, role, {2: f"(bid {bid})"}) for role, bid in (("a_1", 1), ("a_2", 3))]
        threads = [threading.Thread(target=trader.trade) for trader in traders]
        for thread in threads:
            thread.start()
        record = hold(game, lines, silent=SILENT, tick=60, opening=60, seed=1,
                      ticks=TicksByWork(game, lambda step: all(len(line.tray) for line in lines.values())))
        for thread in threads:
            thread.join(timeout=30)
        refused = httpx.post(f"http://{address}/", content="(NEXT nobody.0 0)", timeout=30)
        taken = httpx.post(f"http://{address}/", content="(JOIN a_1)", timeout=30)
    assert (refused.status_code, taken.status_code) == (400, 409)
    assert sent(record, "a_1")[2] == "(bid 1)"
    assert sent(record, "a_2")[2] == "(bid 3)"
    loser, winner = (" ".join(trader.told) for trader in traders)
    assert "(bid_accepted 1)" in loser
    assert "(winner a_2 3)" in loser
    assert "bid_accepted 3" not in loser
    # Nobody is told the losing bid but who made it, nor another's value.
    assert "1)" not in winner.replace("a_1)", "")
    assert "(value a_2" not in loser


def test_players_of_the_protocol_trade_without_a_change() -> None:
    game = ludorum.load("firstprice")
    with serving(Options(player="truthful")) as one, serving(Options(player="truthful")) as other:
        lines = {"a_1": SeatLine(RemoteSeat(one), 60.0), "a_2": SeatLine(RemoteSeat(other), 60.0)}
        record = hold(game, lines, silent=SILENT, tick=60, opening=60, seed=2,
                      ticks=TicksByWork(game, lambda step: all(len(line.tray) for line in lines.values())))
    values = {role: next(term.split()[-1].strip(")") for percepts in record.percepts or () for term in percepts[role]
                         if term.startswith("(value")) for role in ("a_1", "a_2")}
    assert {role: sent(record, role)[2] for role in values} == {
        role: f"(bid {value})" for role, value in values.items()}


def test_a_trader_that_is_not_there_is_silent() -> None:
    game = ludorum.load("vickrey")
    lines = {"a_1": SeatLine(RemoteSeat("127.0.0.1:9"), 60.0), "a_2": SeatLine(LocalSeat(Truthful()), 60.0)}
    record = hold(game, lines, silent=SILENT, tick=60, opening=60, seed=3,
                  ticks=TicksByWork(game, lambda step: len(lines["a_2"].tray) == 1))
    assert set(sent(record, "a_1")) == {"silent"}
    assert sent(record, "a_2")[2].startswith("(bid")
    assert record.outcome == "finished"


def _states(path: Path) -> int:
    try:
        return len(records.read(path).states)
    except ludorum.errors.InvalidRecord:
        return 0


@pytest.mark.slow
def test_a_kill_loses_the_tick_in_progress_at_most_and_the_record_replays(tmp_path: Path) -> None:
    record_path = tmp_path / "day.json"
    rules = tmp_path / "shouts.msl"
    rules.write_text(SHOUTS.replace("time(4)", "time(12)"), encoding="utf-8")
    command = [*LUDORUM, "market", str(rules), "a=random:seed=1", "b=random:seed=2",
               "--port", "0", "--tick", "0.5", "--opening", "10", "--record", str(record_path)]
    market = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while _states(record_path) < 4:
            assert market.poll() is None
            time.sleep(0.05)
        seen = _states(record_path)
    finally:
        market.send_signal(signal.SIGKILL)
        market.wait()
    kept = records.read(record_path)
    assert len(kept.states) >= seen
    assert kept.outcome == "playing"
    done = subprocess.run([*command, "--resume"], stdout=subprocess.PIPE, check=True, timeout=120)
    assert done.returncode == 0
    whole = records.read(record_path)
    assert whole.outcome == "finished"
    assert whole.moves[:len(kept.moves)] == kept.moves
    assert len(whole.moves) == 12
    assert any(move != "silent" for joint in whole.moves for move in joint.values())
    replayed = subprocess.run([*LUDORUM, "replay", str(rules), str(record_path)],
                              stdout=subprocess.PIPE, check=False, timeout=60)
    assert replayed.returncode == 0
