"""Programs beside ours: they answer, or it is told how they ended."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from typing import IO

import pytest

from ludorum.child import Child, Ending

ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"


def say(words: str, to: IO[bytes], back: IO[bytes]) -> str | None:
    to.write(f"{words}\n".encode())
    to.flush()
    return back.readline().decode().strip() or None


def ask(child: Child, words: str = "hello", seconds: float = 60) -> str | Ending:
    return child.ask(lambda to, back: say(words, to, back), seconds=seconds)


def ended(program: str, seconds: float = 60) -> Ending:
    """How a program ends that is asked something."""
    child = Child([sys.executable, "-I", "-c", program])
    answer = ask(child, seconds=seconds)
    assert isinstance(answer, Ending)
    assert not child.is_open
    return answer


@pytest.fixture
def echo() -> Iterator[Child]:
    child = Child([sys.executable, "-I", "-c", ECHO])
    yield child
    child.close()


def test_it_answers_one_question_after_the_other(echo: Child) -> None:
    assert [ask(echo, "one"), ask(echo, "two")] == ["ONE", "TWO"]
    assert echo.is_open


def test_one_that_says_why_it_gives_up_is_quoted() -> None:
    ending = ended("import sys; sys.exit('no more questions')")
    assert (ending.status, ending.reason, ending.is_late) == (1, "no more questions", False)
    assert not ending.told_of_memory


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_signal_is_a_signal_and_not_a_want_of_memory(number: signal.Signals) -> None:
    ending = ended(f"import os; os.kill(os.getpid(), {number:d})")
    assert ending.by_signal == f"signal {number:d} ({number.name})"
    assert not ending.told_of_memory


def test_one_that_found_no_memory_said_so() -> None:
    ending = ended("import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\nbytearray(1 << 29)")
    assert ending.told_of_memory
    assert ending.by_signal is None


def test_one_that_takes_too_long_is_late() -> None:
    ending = ended("import time; time.sleep(600)", seconds=0.5)
    assert ending.is_late
    assert not ending.is_interrupted


def test_another_thread_can_interrupt_it() -> None:
    child = Child([sys.executable, "-I", "-c", "import time; time.sleep(600)"])
    threading.Timer(0.2, child.interrupt).start()
    ending = ask(child)
    assert isinstance(ending, Ending)
    assert ending.is_interrupted
    assert not ending.is_late


def test_an_error_while_talking_closes_it(echo: Child) -> None:
    with pytest.raises(ZeroDivisionError):
        echo.ask(lambda to, back: 1 // 0, seconds=60)
    assert not echo.is_open


def test_what_was_left_for_it_is_taken_away_when_nobody_refers_to_it() -> None:
    left: list[str] = []
    child = Child([sys.executable, "-I", "-c", ECHO], leaving=lambda: left.append("gone"))
    assert ask(child) == "HELLO"
    del child
    assert left == ["gone"]
