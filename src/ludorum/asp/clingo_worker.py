"""What is asked of clingo, in a process of its own that can be killed (see `process`).

The start of that process is short because nothing else of Ludorum is imported there, and clingo's own package only for
what is solved rather than grounded.
"""

from __future__ import annotations

import gc
import marshal
import resource
import signal
import sys
import time
from array import array
from itertools import islice

from ludorum.asp.clingo_library import Control

# What mypy takes for true: typing takes a while to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    import clingo

    from ludorum.asp.clingo_library import Symbol

    # The name and the number of arguments of a relation.
    Signature: TypeAlias = tuple[str, int]
    # The arguments of an atom.
    Row: TypeAlias = tuple[Symbol, ...]

# The exit status of this program when it passed its budget of memory.
OUT_OF_MEMORY = 3
# How often the number of ground rules so far is reported, in rules.
_PROGRESS = 1 << 16
# How often it is looked at what is left of the budget.
_OFTEN = 1 << 12
# From so many ground rules on, it is told how many belong to which relation: somebody may ask why there are so many. If
# grounding does not end, they are counted when this share of a budget is used up, and once before. Of a relation with
# more atoms than the last number, only the rules of the first ones are counted: looking at an atom takes as long as
# grounding a rule.
_MANY = 1 << 18
_NEARLY = 0.6
_MOST_COUNTED = 1 << 16
# How many rows of a relation are looked at, at most; enough to tell how large its joins will be.
_SAMPLE = 4096


class _Rules:
    """Collects ground rules: literals are clingo's, the number of an atom from 1 or its negative."""

    def __init__(self, budget: TaskBudget, sizes: Callable[[], dict[str, int]]) -> None:
        self.heads = array("i")
        self.ends = array("i")
        self.literals = array("i")
        self._budget = budget
        self._sizes = sizes
        self._is_counted = False

    def rule(self, head: int, body: bytes) -> None:
        self.heads.append(head)
        self.literals.frombytes(body)
        self.ends.append(len(self.literals))
        if len(self.heads) % _OFTEN == 0:
            self._tell()

    def _tell(self) -> None:
        if len(self.heads) % _PROGRESS == 0:
            _note(str(len(self.heads)))
        # Once early, when it takes little: it may be too late when the budget is nearly used up.
        if len(self.heads) == _PROGRESS:
            self._count()
        if not self._is_counted and self._budget.is_nearly_used():
            self._is_counted = True
            self._count()

    def _count(self) -> None:
        try:
            _note(" ".join(f"{relation}={count}" for relation, count in self._sizes().items()))
        except MemoryError:
            return  # counting takes memory, too; without it, nothing is told


class TaskBudget:
    """What a task may take: seconds of the processor, and bytes."""

    def __init__(self, seconds: float, memory: int) -> None:
        self._late = time.process_time() + _NEARLY * seconds
        self._large = _NEARLY * memory

    def is_nearly_used(self) -> bool:
        return time.process_time() > self._late or _memory() > self._large


