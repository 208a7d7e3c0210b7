"""Players of games that are really several games: what they do in the parts is put together.

Each part has a player of its own. A puzzle that is several puzzles is solved by parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.knowing import factoring_deadline
from ludorum.players.thoughts import Thoughts
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.factors import Parts
    from ludorum.search.puzzle.factored import Factored

# Of the time, or of the playouts, what looking for a plan may take; the rest is for a search of the whole.
_PLANNING = 0.5
# How long it looks for a plan before it counts again how many states it has seen, in seconds.
_SLICE = 0.01


@dataclass(frozen=True, slots=True)
class Chosen:
    """A move of the game, and why; how long it took is not told."""

    move: Move
    thoughts: Thoughts


class PlaysPart(Protocol):
    """A player whose work can be measured out, in playouts or in states."""

    @property
    def thoughts(self) -> Thoughts | None: ...

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None: ...

    def move_within(self, state: State, role: Role, deadline: Deadline, work: int | None) -> Move:
        """A move after so much work, or if that is None when the deadline comes."""

    def finish(self) -> None: ...


class ByParts:
    """Plays every part for its own sake; time and work are shared by those where there is something to choose.

    What one of them does not need is left to those after it.
    """

    def __init__(self, parts: Parts, players: Sequence[PlaysPart], spent: Callable[[Thoughts], int]) -> None:
        self._parts = parts
        self._players = players
        self._spent = spent

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Thinks about the first state of every part until the deadline."""
        for number, (part, player) in enumerate(zip(self._parts.games, self._players, strict=True)):
            player.prepare(part, role, _share(deadline, len(self._players) - number))

    def move(self, state: State, role: Role, deadline: Deadline, work: int | None) -> Chosen | None:
        """A move, and why; None in a state that cannot be taken apart."""
        if not self._parts.know(state):
            return None
        states = self._parts.states(state)
        waiting = sum(_has_choice(part, role) for part in states)
        moves, thoughts = [], []
        for part, player in zip(states, self._players, strict=True):
            if not _has_choice(part, role):
                # Nothing can change what a part has brought that is over.
                moves.append(part.legal(role)[0])
                goal = part.goals[role] if part.is_terminal else None
                thoughts.append(Thoughts(values={} if goal is None else {moves[-1]: float(goal)}))
                continue
            share = None if work is None else max(1, work // waiting)
            moves.append(player.move_within(part, role, _share(deadline, waiting), share))
            waiting -= 1
            thoughts.append(player.thoughts or Thoughts())
            work = None if work is None else max(0, work - self._spent(thoughts[-1]))
        move = self._parts.move(state, role, moves)
        return Chosen(move, self._together(role, move, moves, thoughts))

    def finish(self) -> None:
        for player in self._players:
            player.finish()

    def _together(self, role: Role, move: Move, moves: Sequence[Move], thoughts: Sequence[Thoughts]) -> Thoughts:
        """What was thought about the parts, as far as it says something about the whole."""
        values = [thought.values.get(of_part) for of_part, thought in zip(moves, thoughts, strict=True)]
        known = [value for value in values if value is not None]
        value = self._parts.goal(role, known) if len(known) == len(moves) else None
        methods = ", ".join(dict.fromkeys(thought.method for thought in thoughts if thought.method))
        return Thoughts(values={} if value is None else {move: value},
                        method=f"{len(moves)} games apart: {methods or 'no choice'}",
                        playouts=sum(thought.playouts for thought in thoughts),
                        states=sum(thought.states for thought in thoughts),
                        depth=max(thought.depth for thought in thoughts))


class ByPlan:
    """Follows the plan of a puzzle whose parts were solved; knows no move where there is no plan, or it was left."""

    def __init__(self, game: Game, solving: Factored) -> None:
        self._start = game.initial
        self._solving = solving
        #: By state the move of the plan.
        self._plan: dict[State, Move] | None = None

    @classmethod
    def of(cls, game: Game, deadline: Deadline) -> ByPlan | None:
        """Somebody who looks for a plan by parts; None if the puzzle is one."""
        from ludorum.analysis.factors import Factors, decompose
        from ludorum.search.puzzle.factored import Factored
        from ludorum.search.puzzle.problem import Problem

        problem = Problem.of(game.initial)
        found = decompose(game, seconds=None, deadline=factoring_deadline(deadline))
        if problem is None or isinstance(found, Factors):
            return None
        return cls(game, Factored(game.initial, problem, found))

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Looks for the plan until the deadline."""
        self._look(role, deadline, None)

    def move(self, state: State, role: Role, deadline: Deadline, work: int | None) -> Chosen | None:
        if state == self._start and self._plan is None:
            within = None if deadline.at is None else _PLANNING * deadline.remaining
            self._look(role, deadline.or_within(within), None if work is None else int(_PLANNING * work))
        move = None if self._plan is None else self._plan.get(state)
        if move is None:
            return None
        goal = float(self._solving.bound)
        return Chosen(move, Thoughts(values={move: goal}, proved=frozenset([move]), method="a plan by parts",
                                     states=self._solving.states, depth=len(self._plan or ())))

    def finish(self) -> None:
        """There is nothing to end: it thinks only when it is asked."""

    def _look(self, role: Role, deadline: Deadline, states: int | None) -> None:
        """Goes on looking for the plan, until it has seen so many states or the deadline comes."""
        solving = self._solving
        while not solving.is_over and not deadline.passed and (states is None or solving.states < states):
            solving.advance(min(_SLICE, max(0.0, deadline.remaining)))
        if solving.best is not None:
            self._plan, state = {}, self._start
            for term in solving.best.moves:
                self._plan[state] = Move(term)
                state = state.after({role: term})


def _share(deadline: Deadline, parts: int) -> Deadline:
    """The first of so many equal parts of the time that is left."""
    return deadline if deadline.at is None else deadline.or_within(deadline.remaining / max(1, parts))


def _has_choice(part: State, role: Role) -> bool:
    return len(part.legal(role)) > 1 and not part.is_terminal
