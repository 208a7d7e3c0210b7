"""A program beside ours that is asked one thing after the other, and killed when it takes too long.

Whatever it does, the one who asks gets an answer or learns how it ended, and no process is left behind.
"""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TypeVar

Answer = TypeVar("Answer")

# How programs say in their last words that there was no more memory.
_NO_MEMORY = re.compile(r"(cannot|could not|failed to|unable to) allocate|out of memory|memoryerror|bad_alloc|"
                        r"(not enough|no more|insufficient) (memory|resources)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ended before it gave an answer."""

    #: The exit status; the negative of a signal's number if one ended it.
    status: int
    #: Whether it was killed for taking too long, or from another thread.
    is_late: bool
    is_interrupted: bool
    #: What it wrote to its standard error.
    notes: str

    @property
    def told_of_memory(self) -> bool:
        """Whether its last words were that it found no more memory."""
        return _NO_MEMORY.search(self.notes) is not None

    @property
    def by_signal(self) -> str | None:
        """The signal that ended it, if one did, such as `signal 9 (SIGKILL)`."""
        if self.status >= 0:
            return None
        try:
            return f"signal {-self.status} ({signal.Signals(-self.status).name})"
        except ValueError:
            return f"signal {-self.status}"

    @property
    def reason(self) -> str:
        """Its last words, or what else is known of its end."""
        if self.notes:
            return self.notes.splitlines()[-1]
        return self.by_signal or f"exit status {self.status}"


class Child:
    """A running program.

    It ends when it is closed, when it does not answer in time, and when nobody refers to it any more; then `leaving` is
    called, too.
    """

    def __init__(self, command: Sequence[str], *, leaving: Callable[[], None] = lambda: None) -> None:
        self._lock = threading.Lock()
        self._is_interrupted = False
        # Not a pipe, which would have to be emptied while waiting for the answer.
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._notes)
        self.close = weakref.finalize(self, _end, self._process, self._notes, leaving)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_open(self) -> bool:
        return self.close.alive

    def interrupt(self) -> None:
        """Ends the program from another thread; whoever waits for its answer learns that at once."""
        self._is_interrupted = True
        self._process.kill()

    def ask(self, talk: Callable[[IO[bytes], IO[bytes]], Answer | None], *, seconds: float) -> Answer | Ending:
        """What comes of writing to the program and reading from it, which ends when it does.

        None means that it ended before it gave an answer; then how it ended is told. That, and any error, closes it.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            start = time.monotonic()
            # Killing ends the read of the answer.
            timer = threading.Timer(seconds, self._process.kill)
            timer.daemon = True
            timer.start()
            try:
                answer: Answer | None = None
                with suppress(BrokenPipeError):
                    answer = talk(self._process.stdin, self._process.stdout)
                if answer is not None:
                    return answer
                ending = self._ending(is_late=time.monotonic() - start >= seconds)
                self.close()
                return ending
            except BaseException:
                self.close()
                raise
            finally:
                timer.cancel()

    def _ending(self, *, is_late: bool) -> Ending:
        status = self._process.wait()
        self._notes.seek(0)
        return Ending(status, is_late, self._is_interrupted, self._notes.read().decode(errors="replace").strip())


def _end(process: subprocess.Popen[bytes], notes: IO[bytes], leaving: Callable[[], None]) -> None:
    process.kill()
    # Leaving its context closes the pipes and waits, so that no zombie is left behind. A question that the process did
    # not live to read breaks its pipe once more then.
    with suppress(BrokenPipeError), process:
        pass
    notes.close()
    leaving()
