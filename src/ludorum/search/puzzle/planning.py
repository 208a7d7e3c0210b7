"""Planning by answer sets: clingo looks for moves to a goal within a horizon, which grows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from ludorum.asp.encoding import decode
from ludorum.asp.process import ClingoProcess
from ludorum.errors import LudorumError
from ludorum.gdl.goals import goal_values
from ludorum.gdl.terms import Term
from ludorum.ground.unrolled import unrolled_program
from ludorum.search.puzzle.solution import Plan
from ludorum.state import State

# clingo is asked to stop after some seconds; if it does not within these, its process is ended.
_SHUTDOWN_S = 5.0


def horizons(longest: int) -> Iterator[int]:
    """1, 2, 3, 4, 6, 8, 11 …: a third more each time, so that little is lost by those that are too short."""
    horizon = 1
    while horizon < longest:
        yield horizon
        horizon += max(1, horizon // 3)
    yield longest


class Planning:
    """Looks for a plan that is worth the highest goal value, with more and more moves allowed.

    If no game can go on beyond a horizon and no play within it reaches the value, then none ever does; it goes on
    with the next lower value. Needs the rules alone, no circuit.
    """

    name = "answer sets"

    def __init__(self, state: State, *, memory_mb: int = 4096, longest: int = 500) -> None:
        self._values = goal_values(state.game.rules)
        self._fluents = state.fluents
        self._rules = state.game.rules
        self._horizons = horizons(longest)
        self._memory_mb = memory_mb
        self._process: ClingoProcess | None = None
        self._horizon = 0
        self._until = 0.0
        self._is_closed = False
        self._failure = ""
        #: Whether every game is known to be over by the horizon.
        self._is_bounded = False
        #: How long clingo may think about a horizon before a longer one is tried.
        self._patience = 1.0
        self._best: Plan | None = None
        self.bound = max(self._values)

    @property
    def best(self) -> Plan | None:
        return self._best

    @property
    def is_over(self) -> bool:
        reached = -1 if self._best is None else self._best.goal
        return bool(self._failure) or self._is_closed or reached >= self.bound

    @property
    def outcome(self) -> str:
        return f"{self._failure or 'looked'} to horizon {self._horizon}"

    def close(self) -> None:
        self._is_closed = True
        if self._process is not None:
            self._process.interrupt()

    def advance(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        try:
            while not self.is_over and self._left > 0:
                self._look(min(self._left, self._patience))
        except LudorumError as error:
            # Another method may do better, so this one ends with a remark; closing ends the process under our hands.
            self._failure = "" if self._is_closed else str(error)

    @property
    def _left(self) -> float:
        return self._until - time.monotonic()

    def _look(self, seconds: float) -> None:
        """Asks for a plan of the value that is the bound now; if there is none, lowers it or extends the horizon."""
        if self._process is None:
            self._process = ClingoProcess(memory_mb=self._memory_mb)
            if self._is_closed:
                self._process.interrupt()
            self._ask("unroll", self._left, program=unrolled_program(self._rules, self._fluents))
            self._ask("extend", self._left, steps=0)
        answer = self._solve(f"t__win({self.bound},{self._horizon})", True, seconds)
        if answer == "yes":
            return
        if answer == "unknown":
            self._patience *= 1.5
        if not self._is_bounded:
            self._is_bounded = self._solve(f"t__over({self._horizon})", False, seconds / 4) == "no"
        if self._is_bounded and answer == "no":
            # No play reaches this value: what is left is the next lower one, and below 0 that the game never ends.
            self.bound = max((value for value in self._values if value < self.bound), default=-1)
        elif not self._is_bounded and self._left > 0:
            self._extend()

    def _extend(self) -> None:
        following = next(self._horizons, None)
        if following is None:
            self._failure = "found nothing"
            return
        self._ask("extend", self._left, steps=following)
        self._horizon = following

    def _solve(self, atom: str, value: bool, seconds: float) -> str:
        answer = self._ask("solve", seconds + _SHUTDOWN_S, assumptions=[(atom, value)], limit=seconds)
        if answer["answer"] == "yes" and value:
            self._best = Plan(self.bound, _moves(answer["shown"]))
        return str(answer["answer"])

    def _ask(self, task: str, seconds: float, **arguments: Any) -> dict[str, Any]:
        assert self._process is not None
        return self._process.ask(task, seconds=seconds, **arguments)


def _moves(shown: Iterable[Any]) -> tuple[Term, ...]:
    """The moves of a model, `t__does(role,move,step)`, in their order."""
    return tuple(decode(move) for _, move in sorted((step, move) for _, _, move, step in shown))
