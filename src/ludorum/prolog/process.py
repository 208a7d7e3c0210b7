"""SWI-Prolog in a process of its own, with budgets of time and memory.

It is a program beside ours, not a library within it: it can be killed, and whoever has none misses one engine.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from ludorum.child import Child, Ending
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
        folder = tempfile.TemporaryDirectory(prefix="ludorum-")
        game = Path(folder.name, "game.pl")
        game.write_text(program, encoding="utf-8")
        stacks = max(16, memory_mb)
        self._child = Child(
            [found, "-q", "-f", "none", "--no-tty", f"--stack-limit={stacks}m", f"--table-space={stacks}m",
             "-g", f"serve({terms(tuple(roles))})", "-t", "halt(2)", str(game), str(_DRIVER)], leaving=folder.cleanup)
        _bound(self._child.pid, (memory_mb + _SYSTEM_MB) << 20)

    @property
    def is_open(self) -> bool:
        return self._child.is_open

    def close(self) -> None:
        self._child.close()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def peak_mb(self) -> float | None:
        """The most memory that it took so far, where the system tells."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return None
        peak = re.search(r"VmHWM:\s*(\d+) kB", status)
        return int(peak[1]) / 1024 if peak else None

    def ask(self, question: str, *, seconds: float) -> list[list[str]]:
        """The lines of the answer to a question of driver.pl, each as its terms in KIF.

        Raises TooSlow or TooLarge; any error closes the process.
        """
        def talk(to: IO[bytes], back: IO[bytes]) -> list[list[str]] | None:
            to.write(f"{question}.\n".encode())
            to.flush()
            return self._answer(back)

        answer = self._child.ask(talk, seconds=seconds)
        if isinstance(answer, Ending):
            raise self._failure(answer, seconds)
        return answer

    def _answer(self, back: IO[bytes]) -> list[list[str]] | None:
        """The answer, None if the process ended before it gave one."""
        kind, _, rest = back.readline().decode().rstrip("\n").partition(" ")
        if kind == "error":
            raise self._told(rest)
        if kind != "ok":
            return None
        lines = [back.readline().decode() for _ in range(int(rest))]
        if not all(line.endswith("\n") for line in lines):
            return None
        return [line[:-1].split("\t") if line != "\n" else [] for line in lines]

    def _told(self, error: str) -> LudorumError:
        kind, _, text = error.partition(" ")
        if kind == "resource":
            return TooLarge(f"the prolog engine passed its budget of {self._memory_mb} MB ({text})")
        return LudorumError(f"SWI-Prolog failed: {text}")

    def _failure(self, ending: Ending, budget: float) -> LudorumError:
        if ending.is_late:
            return TooSlow(f"the prolog engine passed its budget of {budget:g} s")
        if ending.told_of_memory:
            return TooLarge(f"the prolog engine passed its budget of {self._memory_mb} MB")
        if ending.by_signal:
            return LudorumError(f"SWI-Prolog was ended by {ending.by_signal}")
        return LudorumError(f"SWI-Prolog failed: {ending.reason}")


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
