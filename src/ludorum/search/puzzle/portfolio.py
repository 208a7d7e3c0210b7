"""The portfolio: several methods share the time until one of them has solved the puzzle.

clingo plans in a process of its own, beside the searches of the core, which take turns in slices that grow.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from ludorum.analysis.factors import Factors, decompose
from ludorum.clock import NEVER, Budget, Deadline
from ludorum.engines.playouts import Outcome
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.search.puzzle.astar import AStar, RelaxedAStar
from ludorum.search.puzzle.beam import Beam
from ludorum.search.puzzle.breadth import BreadthFirst
from ludorum.search.puzzle.deepening import IterativeDeepening
from ludorum.search.puzzle.factored import Factored
from ludorum.search.puzzle.lookahead import MinimumLookahead
from ludorum.search.puzzle.method import Method
from ludorum.search.puzzle.nested import NestedMonteCarlo
from ludorum.search.puzzle.planning import Planning
from ludorum.search.puzzle.problem import Permutations, Problem
from ludorum.search.puzzle.solution import Attempt, Plan, Solution, check
from ludorum.search.puzzle.symmetry import permutations
from ludorum.state import State

#: What a solver can be told to use alone.
METHODS = (BreadthFirst.name, AStar.name, Beam.name, NestedMonteCarlo.name, Planning.name, Factored.name,
           RelaxedAStar.name, IterativeDeepening.name, MinimumLookahead.name)

# The first slice of a method in seconds, how much longer the next is, and the longest.
_SLICE_S, _SLICE_GROWTH, _SLICE_MAX_S = 0.1, 1.5, 1.0
# After so many seconds of the core's searches it is worth looking for symmetries of the game.
_UNPROMISING_AFTER_S = 6.0
# After so many it is worth finding out whether it is really several puzzles, for this part of the time that is left and
# no more than so many seconds.
_FACTORING_AFTER_S, _FACTORING_PART, _FACTORING_MAX_S = 0.5, 0.1, 3.0
# A puzzle of which chance finishes no game in so many moves is none for Monte-Carlo search.
_LONG_PLAN_STEPS = 1000
# How long a single method may prepare where nobody says how long it may, in seconds.
_NO_CLOCK_S = 10.0
# clingo may be in the middle of something that cannot be interrupted when it is looked after.
_POLL_S = 0.02


@dataclass
class _Run:
    """A method with the time it had."""

    method: Method
    seconds: float = 0.0

    def advance(self, seconds: float) -> None:
        start = time.monotonic()
        self.method.advance(seconds)
        self.seconds += time.monotonic() - start

    @property
    def attempt(self) -> Attempt:
        best = self.method.best
        return Attempt(self.method.name, self.seconds, None if best is None else best.goal, self.method.outcome)


class Portfolio:
    """Solves a state of a game of one role; `solve` goes on until a deadline and can be called again."""

    def __init__(self, state: State, *, method: str | None = None, seed: int = 0, memory_mb: int = 4096) -> None:
        if len(state.game.roles) != 1:
            raise LudorumError(f"{state.game.name} has {len(state.game.roles)} roles; a plan is of one")
        self._state = state
        self._seed = seed
        # Half of it for each of the two that keep states; clingo has as much again.
        self._memory_mb = memory_mb // 2
        self._problem = Problem.of(state)
        self._core = [_Run(made) for made in self._searches(method)]
        self._planning = self._planner(method)
        self._plan: Plan | None = None
        self._promising: tuple[Term, ...] = ()
        self._winner = ""
        self._slice = _SLICE_S
        self._seconds = 0.0
        self._knows_symmetries = self._problem is None
        self._knows_factors = method is not None
        #: Why the puzzle is not taken apart.
        self._obstacle = ""
        if method == Factored.name and self._problem is not None:
            self._use_factors(Deadline.within(_NO_CLOCK_S))
        if not self._core and self._planning is None:
            raise LudorumError(f"{state.game.name} cannot be solved by {method}: {self._obstacle or state.game.why}")

    def solve(self, deadline: Deadline = NEVER, *, stop: threading.Event | None = None) -> Solution:
        """Goes on until the puzzle is solved, nothing is left to try, the deadline has come or somebody says stop."""
        start = time.monotonic()
        stop = stop or threading.Event()
        with _Beside(self._planning, deadline) as planning:
            while not self.is_solved and not deadline.passed and not stop.is_set():
                going = [run for run in self._core if not run.method.is_over]
                if not going and not planning.is_going:
                    break
                for run in going:
                    run.advance(min(self._slice, max(0.0, deadline.remaining)))
                    self._gather()
                    if self.is_solved or deadline.passed or stop.is_set():
                        break
                if not going:
                    stop.wait(_POLL_S)
                self._gather()
                self._slice = min(_SLICE_MAX_S, self._slice * _SLICE_GROWTH)
                if not self._knows_factors and sum(run.seconds for run in self._core) > _FACTORING_AFTER_S:
                    left = deadline.remaining
                    self._use_factors(Deadline.within(min(_FACTORING_MAX_S, _FACTORING_PART * max(0.0, left))))
                if not self._knows_symmetries and sum(run.seconds for run in self._core) > _UNPROMISING_AFTER_S:
                    self._use_symmetries(deadline)
        self._gather()
        self._seconds += time.monotonic() - start
        return self.solution

    def close(self) -> None:
        for run in self._all:
            run.method.close()

    @property
    def is_solved(self) -> bool:
        return (-1 if self._plan is None else self._plan.goal) >= self.bound

    @property
    def bound(self) -> int:
        """The highest goal value that no method has ruled out."""
        return min(run.method.bound for run in self._all)

    @property
    def plan(self) -> Plan | None:
        """The best plan so far."""
        return self._plan

    @property
    def promising(self) -> tuple[Term, ...]:
        """The best moves of random play so far, even if they come to no end."""
        return self._promising

    @property
    def solution(self) -> Solution:
        """What is known so far."""
        return Solution(
            goal=None if self._plan is None else self._plan.goal,
            plan=() if self._plan is None else tuple(map(Move, self._plan.moves)),
            proved=self.is_solved,
            method=self._winner or self._prover,
            seconds=self._seconds,
            tried=tuple(run.attempt for run in self._all),
        )

    @property
    def _all(self) -> list[_Run]:
        return [*self._core, *([self._planning] if self._planning is not None else [])]

    @property
    def _prover(self) -> str:
        return next((run.method.name for run in self._all if run.method.bound < 0), "")

    def _gather(self) -> None:
        """Takes the best plan of all methods, checked by replaying it."""
        for run in self._all:
            if isinstance(run.method, NestedMonteCarlo):
                self._promising = run.method.moves
            best = run.method.best
            if best is not None and (self._plan is None or best.goal > self._plan.goal):
                check(self._state, best)
                self._plan, self._winner = best, run.method.name

    def _searches(self, only: str | None, symmetries: Permutations = ()) -> Iterable[Method]:
        """The searches of the core that suit the puzzle, or the one that is asked for."""
        problem = self._problem
        if problem is None:
            return
        if only in (None, AStar.name) and problem.distance is not None:
            yield AStar(problem, memory_mb=self._memory_mb, symmetries=symmetries)
        if only in (None, BreadthFirst.name):
            yield BreadthFirst(problem, memory_mb=self._memory_mb, symmetries=symmetries)
        if only == RelaxedAStar.name and problem.relaxed_plan is not None:
            yield RelaxedAStar(problem, memory_mb=self._memory_mb)
        if only == IterativeDeepening.name:
            yield IterativeDeepening(problem, memory_mb=self._memory_mb)
        if only == MinimumLookahead.name and problem.distance is not None:
            yield MinimumLookahead(problem, seed=self._seed)
        if symmetries:
            # The others would lose more by starting anew than they gain by merging states.
            return
        if only in (None, Beam.name):
            yield Beam(problem, seed=self._seed, memory_mb=self._memory_mb // 2)
        if only == NestedMonteCarlo.name or (only is None and self._ends_by_chance()):
            yield NestedMonteCarlo(problem, seed=self._seed, max_steps=_LONG_PLAN_STEPS)

    def _ends_by_chance(self) -> bool:
        played = self._state.game.playouts(64, self._state, seed=self._seed, max_steps=_LONG_PLAN_STEPS)
        return played.count(Outcome.FINISHED) > 0

    def _planner(self, only: str | None) -> _Run | None:
        return _Run(Planning(self._state, memory_mb=self._memory_mb)) if only in (None, Planning.name) else None

    def _use_factors(self, deadline: Deadline) -> None:
        """Searches the parts of the puzzle beside the whole, if it is really several; only from the initial state."""
        self._knows_factors = True
        if self._problem is None or self._state != self._state.game.initial:
            return
        found = decompose(self._state.game, Budget(deadline=deadline.or_within(10.0)))
        if isinstance(found, Factors):
            self._obstacle = str(found)
        else:
            # The first in turn: what takes it long is hopeless for the others.
            self._core.insert(0, _Run(Factored(self._state, self._problem, found)))

    def _use_symmetries(self, deadline: Deadline) -> None:
        """Starts the searches that keep states anew, if the game has symmetries to merge states by."""
        self._knows_symmetries = True
        assert self._problem is not None
        found = permutations(self._state.game, self._problem, deadline)
        if not found:
            return
        names = {run.method.name for run in self._core}
        for method in self._searches(None, found):
            if method.name in names:
                replaced = next(run for run in self._core if run.method.name == method.name)
                self._core[self._core.index(replaced)] = _Run(method, replaced.seconds)


class _Beside:
    """Lets a method run in a thread of its own, until it is over, the deadline comes or the context is left."""

    def __init__(self, run: _Run | None, deadline: Deadline) -> None:
        self._run = run
        self._thread: threading.Thread | None = None
        self._deadline = deadline
        self._error: BaseException | None = None

    @property
    def is_going(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def __enter__(self) -> _Beside:
        if self._run is not None and not self._run.method.is_over:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()
        return self

    def _work(self) -> None:
        assert self._run is not None
        try:
            self._run.advance(min(self._deadline.remaining, threading.TIMEOUT_MAX))
        except Exception as error:
            self._error = error

    def __exit__(self, *_: object) -> None:
        if self._thread is None or self._run is None:
            return
        if self._thread.is_alive():
            self._run.method.close()
        self._thread.join()
        if self._error is not None:
            raise self._error
