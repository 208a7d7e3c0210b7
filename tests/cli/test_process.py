"""The command as a process: interrupted, cut off, at a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from ludorum_command import main; main()"]


def test_an_interrupt_ends_it_with_one_line_and_130() -> None:
    process = subprocess.Popen([*COMMAND, "play", "connectfour", "--seconds", "60"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    # The board is there, so it thinks about the first move.
    while "control" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "ludorum: interrupted\n"


def loading(*arguments: str, until: str) -> subprocess.Popen[str]:
    """The command as soon as it has loaded a module. Python tells on standard error what it loads."""
    process = subprocess.Popen([sys.executable, "-X", "importtime", *COMMAND[1:], *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while not process.stderr.readline().endswith(f" {until}\n"):
        assert process.poll() is None
    return process


def interrupted(process: subprocess.Popen[str]) -> str:
    """What a process says when it is interrupted, which ends it; not what it loads."""
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    return "".join(line for line in err.splitlines(keepends=True) if not line.startswith("import time:"))


# What people interrupt: players that think in threads of their own, for a moment and for longer than anybody waits for
# them, threads of the core, and processes beside ours. None of it ends by itself.
LAMPS = " ".join(f"(lamp {number})" for number in range(50)) + """
    (role monkey) (<= (legal monkey (press ?x)) (lamp ?x))
    (<= (next (lit ?x)) (does monkey (press ?x)) (not (true (lit ?x))))
    (<= (next (lit ?x)) (true (lit ?x)) (not (does monkey (press ?x))))
    (<= (next bored) (true bored)) (<= terminal (true bored)) (goal monkey 0)"""
WORK = {
    "match": ["match", "connectfour", "minimax:seconds=60", "minimax:seconds=60", "--play-clock", "70"],
    "match of short thoughts": ["match", "connectfour", "mcts:seconds=0.1,threads=2", "random", "--games", "999"],
    "solve": ["solve", LAMPS],
    "bench": ["bench", "connectfour", "--seconds", "60", "--threads", "2"],
    "analyse": ["analyse", "breakthrough"],
}


@pytest.mark.parametrize("already", ["ludorum.errors", "ludorum.players.flux", "ludorum.cli.match"])
def test_an_interrupt_while_it_is_loaded_ends_it_quietly(already: str) -> None:
    # By the time that it hears of it, it may be further than that.
    assert interrupted(loading(*WORK["bench"], until=already)) in ("", "ludorum: interrupted\n")


@pytest.mark.parametrize("moment", [0.3, 1.3])
@pytest.mark.parametrize("what", WORK)
def test_an_interrupt_at_work_ends_it_with_no_more_than_one_line(what: str, moment: float) -> None:
    process = loading(*WORK[what], until="ludorum.cli.app")
    time.sleep(moment)
    assert interrupted(process) in ("", "ludorum: interrupted\n")


def test_an_interrupt_where_python_ignores_exceptions_is_not_lost() -> None:
    script = """
import sys, threading, time
from ludorum_command import main

class Fading:
    def __del__(self):
        raise KeyboardInterrupt

def fade():
    while sys.unraisablehook is sys.__unraisablehook__:  # it is not ready for that yet
        time.sleep(0.01)
    time.sleep(0.5)
    Fading()

threading.Thread(target=fade).start()
main()
"""
    ended = subprocess.run([sys.executable, "-c", script, *WORK["bench"]], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 130
    assert ended.stderr in ("", "ludorum: interrupted\n")


def test_a_reader_who_leaves_is_no_error() -> None:
    process = subprocess.Popen([*COMMAND, "play", "connectfour", "--seconds", "0.01"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(timeout=60)


@contextmanager
def at_a_terminal(*arguments: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The command at a terminal: where a person reads and types, and its process."""
    person, terminal = pty.openpty()
    process = subprocess.Popen([*COMMAND, *arguments], stdin=terminal, stdout=terminal, stderr=terminal)
    os.close(terminal)
    try:
        yield person, process
    finally:
        process.kill()
        process.wait()
        os.close(person)


