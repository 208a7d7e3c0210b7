"""Clocks that count what processors spend on the process instead of the time on the wall."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import get_args

import pytest

import ludorum
from ludorum import Move, State
from ludorum.clock import NEVER, Deadline, Kind, counting, now
from ludorum.match import Clocks
from ludorum.match.duel import Duel
from ludorum.match.referee import conduct
from ludorum.match.seat import LocalSeat
from ludorum.players import Legal
from ludorum.players.background import Background

KINDS: tuple[Kind, ...] = get_args(Kind)

SEARCH = """
import time, ludorum
from ludorum.clock import counting
from ludorum.players import MCTS, Minimax
state = ludorum.load("breakthrough").initial
print("ready", flush=True)
for player in (MCTS(seconds=0.2), Minimax(seconds=0.2)):
    with counting("processor"):
        began = time.process_time()
        player.move(state, "white")
        print(time.process_time() - began, flush=True)
"""


class Sleepy(Legal):
    """Takes longer on the wall than any clock allows, and hardly anything of the processor."""

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        time.sleep(0.3)
        return super().move(state, role, deadline)


def test_who_waits_for_something_else_is_not_late_by_the_processor() -> None:
    game = ludorum.load("tictactoe")
    late = {}
    for of in KINDS:
        clocks = Clocks(None, 0.05, grace=0.1, of=of)
        record = conduct(game, {"xplayer": LocalSeat(Sleepy()), "oplayer": LocalSeat(Legal())}, clocks=clocks,
                         max_steps=2)
        assert record.clocks_of == of
        late[of] = any(error.kind == "late" for error in record.errors)
    assert late == {"wall": True, "processor": False}


def test_searches_that_do_not_get_the_processor_lose_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", SEARCH], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        # By the wall each would be over while it stands still.
        for _ in range(2):
            time.sleep(0.05)
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.4)
            child.send_signal(signal.SIGCONT)
        used = [float(line) for line in child.stdout]
    assert child.returncode == 0
    assert len(used) == 2
    # A search ends a twentieth before its time, to be on the way back by then.
    assert min(used) >= 0.2 * 0.95 - 1e-3


def test_whoever_waits_for_work_beside_it_waits_as_long_as_that_takes() -> None:
    def work() -> str:
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass
        return "done"

    with counting("processor"):
        background = Background(work)
        assert background.wait(Deadline.within(10))
        assert background.result == "done"
        assert not Background(lambda: time.sleep(60)).wait(Deadline(now()))
    assert now() == pytest.approx(time.monotonic(), abs=60)


def test_matches_by_the_processor_are_others_than_those_by_the_wall() -> None:
    game = ludorum.load("tictactoe")
    names = {of: Duel(game, "random", "legal", Clocks(1, 1, of=of)).pair(0)[0].id for of in KINDS}
    assert len(set(names.values())) == 2


def test_players_elsewhere_have_no_clock_of_the_processor() -> None:
    class Away(LocalSeat):
        is_local = False

    game = ludorum.load("tictactoe")
    with pytest.raises(ValueError, match="how long a processor worked"):
        conduct(game, {role: Away(Legal()) for role in game.roles}, clocks=Clocks(1, 1, of="processor"))
