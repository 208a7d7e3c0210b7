"""The two searches of Schiffel and Björnsson's comparison of reasoners, by every engine in its own way.

Iterative deepening to terminal states, and random matches, both without values: what is measured is what the rules
cost. A node is a state that was computed by a move, so engines that are right count the same nodes at the same depth.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, Protocol

from ludorum._core import CircuitSimulator
from ludorum.engines.circuit import CircuitReasoner
from ludorum.engines.prolog import PrologReasoner
from ludorum.engines.protocol import Position, Reasoner
from ludorum.engines.relations import RelationsReasoner

# A batch engine answers for so many at once; the others for few, so that they keep to the time.
_BATCH, _FEW = 1024, 16


@dataclass(frozen=True, slots=True)
class Run:
    """A search from one position."""

    #: Of the processor, so that a busy machine does not change what is measured.
    seconds: float
    nodes: int
    #: Deepening: the nodes of every depth that was searched to its end, from depth 0.
    completed: list[int] = field(default_factory=list)
    playouts: int = 0


class Driver(Protocol):
    def deepen(self, position: Any, seconds: float) -> Run: ...

    def play_on(self, position: Any, seconds: float, seed: int) -> Run: ...


def driver(reasoner: Reasoner, *, is_following: bool = False) -> Driver:
    """The fastest way in which an engine can search; `is_following`: one state at a time on a circuit."""
    engine: object = reasoner
    if isinstance(engine, CircuitReasoner):
        return _Following(engine) if is_following else _InCore(engine, _BATCH)
    if isinstance(engine, RelationsReasoner):
        return _InCore(engine, _FEW)
    if isinstance(engine, PrologReasoner):
        return _InProlog(engine)
    return _ByQuestions(reasoner)


class _InCore:
    def __init__(self, reasoner: CircuitReasoner | RelationsReasoner, at_once: int) -> None:
        self._reasoner = reasoner
        self._at_once = at_once

    def deepen(self, position: bytes, seconds: float) -> Run:
        return _run(self._reasoner.simulator(position).deepen(self._reasoner.row(position), seconds, self._at_once))

    def play_on(self, position: bytes, seconds: float, seed: int) -> Run:
        return _run(self._reasoner.simulator(position).play_on(self._reasoner.row(position), seconds, seed))


class _Following:
    def __init__(self, reasoner: CircuitReasoner) -> None:
        self._reasoner = reasoner

    def deepen(self, position: bytes, seconds: float) -> Run:
        return _run(self._simulator(position).deepen_incremental(self._reasoner.row(position), seconds))

    def play_on(self, position: bytes, seconds: float, seed: int) -> Run:
        return _run(self._simulator(position).play_on_incremental(self._reasoner.row(position), seconds, seed))

    def _simulator(self, position: bytes) -> CircuitSimulator:
        simulator = self._reasoner.simulator(position)
        assert isinstance(simulator, CircuitSimulator)
        return simulator


def _run(found: dict[str, Any]) -> Run:
    return Run(found["seconds"], found["nodes"], found["completed"], found["playouts"])


class _InProlog:
    """Within Prolog, which is where a Prolog player searches."""

    # An answer comes when a goal of the program is through, which may be a while after the time is up.
    _GRACE = 60.0

    def __init__(self, reasoner: PrologReasoner) -> None:
        self._reasoner = reasoner

    def deepen(self, position: Position, seconds: float) -> Run:
        counts, completed = self._ask(f"minimax({self._reasoner.text(position)}, {seconds:.6f})", seconds)
        return Run(float(counts[0]), int(counts[1]), list(map(int, completed)))

    def play_on(self, position: Position, seconds: float, seed: int) -> Run:
        question = f"montecarlo({self._reasoner.text(position)}, {seconds:.6f}, {seed})"
        used, nodes, playouts = self._ask(question, seconds)[0]
        return Run(float(used), int(nodes), playouts=int(playouts))

    def _ask(self, question: str, seconds: float) -> list[list[str]]:
        return self._reasoner.process.ask(question, seconds=seconds + self._GRACE)


class _TimeIsUp(Exception):
    pass


class _ByQuestions:
    """By the five questions that every engine answers."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self._nodes = 0
        self._end = 0.0

    def deepen(self, position: Position, seconds: float) -> Run:
        start = time.process_time()
        self._nodes, self._end = 0, time.perf_counter() + seconds
        completed: list[int] = []
        try:
            is_whole = False
            while not is_whole:
                before = self._nodes
                is_whole = self._search(position, len(completed))
                completed.append(self._nodes - before)
        except _TimeIsUp:
            pass
        return Run(time.process_time() - start, self._nodes, completed)

    def _search(self, position: Position, depth: int) -> bool:
        """Whether every match was seen to its end."""
        if time.perf_counter() > self._end:
            raise _TimeIsUp
        if self._reasoner.is_terminal(position):
            self._reasoner.goals(position)
            return True
        if depth == 0:
            return False
        is_whole = True
        for joint in product(*self._reasoner.legal(position)):
            successor = self._reasoner.after(position, joint)
            self._nodes += 1
            is_whole = self._search(successor, depth - 1) and is_whole
        return is_whole

    def play_on(self, position: Position, seconds: float, seed: int) -> Run:
        start = time.process_time()
        end, random = time.perf_counter() + seconds, Random(seed)
        nodes = playouts = 0
        while time.perf_counter() < end:
            here = position
            while time.perf_counter() < end and not self._reasoner.is_terminal(here):
                legal = self._reasoner.legal(here)
                if not all(legal):
                    break
                here = self._reasoner.after(here, [random.choice(moves) for moves in legal])
                nodes += 1
            self._reasoner.goals(here)
            playouts += 1
        return Run(time.process_time() - start, nodes, playouts=playouts)
