"""clingo in a process of its own, so that a budget of time and memory can be kept.

clingo cannot be interrupted while it grounds, and a program may ground forever; but a process can be killed.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ludorum.errors import LudorumError, TooLargeToGround

_PROGRAM = Path(__file__).with_name("asp.py")
# The exit status of that program when it finds no more memory.
_OUT_OF_MEMORY = 3
# How it tells how many ground rules a relation has.
_SIZE = re.compile(r"(?<!\S)(\S+/\d+)=(\d+)(?!\S)")
# Isolated from the user's environment and folder; clingo is looked for where this process would find it.
_START = ("import sys, runpy; path = sys.argv.pop(1); sys.path.insert(0, sys.argv.pop(1)); "
          "runpy.run_path(path, run_name='__main__')")


class ClingoProcess:
    """A process that does the tasks of asp.py, one after the other.

    It ends when it is closed, when it passes a budget, and when nobody refers to it any more.
    """

    def __init__(self, *, memory_mb: int) -> None:
        clingo = importlib.util.find_spec("clingo")
        if clingo is None or clingo.origin is None:
            raise LudorumError("clingo is not installed: pip install clingo")
        self._memory_mb = memory_mb
        self._lock = threading.Lock()
        self._is_interrupted = False
        # Not a pipe, which would have to be emptied while waiting for the answer.
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, str(_PROGRAM), str(Path(clingo.origin).parents[1]),
             str(memory_mb << 20)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._notes)
        self.close = weakref.finalize(self, _end, self._process, self._notes)

    @property
    def is_open(self) -> bool:
        return self.close.alive

    def interrupt(self) -> None:
        """Ends the process from another thread; whoever waits for its answer gets an error at once."""
        self._is_interrupted = True
        self._process.kill()

    def ask(self, task: str, *, seconds: float, budget: float | None = None,
            **arguments: Any) -> dict[str, Any]:
        """What a task of asp.py returns; raises TooLargeToGround. Any error closes the process.

        `budget` is what `seconds` are left of, if they are; an error names it.
        """
        request = marshal.dumps({"task": task, "seconds": seconds, "arguments": arguments})
        with self._lock:
            start = time.monotonic()
            # Killing ends the read of the answer.
            timer = threading.Timer(seconds, self._process.kill)
            timer.daemon = True
            timer.start()
            try:
                answer = self._exchange(request)
                if answer is None:
                    raise self._failure(budget or seconds, is_late=time.monotonic() - start >= seconds)
                return answer
            except BaseException:
                self.close()
                raise
            finally:
                timer.cancel()

    def _exchange(self, request: bytes) -> dict[str, Any] | None:
        """The answer, None if the process ended before it gave one."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(len(request).to_bytes(8) + request)
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        length = self._process.stdout.read(8)
        answer = self._process.stdout.read(int.from_bytes(length))
        if not length or len(answer) < int.from_bytes(length):
            return None
        result: dict[str, Any] = marshal.loads(answer)
        return result

    def _failure(self, budget: float, *, is_late: bool) -> LudorumError:
        status = self._process.wait()
        if self._is_interrupted:
            return LudorumError("clingo was interrupted")
        self._notes.seek(0)
        notes = self._notes.read().decode(errors="replace").strip()
        counts = [line for line in notes.split() if line.isdigit()]
        so_far = f" after {int(counts[-1]):,} rules" if counts else ""
        sizes = {relation: int(count) for relation, count in _SIZE.findall(notes)}
        if is_late:
            return TooLargeToGround(f"passed its budget of {budget:g} s{so_far}", sizes)
        if status == _OUT_OF_MEMORY or "cannot allocate memory" in notes or "bad_alloc" in notes:
            return TooLargeToGround(f"passed its budget of {self._memory_mb} MB{so_far}", sizes)
        if status < 0:
            # Perhaps it found no memory in the middle of something, or the system had none left.
            return TooLargeToGround(f"was ended by signal {-status}{so_far}", sizes)
        reason = notes.splitlines()[-1] if notes else f"exit status {status}"
        return LudorumError(f"clingo failed: {reason}")


def _end(process: subprocess.Popen[bytes], notes: IO[bytes]) -> None:
    process.kill()
    # Leaving its context closes the pipes and waits, so that no zombie is left behind. A question that the process did
    # not live to read breaks its pipe once more then.
    with suppress(BrokenPipeError), process:
        pass
    notes.close()
