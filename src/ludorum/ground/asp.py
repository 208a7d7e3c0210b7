"""The only door to clingo.

This file is also run as a program, in a process of its own that can be killed: it reads a logic program
and hands back every ground rule. It therefore imports nothing of Ludorum, which keeps the start of that
process short.
"""

from __future__ import annotations

import gc
import marshal
import resource
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import clingo

# Plain data: a number, an identifier, a string (as bytes) or a function with its arguments.
Symbol: TypeAlias = int | str | bytes | tuple["Symbol", ...]

# The name and the number of arguments of a relation.
Signature: TypeAlias = tuple[str, int]

# The exit status of this program when it passed its budget of memory.
OUT_OF_MEMORY = 3

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
    """Collects ground rules: literals are clingo's, the number of an atom from 1 or its negative."""

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


def ground(program: str, named: Iterable[Signature], counted: Iterable[Signature] = (),
           everything: bool = False) -> dict[str, Any]:
    """Every ground rule of a program.

    Also the atoms of the `named` signatures (of all, if `everything`) with their numbers, and of the `counted`
    ones the arguments of every possible atom.
    """
    rules = _Rules()
    control = clingo.Control(["--warn=none"], logger=_quiet)
    control.register_observer(rules, replace=True)  # type: ignore[arg-type]
    control.add("base", [], program + "#show.\n")
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    wanted = [(name, arity) for name, arity, _ in atoms.signatures] if everything else list(named)
    possible = {(name, arity): [tuple(map(plain, atom.symbol.arguments))
                                for atom in atoms.by_signature(name, arity)] for name, arity in counted}
    return {
        "heads": rules.heads.tobytes(),
        "lengths": rules.lengths.tobytes(),
        "literals": rules.literals.tobytes(),
        "named": {name: [(plain(atom.symbol), atom.literal) for atom in atoms.by_signature(name, arity)
                         if atom.literal] for name, arity in wanted},
        "counted": possible,
    }


def model(program: str, shown: Iterable[Signature]) -> dict[str, Any]:
    """The models of a program, at most two: of each the atoms of the shown signatures that hold."""
    control = clingo.Control(["--warn=none", "--models=2"], logger=_quiet)
    shows = "".join(f"#show {name}/{arity}.\n" for name, arity in shown)
    control.add("base", [], f"{program}#show.\n{shows}")
    control.ground([("base", [])])
    with control.solve(yield_=True) as found:
        return {"models": [[plain(symbol) for symbol in atoms.symbols(shown=True)] for atoms in found]}


def _quiet(code: clingo.MessageCode, message: str) -> None:
    """Swallows clingo's remarks, which are about relations that no rule defines."""


TASKS: dict[str, Callable[..., dict[str, Any]]] = {"ground": ground, "model": model}


def _main() -> None:
    """Does tasks from standard input and writes the answers to standard output until there are no more.

    Both are marshalled, each after its length; the number of rules so far goes to standard error.
    """
    gc.disable()
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    while length := sys.stdin.buffer.read(8):
        request = marshal.loads(sys.stdin.buffer.read(int.from_bytes(length)))
        start = time.perf_counter()
        # So that it ends even if nobody is left to kill it.
        used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + request["seconds"]) + 5, resource.RLIM_INFINITY))
        try:
            answer = TASKS[request["task"]](**request["arguments"])
        except MemoryError:
            raise SystemExit(OUT_OF_MEMORY) from None
        except RuntimeError as error:
            if "bad_alloc" in str(error):
                raise SystemExit(OUT_OF_MEMORY) from None
            raise
        answer["seconds"] = time.perf_counter() - start
        answer["memory_kb"] = _peak_memory()
        data = marshal.dumps(answer)
        sys.stdout.buffer.write(len(data).to_bytes(8))
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _peak_memory() -> int:
    """The most memory that this process had, in KiB."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        # Elsewhere than on Linux; on Linux it would count what the parent had before the child started.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _main()