def test_a_narrow_terminal_breaks_lines_and_no_numbers() -> None:
    person, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 40))
    with subprocess.Popen([*COMMAND, "games"], stdin=terminal, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        shown = _read_until(person, None)
        assert process.wait(timeout=30) == 0
    os.close(person)
    assert re.search(r"biddingtictactoe +Bidding Tic-Tac-Toe +simultaneous +2", shown)


def test_a_terminal_that_knows_few_letters_is_shown_the_rest() -> None:
    rules = "(role zoë) (legal zoë go) (<= (next over) (does zoë go)) (<= terminal (true over)) (goal zoë 100)"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for options, seen in (((), "(role zo?)"), (("--json",), "(role zo\\u00eb)")):
        ended = subprocess.run([*COMMAND, "export", "-", "--to", "kif", *options], input=rules.encode(),
                               env=environment, capture_output=True, timeout=60)
        assert ended.stderr == b""
        assert seen in ended.stdout.decode("ascii")


def test_at_a_terminal_a_person_plays() -> None:
    with at_a_terminal("play", "tictactoe", "--seconds", "0.01", "--role", "xplayer") as (person, process):
        assert "(mark 2 2)" in _read_until(person, "xplayer> ")
        os.write(person, b"mark 2 2\n")
        answer = _read_until(person, "xplayer> ")
        assert "xplayer plays (mark 2 2)" in answer
        assert "oplayer plays (mark" in answer
        os.write(person, b"mark 2 2\n")
        assert "is no legal move" in _read_until(person, "xplayer> ")
        os.write(person, b"q\n")
        assert "You left the game." in _read_until(person, None)
        assert process.wait(timeout=30) == 0


def test_a_person_takes_back_asks_for_a_hint_saves_and_goes_on(tmp_path: Path) -> None:
    saved = tmp_path / "mine.json"
    with at_a_terminal("play", "tictactoe", "--level", "1") as (person, process):
        _read_until(person, "xplayer> ")
        # By its places, column before row.
        os.write(person, b"2,3\n")
        answer = _read_until(person, "xplayer> ")
        assert "xplayer plays (mark 2 3)" in answer
        assert "[x]" in answer
        os.write(person, b"undo\n")
        empty = _read_until(person, "xplayer> ")
        assert "3 . . ." in empty
        assert "plays" not in empty
        os.write(person, b"undo\n")
        assert "there is nothing to take back" in _read_until(person, "xplayer> ")
        os.write(person, b"hint\n")
        assert "The engine would play (mark" in _read_until(person, "xplayer> ")
        os.write(person, b"level 12\n")
        assert "a level is a number from 1 to 9" in _read_until(person, "xplayer> ")
        os.write(person, b"2 2\n")
        _read_until(person, "xplayer> ")
        os.write(person, b"all\n")
        assert "(cell 2 2 x)" in _read_until(person, "xplayer> ")
        os.write(person, f"save {tmp_path / 'none' / 'sub'}\n".encode())
        _read_until(person, "xplayer> ")
        os.write(person, f"save {saved}\n".encode())
        assert "Saved" in _read_until(person, "xplayer> ")
        os.write(person, b"q\n")
        _read_until(person, None)
        assert process.wait(timeout=60) == 0
    with at_a_terminal("play", "--resume", str(saved), "--level", "1") as (person, process):
        shown = _read_until(person, "xplayer> ")
        assert "You play xplayer in tictactoe." in shown
        assert "(mark 2 2)" not in shown
        os.write(person, b"undo\n")
        assert "(mark 2 2)" in _read_until(person, "xplayer> ")


@pytest.mark.parametrize("role", ["you", "random"])
def test_against_chance_there_is_nobody_to_beat(role: str) -> None:
    rules = ("(role you) (role random) (legal you call) (legal you wait) (legal random heads) (legal random tails) "
             "(<= (next thrown) (does random ?side)) (<= terminal (true thrown)) (goal you 70) (goal random 50)")
    with at_a_terminal("play", rules, "--seconds", "0.01", "--role", role) as (person, process):
        _read_until(person, f"{role}> ")
        os.write(person, b"1\n")
        assert _read_until(person, None).rstrip().endswith("the goals are: you 70, random 50.")
        assert process.wait(timeout=30) == 0


def test_a_person_sees_what_the_role_can_know_and_the_rest_at_the_end() -> None:
    with at_a_terminal("play", "montyhall", "--seconds", "0.01") as (person, process):
        shown = _read_until(person, "candidate> ")
        os.write(person, b"choose 1\n")
        shown += _read_until(person, "candidate> ")
        assert "candidate is told (opened" in shown
        assert "(chosen 1)" in shown
        # Two doors are left for the car.
        assert "all 2 states that are possible" in shown
        assert "car" not in shown
        os.write(person, b"stay\n")
        end = _read_until(person, None)
        assert "random plays (hide_car" in end
        assert "(car" in end
        assert process.wait(timeout=30) == 0


def _read_until(terminal: int, prompt: str | None) -> str:
    """What appears on a terminal until a prompt stands at its end, or until it closes."""
    shown = b""
    while prompt is None or not shown.decode(errors="replace").endswith(prompt):
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, f"nothing came after {shown!r}"
        try:
            part = os.read(terminal, 4096)
        except OSError:  # How Linux says that the other side has closed.
            break
        if not part:
            break
        shown += part
    return shown.decode(errors="replace")
