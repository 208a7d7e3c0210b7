"""Grounding in a process of its own, inside a budget of time and memory.

clingo cannot be interrupted while it grounds, and a program may ground forever; but a process can be
killed.
"""

from __future__ import annotations

import importlib.util
import marshal
import math
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from ludorum.errors import LudorumError, TooLargeToGround

_PROGRAM = Path(__file__).with_name("asp.py")
# The exit status of that program when it passed its budget of memory.
_OUT_OF_MEMORY = 3
# Isolated from the user's environment and folder; clingo is looked for where this process would find it.
_START = ("import sys, runpy; path = sys.argv.pop(1); sys.path.insert(0, sys.argv.pop(1)); "
          "runpy.run_path(path, run_name='__main__')")


class Grounder:
    """A process that answers requests (see `asp.ground`) until its budget is used up; use it in a `with`."""

    def __init__(self, *, seconds: float, memory_mb: int) -> None:
        clingo = importlib.util.find_spec("clingo")
        if clingo is None or clingo.origin is None:
            raise LudorumError("grounding needs clingo, which is not installed (pip install clingo)")
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._deadline = time.monotonic() + seconds
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115 (closed on leaving the `with` of this object)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, str(_PROGRAM), str(Path(clingo.origin).parents[1]),
             str(memory_mb << 20), str(math.ceil(seconds))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._notes)
        # Killing ends the read that `ask` is blocked in.
        self._timer = threading.Timer(seconds, self._process.kill)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Grounder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._timer.cancel()
        self._process.kill()
        # Leaving its context closes the pipes and waits, so that no zombie is left behind.
        with self._process:
            pass
        self._notes.close()

    @property
    def seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def ask(self, **request: Any) -> dict[str, Any]:
        """What `asp.ground` gives for these arguments; raises TooLargeToGround past the budget."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        data = marshal.dumps(request)
        try:
            self._process.stdin.write(len(data).to_bytes(8) + data)
            self._process.stdin.flush()
            length = int.from_bytes(self._process.stdout.read(8))
            answer = self._process.stdout.read(length)
        except BrokenPipeError:
            length, answer = 0, b""
        if length and len(answer) == length:
            result: dict[str, Any] = marshal.loads(answer)
            return result
        raise self._failure(self._process.wait())

    def _failure(self, status: int) -> LudorumError:
        self._notes.seek(0)
        notes = self._notes.read().decode(errors="replace")
        counts = [line for line in notes.split() if line.isdigit()]
        so_far = f" after {int(counts[-1]):,} rules" if counts else ""
        if self.seconds_left <= 0:
            return TooLargeToGround(f"grounding passed its budget of {self._seconds:g} s{so_far}")
        # A signal is the end of a process that found no memory in the middle of something.
        if status == _OUT_OF_MEMORY or status < 0:
            return TooLargeToGround(f"grounding passed its budget of {self._memory_mb} MB{so_far}")
        reason = notes.strip().splitlines()[-1] if notes.strip() else f"exit status {status}"
        return LudorumError(f"grounding failed: {reason}")
