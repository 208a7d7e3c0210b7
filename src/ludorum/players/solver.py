"""The player of puzzles: finds a plan and follows it.

In the literature: a portfolio of planners that share the time (Gomes, Selman 2001).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline, now
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.montecarlo import MonteCarlo, MonteCarloPlaying
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.game import Game
    from ludorum.search.puzzle import Portfolio, Solution

# Before the deadline, to look at what was found and to answer.
_ANSWER_MARGIN_S = 0.05
# How long it thinks about a move where nobody says how long it may, in seconds.
_NO_CLOCK_S = 10.0


class Solver(MovesOnce):
    """Plays a game of one role by the best plan it finds, and knows when nothing better can be reached.

    It thinks until the puzzle is solved, at most for `seconds` a move if they are given, before the first move as long
    as there is time; what is solved is played at once. Until then it plays the best plan so far, or the best series of
    moves of random play. If something else happens than it planned, it plans anew. In games of several roles it plays
    like `MonteCarlo`.
    """

    def __init__(self, seconds: float | None = None, *, seed: int = 0, memory_mb: int = 4096) -> None:
        if (seconds is not None and seconds < 0) or memory_mb < 1:
            raise ValueError("seconds cannot be less than 0, and memory_mb not less than 1")
        self.seconds = seconds
        self.seed = seed
        self.memory_mb = memory_mb

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> SolverPlaying | MonteCarloPlaying:
        if len(game.roles) > 1:
            return MonteCarlo(_NO_CLOCK_S if self.seconds is None else self.seconds, seed=self.seed).join(game, role)
        return SolverPlaying(self, game, game.role(role))

    def __repr__(self) -> str:
        return f"Solver(seconds={self.seconds}, seed={self.seed})"


class SolverPlaying:
    """What a player of `Solver` has at a match: the plan that it follows, and a portfolio at work on a better one."""

    def __init__(self, player: Solver, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._thinking: _Thinking | None = None
        self._way: _Way | None = None
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline = NEVER) -> None:
        """Thinks about the first state until it is solved or the deadline comes."""
        self._think(self._game.initial).wait(self._limit(deadline) if deadline.at is None else deadline)

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        start, role = now(), self._role
        way = self._way_from(state)
        if len(state.legal(role)) == 1 and way is None:
            self._info = SearchInfo(method="the only move", seconds=now() - start)
            return state.legal(role)[0]
        if way is None or not way.is_proved:
            thinking = self._think(state)
            thinking.wait(self._limit(deadline))
            found = thinking.way(role)
            # A plan that is worth as much as what we are about to do anyway is no reason to change our mind.
            if way is None or found.is_better_than(way):
                way = found
        move = way.moves[0] if way.moves else state.legal(role)[0]
        self._info = way.info(role, now() - start)
        self._way = way.after(state, role) if way.moves else None
        if way.is_proved:
            self.finish()
        return move

    def ponder(self) -> None:
        """Thinks on from where its plan leads, if it may not be the best."""
        if self._way is not None and not self._way.is_proved and not self._way.state.is_terminal:
            self._think(self._way.state)

    def best_so_far(self, state: State) -> Move | None:
        """The first move of the best plan so far."""
        ways = [self._way_from(state)]
        if self._thinking is not None and self._thinking.state == state:
            ways.append(self._thinking.way(self._role))
        known = [way for way in ways if way is not None and way.moves]
        return max(known, key=lambda way: (way.is_proved, way.goal)).moves[0] if known else None

    def finish(self) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking = None

    def _limit(self, deadline: Deadline) -> Deadline:
        unhurried = _NO_CLOCK_S if deadline.at is None else None
        return deadline.or_within(unhurried if self._player.seconds is None else self._player.seconds)

    def _way_from(self, state: State) -> _Way | None:
        """What was planned, if it leads from here."""
        return self._way if self._way is not None and self._way.state == state and self._way.moves else None

    def _think(self, state: State) -> _Thinking:
        """Thinking about a state, which goes on if it is the one that is being thought about."""
        if self._thinking is None or self._thinking.state != state:
            self.finish()
            self._thinking = _Thinking(state, self._player.seed, self._player.memory_mb)
        return self._thinking


class _Way:
    """Moves from a state on, what they are worth (-1 if they come to no end), and whether that is proved."""

    def __init__(self, state: State, moves: tuple[Move, ...], goal: int, *, is_proved: bool, method: str) -> None:
        self.state = state
        self.moves = moves
        self.goal = goal
        self.is_proved = is_proved
        self.method = method

    def is_better_than(self, other: _Way) -> bool:
        return bool(self.moves) and (self.is_proved, self.goal) > (other.is_proved, other.goal)

    def after(self, state: State, role: Role) -> _Way:
        """What is left after the first move."""
        return _Way(state.after({role: self.moves[0]}), self.moves[1:], self.goal, is_proved=self.is_proved,
                    method=self.method)

    def info(self, role: Role, seconds: float) -> SearchInfo:
        first = self.moves[:1]
        return SearchInfo(
            values={move: float(self.goal) for move in first if self.goal >= 0},
            proved=frozenset(first if self.is_proved else ()),
            principal_variation=tuple({role: move} for move in self.moves),
            method=self.method or "legal", depth=len(self.moves), seconds=seconds)


class _Thinking:
    """A portfolio at work on a state, in a thread that can be left behind."""

    def __init__(self, state: State, seed: int, memory_mb: int) -> None:
        self.state = state
        self._seed = seed
        self._memory_mb = memory_mb
        self._stop = threading.Event()
        self._done = threading.Event()
        self._portfolio: Portfolio | None = None
        self._solution: Solution | None = None
        self._error: Exception | None = None
        threading.Thread(target=self._work, daemon=True, name="solver").start()

    def _work(self) -> None:
        from ludorum.search.puzzle import Portfolio

        try:
            self._portfolio = Portfolio(self.state, seed=self._seed, memory_mb=self._memory_mb)
            self._solution = self._portfolio.solve(stop=self._stop)
        except Exception as error:
            # Raised where somebody waits for the result.
            self._error = error
        finally:
            if self._portfolio is not None:
                self._portfolio.close()
            self._done.set()

    def wait(self, deadline: Deadline) -> None:
        """Until it is done or the deadline is near; raises what went wrong."""
        self._done.wait(max(0.0, min(deadline.remaining - _ANSWER_MARGIN_S, threading.TIMEOUT_MAX)))
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._stop.set()

    def way(self, role: Role) -> _Way:
        """The best that is known now."""
        portfolio, solution = self._portfolio, self._solution
        if solution is not None and solution.goal is not None:
            return _Way(self.state, solution.plan, solution.goal, is_proved=solution.proved, method=solution.method)
        plan = None if portfolio is None else portfolio.plan
        if plan is not None:
            return _Way(self.state, tuple(map(Move, plan.moves)), plan.goal, is_proved=False, method="best so far")
        promising = () if portfolio is None else portfolio.promising
        return _Way(self.state, tuple(map(Move, promising)), -1, is_proved=False,
                    method="nested Monte-Carlo" if promising else "")