def _note(text: str) -> None:
    """Tells whoever waits how far it is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


class Grounding:
    """A program that is grounded part by part; each may use the relations of those before it."""

    def __init__(self) -> None:
        self._rules: _Rules | None = None
        self._control = Control()
        self._parts = 0

    def collect(self, budget: TaskBudget) -> None:
        """From now on the ground rules are kept; before, only the relations are, which is much faster."""
        if self._rules is None:
            self._rules = _Rules(budget, self.sizes)
            self._control.observe(self._rules.rule)

    def add(self, program: str) -> None:
        self._parts += 1
        self._control.ground(f"part{self._parts}", f"#show.\n{program}")

    def tables(self, signatures: Iterable[Signature]) -> dict[Signature, tuple[int, list[Row]]]:
        """Of these relations the numbers of possible atoms, and the arguments of some of them."""
        return {(name, arity): self._table(name, arity) for name, arity in signatures}

    def _table(self, name: str, arity: int) -> tuple[int, list[Row]]:
        symbols = [symbol for symbol, _, _ in self._control.atoms(name, arity)]
        step = -(-len(symbols) // _SAMPLE) or 1
        return len(symbols), list(map(self._control.arguments, symbols[::step]))

    def atoms(self, signatures: Iterable[Signature] | None) -> dict[str, list[tuple[Row, int, bool]]]:
        """Of every atom of these relations, or of all, the arguments, the number, and whether it is a fact."""
        arguments = self._control.arguments
        return {name: [(arguments(symbol), literal, is_fact)
                       for symbol, literal, is_fact in self._control.atoms(name, arity) if literal]
                for name, arity in (self._control.signatures() if signatures is None else signatures)}

    def sizes(self) -> dict[str, int]:
        """How many of the ground rules belong to which relation, as name/arity; at least so many if there are a lot."""
        assert self._rules is not None
        rules: dict[int, int] = {}
        for head in self._rules.heads:
            rules[head] = rules.get(head, 0) + 1
        counts: dict[str, int] = {}
        large: list[str] = []
        for name, arity in self._control.signatures():
            relation = f"{name}/{arity}"
            heads = [literal for _, literal, _ in islice(self._control.atoms(name, arity), _MOST_COUNTED)]
            counts[relation] = sum(rules.get(head, 0) for head in heads)
            if len(heads) == _MOST_COUNTED:
                large.append(relation)
        if len(large) == 1:
            # What belongs to no other relation is its.
            counts[large[0]] += len(self._rules.heads) - sum(counts.values())
        return {relation: count for relation, count in counts.items() if count}

    def rules(self) -> dict[str, bytes]:
        """The ground rules that were collected: heads, where bodies end, and the literals of all bodies."""
        assert self._rules is not None
        return {"heads": self._rules.heads.tobytes(), "ends": self._rules.ends.tobytes(),
                "literals": self._rules.literals.tobytes()}


def models(program: str, shown: Iterable[Signature]) -> list[list[Symbol]]:
    """The models of a program, at most two: of each the atoms of the shown relations that hold."""
    import clingo

    control = clingo.Control(["--warn=none", "--models=2"], logger=_quiet)
    shows = "".join(f"#show {name}/{arity}.\n" for name, arity in shown)
    control.add("base", [], f"{program}#show.\n{shows}")
    control.ground([("base", [])])
    with control.solve(yield_=True) as found:
        return [[plain(symbol) for symbol in model.symbols(shown=True)] for model in found]


def plain(symbol: clingo.Symbol) -> Symbol:
    """A symbol as plain data, which can be marshalled."""
    import clingo

    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string.encode()
    arguments = symbol.arguments
    return (symbol.name, *map(plain, arguments)) if arguments else symbol.name


def _quiet(code: clingo.MessageCode, message: str) -> None:
    """Swallows clingo's remarks, which are about relations that no rule defines."""


class Unrolling:
    """A program that is grounded step by step, and asked again and again what can be after so many of them."""

    def __init__(self, program: str) -> None:
        import clingo

        self._control = clingo.Control(["--warn=none"], logger=_quiet)
        self._control.add("base", [], program)
        self._control.ground([("base", [])])
        self._steps = -1

    def extend(self, steps: int) -> None:
        """Grounds `look(t)` for every t up to a number of steps, and `act(t)` between them."""
        import clingo

        while self._steps < steps:
            self._steps += 1
            number = [clingo.Number(self._steps)]
            if self._steps:
                self._control.ground([("act", [clingo.Number(self._steps - 1)])])
            self._control.ground([("look", number)])

    def solve(self, assumptions: Iterable[tuple[str, bool]], seconds: float) -> tuple[str, list[Symbol]]:
        """Whether these atoms can be true or false together: "yes" with the shown atoms, "no", or "unknown"."""
        import clingo

        assumed = [(clingo.parse_term(atom), value) for atom, value in assumptions]
        shown: list[Symbol] = []
        with self._control.solve(assumptions=assumed, async_=True,
                                 on_model=lambda model: shown.extend(map(plain, model.symbols(shown=True)))) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            result = handle.get()
        answer = "yes" if result.satisfiable else "no" if result.unsatisfiable else "unknown"
        return answer, shown


