"""The only door to clingo.

This file is also run as a program, in a process of its own that can be killed: it reads a logic program and hands
back every ground rule. It therefore imports nothing of Ludorum, which keeps the start of that process short.
"""

from __future__ import annotations

import gc
import marshal
import resource
import sys
import time
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import clingo

# A number, an identifier, a string (as bytes) or a function with its arguments; plain data that can be marshalled.
Symbol: TypeAlias = int | str | bytes | tuple["Symbol", ...]

# How often the number of ground rules so far is reported, in rules.
_PROGRESS = 1 << 16


def plain(symbol: clingo.Symbol) -> Symbol:
    """A symbol as plain data."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string.encode()
    arguments = symbol.arguments
    return (symbol.name, *map(plain, arguments)) if arguments else symbol.name


class _Rules:
    """Collects ground rules: literals are clingo's, a positive or negative number of an atom from 1."""

    def __init__(self) -> None:
        self.heads = array("i")
        self.lengths = array("i")
        self.literals = array("i")

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        # The only choices are those of inputs, which head no rule.
        if choice:
            return
        self.heads.append(head[0])
        self.lengths.append(len(body))
        self.literals.extend(body)
        if len(self.heads) % _PROGRESS == 0:
            sys.stderr.write(f"{len(self.heads)}\n")
            sys.stderr.flush()


def ground(program: str, signatures: Iterable[tuple[str, int]]) -> dict[str, Any]:
    """Every ground rule of a program, and the atoms of these signatures with their numbers."""
    rules = _Rules()
    control = clingo.Control(["--warn=none"])
    control.register_observer(rules, replace=True)  # type: ignore[arg-type]
    control.add("base", [], program + "#show.\n")
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    named = {name: [(plain(atom.symbol), atom.literal) for atom in atoms.by_signature(name, arity) if atom.literal]
             for name, arity in signatures}
    return {"heads": rules.heads.tobytes(), "lengths": rules.lengths.tobytes(),
            "literals": rules.literals.tobytes(), "named": named}


def names(program: str) -> dict[int, Symbol]:
    """Every atom of a program by its number; numbers are as in `ground`."""
    control = clingo.Control(["--warn=none"])
    control.register_observer(_Rules(), replace=True)  # type: ignore[arg-type]
    control.add("base", [], program + "#show.\n")
    control.ground([("base", [])])
    return {atom.literal: plain(atom.symbol) for atom in control.symbolic_atoms if atom.literal}


def _main() -> None:
    """Reads a request from standard input, writes the answer to standard output, progress to standard error."""
    gc.disable()
    request = marshal.loads(sys.stdin.buffer.read())
    resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
    # Even if nobody is left to kill this process it ends.
    resource.setrlimit(resource.RLIMIT_CPU, (request["seconds"] + 1, request["seconds"] + 2))
    start = time.perf_counter()
    try:
        answer = {"names": names(request["program"])} if request["want_names"] else ground(
            request["program"], request["signatures"])
    except (MemoryError, RuntimeError) as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(3 if isinstance(error, MemoryError) or "bad_alloc" in str(error) else 4) from None
    answer["seconds"] = time.perf_counter() - start
    answer["memory_kb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.buffer.write(marshal.dumps(answer))


if __name__ == "__main__":
    _main()
