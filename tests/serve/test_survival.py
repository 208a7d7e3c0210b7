"""Whatever happens to its processes, the player answers in time with a legal move."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import odd_players
import pytest
from driving import Driven, drive

import ludorum
from ludorum.clock import Deadline
from ludorum.errors import PlayerFailed
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.move import Move
from ludorum.players import AnyPlayer
from ludorum.protocol import RemotePlayer
from ludorum.serve import Options, serving
from ludorum.serve.server import PlayerServer

pytestmark = pytest.mark.slow

CLOCK = 20.0


def soon() -> Deadline:
    return Deadline.within(CLOCK)


@pytest.mark.parametrize("player", [
    odd_players.Hangs, odd_players.Dies, odd_players.Fails, odd_players.Cheats, odd_players.HangsPreparing,
])
def test_a_match_is_played_legally_whatever_the_player_does(player: Callable[[], AnyPlayer], tictactoe: Game) -> None:
    with serving(Options(player=player)) as address:
        driven = drive(tictactoe, address, start_clock=4, play_clock=2, max_steps=2, roles={"oplayer"})
    assert driven.faults == []
    assert driven.steps == 2


def test_a_player_that_was_killed_in_mid_move_comes_back_and_knows_the_match(
        tictactoe: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIED_ONCE", str(tmp_path / "died"))
    with serving(Options(player=PlayerOf(str(tmp_path / "died")))) as address:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
        player.play("m", "(mark 1 1) noop", soon())
        # It dies while it thinks about this, and its successor was told both turns: it alone plays the last square.
        assert player.play("m", "noop (mark 2 2)", soon()) == Move("(mark 3 3)")
    assert (tmp_path / "died").exists()


class PlayerOf:
    """Makes a DiesOnce, wherever its process was forked from."""

    def __init__(self, note: str) -> None:
        self.note = note

    def __call__(self) -> AnyPlayer:
        os.environ["DIED_ONCE"] = self.note
        return odd_players.DiesOnce()


#: One walks along a line, and could wander in a space of hundreds of thousands of places: compiling them takes long.
VAST = """
(role walker) (init (at 0 0 0)) (init (step 0))
""" + " ".join(f"(succ {n} {n + 1})" for n in range(90)) + """
(<= (legal walker east) (true (at ?x ?y ?z)) (succ ?x ?w))
(<= (legal walker north) (true (at ?x ?y ?z)) (succ ?y ?w))
(<= (legal walker up) (true (at ?x ?y ?z)) (succ ?z ?w))
(<= (next (at ?w ?y ?z)) (does walker east) (true (at ?x ?y ?z)) (succ ?x ?w))
(<= (next (at ?x ?w ?z)) (does walker north) (true (at ?x ?y ?z)) (succ ?y ?w))
(<= (next (at ?x ?y ?w)) (does walker up) (true (at ?x ?y ?z)) (succ ?z ?w))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 90)))
(<= (goal walker 100) (true (at ?x ?x ?x)))
(<= (goal walker 0) (true (at ?x ?y ?z)) (distinct ?x ?y))
"""


def test_a_game_that_takes_long_to_compile_is_started_and_played_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", "off")
    player_of_rules = ludorum.load(VAST, engine="reference")
    with serving(Options(player="random")) as address:
        driven = drive(player_of_rules, address, start_clock=3, play_clock=2, max_steps=2)
    assert driven.faults == []
    assert driven.steps == 2


def test_many_matches_at_once_are_all_answered() -> None:
    games = [ludorum.load(name) for name in ("tictactoe", "nim", "rockpaperscissors", "phantomtictactoe")]
    # The clocks are for a machine that has other things to do; the player thinks for less.
    with serving(Options(player="montecarlo:seconds=0.2")) as address, ThreadPoolExecutor(8) as pool:
        def one(number: int) -> Driven:
            return drive(games[number % len(games)], address, start_clock=20, play_clock=5, seed=number, max_steps=3,
                         roles={games[number % len(games)].roles[number % 2]})

        driven = list(pool.map(one, range(20)))
    assert [fault for each in driven for fault in each.faults] == []
    assert all(each.steps for each in driven)


def test_a_referee_that_leaves_in_mid_move_may_come_back(tictactoe: Game) -> None:
    with serving(Options(player=odd_players.ThinksToTheEnd)) as address:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, 2.5, soon())
        with pytest.raises(PlayerFailed):
            player.play("m", None, Deadline.within(0.3))
        assert player.play("m", "(mark 1 1) noop", soon()) == Move("noop")


def test_a_question_that_is_asked_again_before_it_was_answered_is_answered(tictactoe: Game) -> None:
    with serving(Options(player=odd_players.ThinksToTheEnd)) as address, ThreadPoolExecutor(3) as pool:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, 1.5, soon())
        moves = list(pool.map(lambda _: player.play("m", None, soon()), range(3)))
        assert all(move in tictactoe.initial.legal("xplayer") for move in moves)
        player.play("m", "(mark 1 1) noop", soon())
        moves = list(pool.map(lambda _: player.play("m", "noop (mark 2 2)", soon()), range(3)))
        assert all(move in tictactoe.replay("(mark 1 1) (mark 2 2)").legal("xplayer") for move in moves)


def command(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A player started on the command line, and its address."""
    process = subprocess.Popen([sys.executable, "-c", "from ludorum.cli import main; main()", "serve", "--port", "0",
                                *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    found = re.search(r"http://[\d.:]+", process.stdout.readline())
    assert found is not None
    return process, found.group()


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that these have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, left = set(), [pid]
    while left:
        for child in parents.get(left.pop(), []):
            found.add(child)
            left.append(child)
    return found


def are_running(pids: set[int]) -> bool:
    def runs(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    return any(map(runs, pids))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_player(tictactoe: Game, signal_number: int) -> None:
    process, address = command("--player", "montecarlo:seconds=60")
    try:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
        answers: list[object] = []

        def ask() -> None:
            try:
                answers.append(player.play("m", None, soon()))
            except PlayerFailed as error:
                answers.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.5)
        children = descendants(process.pid)
        assert are_running(children)
        process.send_signal(signal_number)
        status = process.wait(60)
        asking.join()
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if signal_number != signal.SIGKILL:
        # Told to stop, it answers what it was asked first.
        assert status == 0
        assert answers[0] in tictactoe.initial.legal("xplayer")
    deadline = Deadline.within(60)
    while are_running(children):
        assert not deadline.passed
        time.sleep(0.05)


def test_a_port_that_is_taken_is_told_in_a_line(address: str) -> None:
    port = address.rpartition(":")[2]
    ended = subprocess.run([sys.executable, "-c", "from ludorum.cli import main; main()", "serve", "--port", port],
                           capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"ludorum: cannot listen on port {port}")
    assert len(ended.stderr.splitlines()) == 1


def test_a_signal_while_it_is_still_starting_ends_it_without_a_word() -> None:
    server = PlayerServer(Options())
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
