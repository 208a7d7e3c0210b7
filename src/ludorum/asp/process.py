"""clingo in a process of its own, so that a budget of time and memory can be kept.

clingo cannot be interrupted while it grounds, and a program may ground forever; but a process can be killed.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import signal
import sys
from functools import cache
from pathlib import Path
from typing import IO, Any

from ludorum.child import Child, Ending
from ludorum.errors import LudorumError, TooLargeToGround
from ludorum.grammar import agree

# The exit status of that program when it finds no more memory.
_OUT_OF_MEMORY = 3
# How it tells how many ground rules a relation has.
_SIZE = re.compile(r"(?<!\S)(\S+/\d+)=(\d+)(?!\S)")
# Isolated from the user's environment and folder; clingo is looked for where this process would find it. Of Ludorum
# there is only what the worker imports by itself.
_START = """
import sys
asp, *sys.path[:0] = sys.argv.pop(1).split("\\n")
for name, path in (("ludorum", []), ("ludorum.asp", [asp])):
    sys.modules[name] = type(sys)(name)
    sys.modules[name].__path__ = path
from ludorum.asp.clingo_worker import main
main()
"""


class ClingoProcess:
    """A process that does the tasks of clingo_worker.py, one after the other.

    It ends when it is closed, when it passes a budget, and when nobody refers to it any more.
    """

    def __init__(self, *, memory_mb: int) -> None:
        folders = [str(Path(__file__).parent), *_folders_of("clingo", "_cffi_backend")]
        self._memory_mb = memory_mb
        self._child = Child([sys.executable, "-I", "-S", "-c", _START, "\n".join(folders), str(memory_mb << 20)])

    @property
    def is_open(self) -> bool:
        return self._child.is_open

    def close(self) -> None:
        self._child.close()

    def interrupt(self) -> None:
        """Ends the process from another thread; whoever waits for its answer gets an error at once."""
        self._child.interrupt()

    def ask(self, task: str, *, seconds: float, budget: float | None = None, cpu_seconds: float | None = None,
            **arguments: Any) -> dict[str, Any]:
        """What a task of clingo_worker.py returns; raises TooLargeToGround. Any error closes the process.

        `budget` is what `seconds` are left of, if they are; an error names it. Of the processor's time it takes no more
        than `cpu_seconds`.
        """
        request = marshal.dumps({"task": task, "seconds": seconds, "arguments": arguments,
                                 "cpu_seconds": seconds + 5 if cpu_seconds is None else cpu_seconds})

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
        is_used_up = ending.status in (-signal.SIGPROF, -signal.SIGXCPU)
        if ending.is_late or is_used_up:
            return TooLargeToGround(f"passed its budget of {budget:g} s{so_far}", sizes, is_repeatable=is_used_up)
        if ending.status == _OUT_OF_MEMORY or ending.told_of_memory:
            return TooLargeToGround(f"passed its budget of {self._memory_mb} MB{so_far}", sizes, is_repeatable=True)
        if ending.by_signal:
            # Perhaps it found no memory in the middle of something, or the system had none left.
            return TooLargeToGround(f"was ended by {ending.by_signal}{so_far}", sizes)
        return LudorumError(f"clingo failed: {ending.reason}")


@cache
def _folders_of(*modules: str) -> list[str]:
    """Where these modules are found by whoever imports them."""
    folders = []
    for module in modules:
        found = importlib.util.find_spec(module)
        if found is None or found.origin is None:
            raise LudorumError(f"{module} is not installed: pip install clingo")
        folders.append(str(Path(found.origin).parents[1 if found.submodule_search_locations else 0]))
    return list(dict.fromkeys(folders))
