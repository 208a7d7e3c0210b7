"""Grounding in a process of its own, inside a budget of time and memory.

clingo cannot be interrupted while it grounds, and a program may ground forever; a process can be killed.
"""

from __future__ import annotations

import importlib.util
import marshal
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

from ludorum.errors import LudorumError, TooLargeToGround

_PROGRAM = Path(__file__).with_name("asp.py")
# Isolated from the user's environment and folder; clingo is looked for where this process found it.
_START = "import sys, runpy; sys.path.insert(0, sys.argv[2]); runpy.run_path(sys.argv[1], run_name='__main__')"

_OUT_OF_MEMORY = 3


def call(request: dict[str, Any], *, seconds: float, memory_mb: int) -> dict[str, Any]:
    """What asp.py answers to a request; raises TooLargeToGround if it passes the budget."""
    clingo = importlib.util.find_spec("clingo")
    if clingo is None or clingo.origin is None:
        raise LudorumError("grounding needs clingo, which is not installed (pip install clingo)")
    request |= {"seconds": math.ceil(seconds), "memory": memory_mb << 20}
    command = [sys.executable, "-I", "-c", _START, str(_PROGRAM), str(Path(clingo.origin).parents[1])]
    # Leaving the block waits for the process, so that none is left behind.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            answer, notes = child.communicate(marshal.dumps(request), timeout=seconds)
        except subprocess.TimeoutExpired as late:
            child.kill()
            raise TooLargeToGround(
                f"grounding passed its budget of {seconds:g} s{_so_far(late.stderr or b'')}") from None
        except BaseException:
            child.kill()
            raise
    if child.returncode == 0:
        result: dict[str, Any] = marshal.loads(answer)
        return result
    if child.returncode == _OUT_OF_MEMORY or child.returncode < 0:
        raise TooLargeToGround(f"grounding passed its budget of {memory_mb} MB{_so_far(notes)}")
    raise LudorumError(f"grounding failed: {notes.decode(errors='replace').strip()}")


def _so_far(notes: bytes) -> str:
    counts = [line for line in notes.split() if line.isdigit()]
    return f" after {int(counts[-1]):,} rules" if counts else ""
