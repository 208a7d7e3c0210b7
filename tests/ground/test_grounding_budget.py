"""Grounding ends at its budget of time and memory, and the caller lives on."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ludorum
from ludorum import gdl, library
from ludorum.asp import clingo_worker
from ludorum.asp.encoding import identifier
from ludorum.errors import TooLargeToGround
from ludorum.gdl.clauses import flatten
from ludorum.ground import ground
from ludorum.ground.shares import by_relation

pytestmark = pytest.mark.slow

ENDLESS = """
(role r) (init (f a)) (legal r go)
(<= (next (f (g ?x))) (true (f ?x)))
(<= terminal (true (f b)))
(goal r 0)
"""

# Six variables of thirty values each, all of them in the head.
HUGE = "(role r) (legal r go) (goal r 0)\n" + "".join(f"(init (v {i}))\n" for i in range(30)) + """
(<= (next (v ?x)) (true (v ?x)))
(<= (row ?a ?b ?c ?d ?e ?f)
    (true (v ?a)) (true (v ?b)) (true (v ?c)) (true (v ?d)) (true (v ?e)) (true (v ?f)))
(<= terminal (row ?a ?b ?c ?d ?e ?f) (not (row ?f ?e ?d ?c ?b ?a)))
"""


def test_rules_that_ground_forever_end_at_the_budget_of_time() -> None:
    message = r"^grounding passed its budget of 1 s( after [\d,]+ rules)?$"
    with pytest.raises(TooLargeToGround, match=message):
        ground(gdl.parse(ENDLESS), seconds=1)


def test_rules_that_need_too_much_memory_end_at_the_budget_of_memory() -> None:
    message = r"^grounding passed its budget of 150 MB( after [\d,]+ rules)?$"
    with pytest.raises(TooLargeToGround, match=message):
        ground(gdl.parse(HUGE), seconds=60, memory_mb=150)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc")
def test_a_grounder_that_somebody_ended_is_not_said_to_have_passed_a_budget() -> None:
    is_over = threading.Event()

    def end_grounders() -> None:
        while not is_over.wait(0.02):
            for children in Path("/proc/self/task").glob("*/children"):
                for child in children.read_text().split():
                    # This process may have children of other kinds, and a child may be gone by now.
                    with suppress(OSError):
                        if b"clingo_worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                            os.kill(int(child), signal.SIGKILL)

    thread = threading.Thread(target=end_grounders)
    thread.start()
    try:
        with pytest.raises(TooLargeToGround, match=f"^grounding was ended by signal {signal.SIGKILL:d}"):
            ground(gdl.parse(ENDLESS), seconds=30)
    finally:
        is_over.set()
        thread.join()


def test_when_a_budget_is_nearly_used_up_it_is_told_which_relation_has_the_ground_rules(
        capsys: pytest.CaptureFixture[str]) -> None:
    grounding = clingo_worker.Grounding()
    grounding.collect(clingo_worker.TaskBudget(seconds=0, memory=1 << 40))
    grounding.add("{v(1..17)}. few(X) :- v(X). row(A,B,C) :- v(A), v(B), v(C).")
    told = capsys.readouterr().err.split()
    # 17 rules of `few` and 17³ of `row`, which were 4096 when the clock was looked at.
    assert {text.split("=")[0] for text in told} <= {"few/1", "row/3"}
    assert sum(int(text.split("=")[1]) for text in told) == 4096
    assert grounding.sizes() == {"few/1": 17, "row/3": 17**3}


def test_ground_rules_of_relations_that_were_made_up_count_for_those_that_use_them() -> None:
    clauses = flatten(gdl.read("""
        (<= (large ?x) (q ?x) (not (and (r ?x ?y) (s ?y))))
        (<= (small ?x) (q ?x))
    """))
    [made] = {clause.head.name for clause in clauses} - {"large", "small"}
    sizes = {f"{identifier(made)}/1": 900, "large/1": 100, "small/1": 3}
    assert by_relation(sizes, clauses) == {"large/1": 1000, "small/1": 3}


def test_nothing_is_left_running(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def note(*args: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*args, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", note)
    ground(gdl.parse("(role r) (legal r go) (goal r 0) (<= terminal (true (f b)))"))
    with pytest.raises(TooLargeToGround):
        ground(gdl.parse(ENDLESS), seconds=0.5)
    gc.collect()
    assert started
    assert all(process.returncode is not None for process in started)


def test_an_interrupt_ends_the_grounding_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    class Interrupted:
        """A pipe whose reader is interrupted, as by Ctrl-C."""

        def read(self, size: int) -> bytes:
            raise KeyboardInterrupt

        def close(self) -> None:
            pass

    def interrupted(*args: Any, **options: Any) -> Any:
        process: Any = start(*args, **options)
        started.append(process)
        process.stdout.close()
        process.stdout = Interrupted()
        return process

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ground(gdl.parse(ENDLESS), seconds=30)
    assert [process.returncode is not None for process in started] == [True]


def test_the_budget_is_of_the_processor_and_not_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    # A machine on which an hour passes whenever somebody looks at the clock.
    hours = itertools.count(step=3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    assert ground(gdl.parse(library.entry("tictactoe").text), seconds=20).rules


def test_what_did_not_ground_is_not_tried_again_with_the_same_budget(tmp_path: Path,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path))
    first = ludorum.load(ENDLESS, seconds=1)
    assert first.engine == "relations"
    (kept,) = tmp_path.glob("*.json")

    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError("it was tried again")

    with monkeypatch.context() as patch:
        patch.setattr("ludorum.ground.ground", unwanted)
        again = ludorum.load(ENDLESS, seconds=1)
        assert again.why == first.why
        assert again.report["grounding"] == first.report["grounding"]
        with pytest.raises(TooLargeToGround, match="passed its budget of 1 s"):
            ludorum.load(ENDLESS, seconds=1, engine="circuit")
        # Another budget is another question.
        with pytest.raises(AssertionError, match="it was tried again"):
            ludorum.load(ENDLESS, seconds=2)
    # Whatever is wrong with the file, the rules are only tried again.
    kept.write_text("nonsense")
    assert ludorum.load(ENDLESS, seconds=1).why.startswith("grounding passed its budget of 1 s")


def test_a_grounder_that_somebody_ended_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path))

    def ended(*_: object, **__: object) -> None:
        raise TooLargeToGround("grounding was ended by signal 9 (SIGKILL)")

    with monkeypatch.context() as patch:
        patch.setattr("ludorum.ground.ground", ended)
        assert ludorum.load("tictactoe").engine == "relations"
    assert ludorum.load("tictactoe").engine == "circuit"
