"""Max^n by asking an engine one question after the other: for engines that have no part in the core.

The same meaning as max^n in the core, with goal values for estimates: slow, and far from deep.

In the literature: max^n (Luckhardt, Irani 1986).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ludorum.clock import NEVER, Deadline
from ludorum.engines.protocol import Position
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.move import Move, Role
from ludorum.search.minimax import MAX_DEPTH, MinimaxResult, assumptions
from ludorum.state import State

# Estimates stay between these, so that none is taken for a win or a loss that was seen.
_MIN_ESTIMATE, _MAX_ESTIMATE = 1.0, 99.0


class _OutOfTime(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _NodeResult:
    values: tuple[float, ...]
    is_proved: bool
    #: The joint moves that lead to these values.
    line: tuple[tuple[Term, ...], ...] = ()


class PythonMaxN:
    """Searches one state for a role, deeper and deeper until it is solved or the deadline passes."""

    def __init__(self, state: State, role: Role) -> None:
        self._reasoner = state.game.reasoner
        self._state = state
        self._role = role
        roles = state.game.roles
        others = [other for other in roles if other not in (role, RANDOM)]
        # This role chooses first where several have a choice, and chance last.
        self._order = [roles.index(name) for name in [role, *others, *(name for name in roles if name == RANDOM)]]
        self._chance = roles.index(Role(RANDOM)) if RANDOM in roles else None
        self._known: dict[tuple[Position, int], _NodeResult] = {}
        self._states = 0
        self._is_simultaneous = False

    def search(self, *, depth: int | None = None, deadline: Deadline = NEVER) -> MinimaxResult:
        begin = time.monotonic()
        best, reached = _NodeResult((50.0,) * len(self._state.game.roles), False), 0
        for limit in range(1, (depth or MAX_DEPTH) + 1):
            try:
                best = self._visit(self._state.position, limit, deadline)
            except (_OutOfTime, RecursionError):
                # Python itself goes no deeper than some hundred moves; what was found above that stands.
                break
            reached = limit
            if best.is_proved:
                break
        roles = self._state.game.roles
        line: tuple[dict[str, Move], ...] = tuple(
            {role: Move(term) for role, term in zip(roles, joint, strict=True)} for joint in best.line)
        return MinimaxResult(
            role=self._role, values=dict(zip(roles, best.values, strict=True)),
            move=line[0][self._role] if line else None, principal_variation=line, is_proved=best.is_proved,
            depth=reached, states=self._states, generated=self._states, sweeps=self._states,
            seconds=time.monotonic() - begin,
            method="max^n", assumes=assumptions("max^n", is_simultaneous=self._is_simultaneous))

    def _visit(self, position: Position, depth: int, deadline: Deadline) -> _NodeResult:
        if deadline.passed:
            raise _OutOfTime
        known = self._known.get((position, MAX_DEPTH)) or self._known.get((position, depth))
        if known is None:
            self._states += 1
            known = self._look(position, depth, deadline)
            self._known[position, MAX_DEPTH if known.is_proved else depth] = known
        return known

    def _look(self, position: Position, depth: int, deadline: Deadline) -> _NodeResult:
        legal = self._reasoner.legal(position)
        is_over = self._reasoner.is_terminal(position) or not all(legal)
        if is_over or depth == 0:
            goals = tuple(float(goal or 0) for goal in self._reasoner.goals(position))
            estimates = tuple(min(max(goal, _MIN_ESTIMATE), _MAX_ESTIMATE) for goal in goals)
            return _NodeResult(goals if is_over else estimates, is_over)
        choices = [len(moves) > 1 for role, moves in enumerate(legal) if role != self._chance]
        self._is_simultaneous |= sum(choices) > 1
        return self._choose(position, legal, {}, depth, deadline)

    def _choose(self, position: Position, legal: tuple[tuple[Term, ...], ...], chosen: dict[int, Term], depth: int,
                deadline: Deadline) -> _NodeResult:
        """What comes of the choices made so far, where the next role in the order chooses now."""
        if len(chosen) == len(self._order):
            joint = tuple(chosen[role] for role in range(len(legal)))
            below = self._visit(self._reasoner.after(position, joint), depth - 1, deadline)
            return _NodeResult(below.values, below.is_proved, (joint, *below.line))
        role = self._order[len(chosen)]
        tried = [self._choose(position, legal, {**chosen, role: move}, depth, deadline) for move in legal[role]]
        is_proved = all(known.is_proved for known in tried)
        if role == self._chance:
            means = tuple(sum(column) / len(tried) for column in zip(*(known.values for known in tried), strict=True))
            return _NodeResult(means, is_proved, tried[0].line)
        best = max(tried, key=lambda known: known.values[role])
        return _NodeResult(best.values, is_proved, best.line)
