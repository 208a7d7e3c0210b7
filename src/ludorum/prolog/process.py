"""SWI-Prolog in a process of its own, with budgets of time and memory.

It is a program beside ours, not a library within it: it can be killed, and whoever has none misses one engine.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from ludorum.errors import LudorumError, PrologMissing, TooLarge, TooSlow
from ludorum.gdl.terms import Term
from ludorum.prolog.writing import terms

_DRIVER = Path(__file__).with_name("driver.pl")
# Beyond its stacks and tables, what the system itself takes.
_SYSTEM_MB = 512


class PrologProcess:
    """SWI-Prolog with a game loaded.

    It ends when it is closed, when it passes a budget, and when nobody refers to it any more. Raises PrologMissing
    where SWI-Prolog is not installed.
    """

    def __init__(self, program: str, roles: Sequence[Term], *, memory_mb: int) -> None:
        found = swipl()
        if found is None:
            raise PrologMissing("the prolog engine needs SWI-Prolog: apt-get install swi-prolog-nox")
        self._memory_mb = memory_mb
        self._lock = threading.Lock()
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        folder = tempfile.TemporaryDirectory(prefix="ludorum-")
        game = Path(folder.name, "game.pl")
        game.write_text(program, encoding="utf-8")
        stacks = max(16, memory_mb)
        self._process = subprocess.Popen(
            [found, "-q", "-f", "none", "--no-tty", f"--stack-limit={stacks}m", f"--table-space={stacks}m",
             "-g", f"serve({terms(tuple(roles))})", "-t", "halt(2)", str(game), str(_DRIVER)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._notes)
        _bound(self._process.pid, (memory_mb + _SYSTEM_MB) << 20)
        self.close = weakref.finalize(self, _end, self._process, self._notes, folder)

    @property
    def is_open(self) -> bool:
        return self.close.alive

    @property
    def peak_mb(self) -> float | None:
        """The most memory that it took so far, where the system tells."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return None
        peak = re.search(r"VmHWM:\s*(\d+) kB", status)
        return int(peak[1]) / 1024 if peak else None

    def ask(self, question: str, *, seconds: float) -> list[list[str]]:
        """The lines of the answer to a question of driver.pl, each as its terms in KIF.

        Raises TooSlow or TooLarge; any error closes the process.
        """
        with self._lock:
            start = time.monotonic()
            # Killing ends the read of the answer.
            timer = threading.Timer(seconds, self._process.kill)
            timer.daemon = True
            timer.start()
            try:
                answer = self._exchange(question)
                if answer is None:
                    raise self._failure(seconds, is_late=time.monotonic() - start >= seconds)
                return answer
            except BaseException:
                self.close()
                raise
            finally:
                timer.cancel()

    def _exchange(self, question: str) -> list[list[str]] | None:
        """The answer, None if the process ended before it gave one."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{question}.\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        kind, _, rest = self._process.stdout.readline().decode().rstrip("\n").partition(" ")
        if kind == "error":
            raise self._told(rest)
        if kind != "ok":
            return None
        lines = [self._process.stdout.readline().decode() for _ in range(int(rest))]
        if not all(line.endswith("\n") for line in lines):
            return None
        return [line[:-1].split("\t") if line != "\n" else [] for line in lines]

    def _told(self, error: str) -> LudorumError:
        kind, _, text = error.partition(" ")
        if kind == "resource":
            return TooLarge(f"the prolog engine passed its budget of {self._memory_mb} MB ({text})")
        return LudorumError(f"SWI-Prolog failed: {text}")

    def _failure(self, budget: float, *, is_late: bool) -> LudorumError:
        status = self._process.wait()
        if is_late:
            return TooSlow(f"the prolog engine passed its budget of {budget:g} s")
        self._notes.seek(0)
        notes = self._notes.read().decode(errors="replace").strip()
        # A signal is the end of a process that found no memory in the middle of something.
        if status < 0 or "memory" in notes.lower():
            return TooLarge(f"the prolog engine passed its budget of {self._memory_mb} MB")
        return LudorumError(f"SWI-Prolog failed: {notes.splitlines()[0] if notes else f'exit status {status}'}")


def swipl() -> str | None:
    """Where SWI-Prolog is, if it is installed."""
    return shutil.which("swipl")


def joint_move(roles: Sequence[Term], joint: Sequence[Term]) -> str:
    """A joint move as the program takes it."""
    return terms(tuple(Term("does", pair) for pair in zip(roles, joint, strict=True)))


def _bound(pid: int, bytes_: int) -> None:
    """Sets the most memory that a process may take, where the system can; its own limits hold everywhere."""
    import resource

    with suppress(AttributeError, OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (bytes_, bytes_))


def _end(process: subprocess.Popen[bytes], notes: IO[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
    process.kill()
    # Leaving its context closes the pipes and waits, so that no zombie is left behind. A question that the process did
    # not live to read breaks its pipe once more then.
    with suppress(BrokenPipeError), process:
        pass
    notes.close()
    folder.cleanup()