class Tasks:
    """What a request can ask for: each method takes and returns plain data."""

    def __init__(self) -> None:
        self.budget = TaskBudget(0, 0)
        self._grounding = Grounding()
        self._unrolling: Unrolling | None = None

    def begin(self, program: str, tables: Sequence[Signature]) -> dict[str, Any]:
        """Grounds the first part of a program; the sizes of its relations may shape the second."""
        self._grounding = Grounding()
        self._grounding.add(program)
        return {"tables": self._grounding.tables(tables)}

    def ground(self, program: str, atoms: Sequence[Signature] | None) -> dict[str, Any]:
        """Grounds the rest of the program that was begun, and returns its ground rules."""
        self._grounding.collect(self.budget)
        self._grounding.add(program)
        rules = self._grounding.rules()
        sizes = self._grounding.sizes() if len(rules["heads"]) > _MANY * array("i").itemsize else {}
        return {"atoms": self._grounding.atoms(atoms), "sizes": sizes, **rules}

    def names(self, atoms: Sequence[int]) -> dict[str, Any]:
        """The atoms with these numbers, in this order."""
        known = {number: (name, *row) for name, of_relation in self._grounding.atoms(None).items()
                 for row, number, _ in of_relation}
        return {"names": [known[atom] for atom in atoms]}

    def models(self, program: str, shown: Sequence[Signature]) -> dict[str, Any]:
        return {"models": models(program, shown)}

    def unroll(self, program: str) -> dict[str, Any]:
        """Begins a program that is grounded step by step."""
        self._unrolling = Unrolling(program)
        return {}

    def extend(self, steps: int) -> dict[str, Any]:
        """Grounds the program that was begun up to a number of steps."""
        assert self._unrolling is not None
        self._unrolling.extend(steps)
        return {}

    def solve(self, assumptions: Sequence[tuple[str, bool]], limit: float) -> dict[str, Any]:
        """What can be after so many steps, within so many seconds."""
        assert self._unrolling is not None
        answer, shown = self._unrolling.solve(assumptions, limit)
        return {"answer": answer, "shown": shown}


def main() -> None:
    """Does tasks from standard input and writes the answers to standard output until there are no more.

    Both are marshalled, each after its length; the number of rules so far goes to standard error.
    """
    # Nothing here is cyclic, and there may be millions of tuples to look at.
    gc.disable()
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    tasks = Tasks()
    while length := sys.stdin.buffer.read(8):
        request = marshal.loads(sys.stdin.buffer.read(int.from_bytes(length)))
        start = time.perf_counter()
        tasks.budget = TaskBudget(request["cpu_seconds"], memory)
        # However busy the machine is; and so that it ends even if nobody is left to kill it.
        used = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, max(1e-3, request["cpu_seconds"]))
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + request["cpu_seconds"]) + 1, resource.RLIM_INFINITY))
        try:
            answer = getattr(tasks, request["task"])(**request["arguments"])
            answer |= {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - used,
                       "memory_kb": _peak_memory()}
            data = marshal.dumps(answer)
            signal.setitimer(signal.ITIMER_PROF, 0)
        except MemoryError:
            raise SystemExit(OUT_OF_MEMORY) from None
        except RuntimeError as error:
            if "bad_alloc" in str(error):
                raise SystemExit(OUT_OF_MEMORY) from None
            raise
        sys.stdout.buffer.write(len(data).to_bytes(8))
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _memory() -> int:
    """The address space of this process in bytes, which is what its budget is about; 0 where nobody tells."""
    try:
        with open("/proc/self/statm") as status:
            return int(status.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _peak_memory() -> int:
    """The most memory that this process had, in KiB."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        # Elsewhere than on Linux, where this would count what the parent had when it started the child.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

