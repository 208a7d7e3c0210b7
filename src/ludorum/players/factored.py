"""Players of games that are really several games: what they do in the parts is put together.

Each part has a player of its own. A puzzle that is several puzzles is solved by parts.

In the literature: factoring (Cox, Schkufza, Madsen, Genesereth 2009), decomposition (Günther, Schiffel, Thielscher
2009).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ludorum.clock import Budget, Deadline
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.players.pregame import factoring_deadline
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.factors import Parts
    from ludorum.search.puzzle.factored import Factored

# Of the time, or of the playouts, what looking for a plan may take; the rest is for a search of the whole.
_PLANNING_SHARE = 0.5
# How long it looks for a plan before it counts again how many states it has seen, in seconds.
_SLICE_S = 0.01


@dataclass(frozen=True, slots=True)
class Chosen:
    """A move of the game, and why; how long it took is not told."""

    move: Move
    info: SearchInfo


class PlaysPart(Protocol):
    """A player at a part whose work can be measured out, in playouts or in states."""

    @property
    def info(self) -> SearchInfo | None: ...

    def prepare(self, deadline: Deadline) -> None: ...

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        """A move after so much work, or if that is None when the deadline comes."""

    def best_so_far(self, state: State) -> Move | None: ...

    def finish(self) -> None: ...


class FactoredPlayer:
    """Plays every part for its own sake; time and work are shared by those where there is something to choose.

    What one of them does not need is left to those after it.
    """

    def __init__(self, parts: Parts, role: Role, players: Sequence[PlaysPart],
                 spent: Callable[[SearchInfo], int]) -> None:
        self._parts = parts
        self._role = role
        self._players = players
        self._spent = spent
        #: The moves that were chosen in parts of the state that is thought about.
        self._chosen: tuple[State, list[Move]] | None = None

    def prepare(self, deadline: Deadline) -> None:
        """Thinks about the first state of every part until the deadline."""
        for number, player in enumerate(self._players):
            player.prepare(_share(deadline, len(self._players) - number))

    def move(self, state: State, deadline: Deadline, work: int | None) -> Chosen | None:
        """A move, and why; None in a state that cannot be taken apart."""
        if not self._parts.know(state):
            return None
        role, states = self._role, self._parts.states(state)
        waiting = sum(_has_choice(part, role) for part in states)
        moves: list[Move] = []
        infos: list[SearchInfo] = []
        self._chosen = state, moves
        for part, player in zip(states, self._players, strict=True):
            if not _has_choice(part, role):
                # Nothing can change what a part has brought that is over.
                moves.append(part.legal(role)[0])
                goal = part.goals[role] if part.is_terminal else None
                infos.append(SearchInfo(values={} if goal is None else {moves[-1]: float(goal)}))
                continue
            share = None if work is None else max(1, work // waiting)
            moves.append(player.move_within(part, _share(deadline, waiting), share))
            waiting -= 1
            infos.append(player.info or SearchInfo())
            work = None if work is None else max(0, work - self._spent(infos[-1]))
        move = self._parts.move(state, role, moves)
        return Chosen(move, self._together(role, move, moves, infos))

    def best_so_far(self, state: State) -> Move | None:
        """The moves that were chosen in parts, the best so far in the others; None before anything is known."""
        if self._chosen is None or self._chosen[0] != state:
            return None
        moves = list(self._chosen[1])
        found = [player.best_so_far(part) or part.legal(self._role)[0]
                 for part, player in list(zip(self._parts.states(state), self._players, strict=True))[len(moves):]]
        return self._parts.move(state, self._role, moves + found)

    def finish(self) -> None:
        for player in self._players:
            player.finish()

    def _together(self, role: Role, move: Move, moves: Sequence[Move], infos: Sequence[SearchInfo]) -> SearchInfo:
        """What was thought about the parts, as far as it says something about the whole."""
        values = [info.values.get(of_part) for of_part, info in zip(moves, infos, strict=True)]
        known = [value for value in values if value is not None]
        value = self._parts.goal(role, known) if len(known) == len(moves) else None
        methods = ", ".join(dict.fromkeys(info.method for info in infos if info.method))
        return SearchInfo(values={} if value is None else {move: value},
                        method=f"{len(moves)} games apart: {methods or 'no choice'}",
                        playouts=sum(info.playouts for info in infos),
                        states=sum(info.states for info in infos),
                        depth=max(info.depth for info in infos))


class FactoredPlanner:
    """Follows the plan of a puzzle whose parts were solved; knows no move where there is no plan, or it was left."""

    def __init__(self, game: Game, role: Role, solving: Factored) -> None:
        self._role = role
        self._start = game.initial
        self._solving = solving
        #: By state the move of the plan.
        self._plan: dict[State, Move] | None = None

    @classmethod
    def of(cls, game: Game, role: Role, deadline: Deadline) -> FactoredPlanner | None:
        """Somebody who looks for a plan by parts; None if the puzzle is one."""
        from ludorum.analysis.factors import Factors, decompose
        from ludorum.search.puzzle.factored import Factored
        from ludorum.search.puzzle.problem import Problem

        problem = Problem.of(game.initial)
        found = decompose(game, Budget(deadline=factoring_deadline(deadline)))
        if problem is None or isinstance(found, Factors):
            return None
        return cls(game, role, Factored(game.initial, problem, found))

    def prepare(self, deadline: Deadline) -> None:
        """Looks for the plan until the deadline."""
        self._look(deadline, None)

    def best_so_far(self, state: State) -> Move | None:
        return None if self._plan is None else self._plan.get(state)

    def move(self, state: State, deadline: Deadline, work: int | None) -> Chosen | None:
        if state == self._start and self._plan is None:
            within = None if deadline.at is None else _PLANNING_SHARE * deadline.remaining
            self._look(deadline.or_within(within), None if work is None else int(_PLANNING_SHARE * work))
        move = None if self._plan is None else self._plan.get(state)
        if move is None:
            return None
        goal = float(self._solving.bound)
        return Chosen(move, SearchInfo(values={move: goal}, proved=frozenset([move]), method="a plan by parts",
                                     states=self._solving.states, depth=len(self._plan or ())))

    def finish(self) -> None:
        """There is nothing to end: it thinks only when it is asked."""

    def _look(self, deadline: Deadline, states: int | None) -> None:
        """Goes on looking for the plan, until it has seen so many states or the deadline comes."""
        solving = self._solving
        while not solving.is_over and not deadline.passed and (states is None or solving.states < states):
            solving.advance(min(_SLICE_S, max(0.0, deadline.remaining)))
        if solving.best is not None:
            plan, state = {}, self._start
            for term in solving.best.moves:
                plan[state] = Move(term)
                state = state.after({self._role: term})
            self._plan = plan


def _share(deadline: Deadline, parts: int) -> Deadline:
    """The first of so many equal parts of the time that is left."""
    return deadline if deadline.at is None else deadline.or_within(deadline.remaining / max(1, parts))


def _has_choice(part: State, role: Role) -> bool:
    return len(part.legal(role)) > 1 and not part.is_terminal
