"""clingo in a process of its own, so that a budget of time and memory can be kept.

clingo cannot be interrupted while it grounds, and a program may ground forever; but a process can be killed.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import sys
from pathlib import Path
from typing import IO, Any

from ludorum.child import Child, Ending
from ludorum.errors import LudorumError, TooLargeToGround
from ludorum.grammar import agree

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
        self._child = Child([sys.executable, "-I", "-c", _START, str(_PROGRAM), str(Path(clingo.origin).parents[1]),
                             str(memory_mb << 20)])

    @property
    def is_open(self) -> bool:
        return self._child.is_open

    def close(self) -> None:
        self._child.close()

    def interrupt(self) -> None:
        """Ends the process from another thread; whoever waits for its answer gets an error at once."""
        self._child.interrupt()

    def ask(self, task: str, *, seconds: float, budget: float | None = None,
            **arguments: Any) -> dict[str, Any]:
        """What a task of asp.py returns; raises TooLargeToGround. Any error closes the process.

        `budget` is what `seconds` are left of, if they are; an error names it.
        """
        request = marshal.dumps({"task": task, "seconds": seconds, "arguments": arguments})

        def talk(to: IO[bytes], back: IO[bytes]) -> dict[str, Any] | None:
            to.write(len(request).to_bytes(8) + request)
            to.flush()
            length = back.read(8)
            answer = back.read(int.from_bytes(length))
            if not length or len(answer) < int.from_bytes(length):
                return None
            result: dict[str, Any] = marshal.loads(answer)
            return result

        answer = self._child.ask(talk, seconds=seconds)
        if isinstance(answer, Ending):
            raise self._failure(answer, budget or seconds)
        return answer

    def _failure(self, ending: Ending, budget: float) -> LudorumError:
        if ending.is_interrupted:
            return LudorumError("clingo was interrupted")
        counts = [line for line in ending.notes.split() if line.isdigit()]
        rules = int(counts[-1]) if counts else 0
        so_far = f" after {rules:,} {agree(rules, 'rule')}" if counts else ""
        sizes = {relation: int(count) for relation, count in _SIZE.findall(ending.notes)}
        if ending.is_late:
            return TooLargeToGround(f"passed its budget of {budget:g} s{so_far}", sizes)
        if ending.status == _OUT_OF_MEMORY or ending.told_of_memory:
            return TooLargeToGround(f"passed its budget of {self._memory_mb} MB{so_far}", sizes)
        if ending.by_signal:
            # Perhaps it found no memory in the middle of something, or the system had none left.
            return TooLargeToGround(f"was ended by {ending.by_signal}{so_far}", sizes)
        return LudorumError(f"clingo failed: {ending.reason}")
