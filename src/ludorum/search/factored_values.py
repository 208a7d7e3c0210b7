"""What a game of two roles is worth that is really several games: the sum of what they are worth.

That is so where the parts are played at once and are independent; where the game is over when all parts are, and a part
that is over stays as it is; where the goals are sums of what the parts bring, and in every part what one role wins the
other loses; and where in no part both have a choice at once. All of it is checked on every state that a part can be in,
so where there is an answer it is a proof.

In the literature: sums of games (Conway 1976), factoring (Cox, Schkufza, Madsen, Genesereth 2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.factors.factors import Factors, Option
from ludorum.analysis.factors.finding import Decomposition, decompose
from ludorum.analysis.factors.formulas import Truths, evaluate, interface
from ludorum.circuit.circuit import Literal
from ludorum.clock import NEVER, Budget, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.errors import NotSeparable
from ludorum.game import Game
from ludorum.move import Move
from ludorum.search.result import GameValues

# More states of a part than this, or more combinations of what parts say, are not looked at.
_MAX_PART_STATES, _MAX_COMBINATIONS = 200_000, 1 << 16


@dataclass
class _State:
    """A state of one part."""

    says: tuple[bool, ...]
    #: By what the roles do the states that follow.
    after: dict[tuple[Option, ...], bytes] = field(default_factory=dict)


def factored_values(game: Game, deadline: Deadline = NEVER) -> GameValues:
    """The values of the initial state; raises NotSeparable where they are not those of parts."""
    if len(game.roles) != 2:
        raise NotSeparable("it is no game of two roles")
    parts = decompose(game, Budget(deadline=deadline.or_within(10.0)))
    if isinstance(parts, Factors):
        raise NotSeparable(str(parts))
    if parts.factors.combination != "product":
        raise NotSeparable("its parts are played one at a time")
    return _Solving(game, parts, deadline).values()


class _Solving:
    def __init__(self, game: Game, parts: Decomposition, deadline: Deadline) -> None:
        assert isinstance(game.reasoner, Simulates)
        self._game = game
        self._parts = parts
        self._deadline = deadline
        self._reasoner = game.reasoner
        self._start = game.reasoner.row(game.initial.position)
        plain = parts.cofactors.plain
        self._terminal = plain[parts.circuit.terminal >> 1] ^ (parts.circuit.terminal & 1)
        self._goals = [[(value, plain[of >> 1] ^ (of & 1)) for value, of in goals] for goals in parts.circuit.goals]
        roots = [self._terminal, *(of for goals in self._goals for _, of in goals)]
        supports = [sum(2 << number for number in factor.fluents) for factor in parts.factors.factors]
        faces = interface(parts.cofactors, roots, supports)
        self._faces = faces[:-1]
        if any(wire for wire in faces[-1]):
            raise NotSeparable("its end or its goals depend on the clock")
        #: By part the states, and what a state that is over brings to each role.
        self._states: list[dict[bytes, _State]] = []
        self._worth: list[dict[tuple[bool, ...], tuple[float, float]]] = []
        self._base = (0.0, 0.0)
        self._solved: list[dict[bytes, tuple[tuple[float, float], tuple[Option, ...] | None]]] = []

    def values(self) -> GameValues:
        for part in range(len(self._faces)):
            self._states.append(self._reachable(part))
        self._separate()
        starts = [self._row(self._start[None, :], part, 0)[0].tobytes() for part in range(len(self._faces))]
        for part, start in enumerate(starts):
            self._solved.append({})
            self._solve(part, start)
        worth = [solved[start][0] for solved, start in zip(self._solved, starts, strict=True)]
        values = tuple(base + sum(of[role] for of in worth) for role, base in enumerate(self._base))
        line = self._line(starts)
        state = self._game.initial
        for joint in line:
            state = state.after(joint)
        if not state.is_terminal or tuple(float(goal or 0) for goal in state.goals.values()) != values:
            raise NotSeparable("the line of play does not bring what was computed")
        return GameValues(dict(zip(self._game.roles, values, strict=True)), tuple(line), "factors",
                          sum(map(len, self._states)))

    # ---- the states of a part ----

    def _reachable(self, part: int) -> dict[bytes, _State]:
        """All states that a part can be in, whatever becomes of the others."""
        simulator = self._reasoner.simulator()
        times = self._parts.times
        found: dict[bytes, _State] = {}
        first = self._row(self._start[None, :], part, 0)
        new: list[tuple[int, NDArray[np.uint64]]] = [(0, self._noted(found, part, first))]
        while new:
            time, rows = new.pop()
            if self._deadline.passed or len(found) > _MAX_PART_STATES:
                raise NotSeparable("too many states of a part, or too little time")
            later = time + 1 if time + 1 < len(times) else self._parts.back_to
            following = []
            for joint in product(*(of_role[part] for of_role in self._parts.phases[time].options)):
                able = np.flatnonzero(np.logical_and.reduce(
                    [self._truths(rows, option.condition).all(axis=0) for option in joint]))
                if not len(able):
                    continue
                numbers = np.array([[option.move for option in joint]] * len(able), dtype=np.uint32)
                after = self._row(simulator.step(np.ascontiguousarray(rows[able]), numbers), part, later)
                for row, successor in zip(rows[able], after, strict=True):
                    found[row.tobytes()].after[joint] = successor.tobytes()
                following.append(after)
            if following:
                fresh = self._noted(found, part, np.unique(np.concatenate(following), axis=0))
                if len(fresh):
                    new.append((later, fresh))
        return found

    def _noted(self, found: dict[bytes, _State], part: int, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The rows that are new, which are taken down with what they say."""
        fresh = np.ascontiguousarray(rows[[row.tobytes() not in found for row in rows]])
        said = self._truths(fresh, [2 * wire for wire in self._faces[part]])
        for number, row in enumerate(fresh):
            found[row.tobytes()] = _State(tuple(bool(truth) for truth in said[:, number]))
        return fresh

    def _row(self, rows: NDArray[np.uint64], part: int, time: int) -> NDArray[np.uint64]:
        """Rows where all but a part and the clock is as it was at first."""
        words = rows.shape[1]
        own = _mask(self._parts.factors.factors[part].fluents, words)
        shared = _mask(self._parts.factors.clock, words)
        return (rows & own) | (self._start & ~(own | shared)) | _mask(self._parts.times[time], words)

    def _truths(self, rows: NDArray[np.uint64], literals: Sequence[Literal]) -> Truths:
        support = 0
        for literal in literals:
            support |= self._parts.cofactors.support(literal)
        given = {1 + number: (rows[:, number // 64] & np.uint64(1 << number % 64)) != 0
                 for number in range(len(self._parts.circuit.fluents)) if support >> (number + 1) & 1}
        return evaluate(self._parts.cofactors, literals, given, len(rows))

    # ---- the end ----

    def _separate(self) -> None:
        """Finds out when a part is over and what it then brings; checks that this makes up the whole."""
        said = [sorted({state.says for state in states.values()}) for states in self._states]
        if np.prod([len(cases) for cases in said], dtype=float) > _MAX_COMBINATIONS:
            raise NotSeparable("its parts say too many different things")
        every = list(product(*said))
        given = {wire: np.array([case[part][place] for case in every]) for part, face in enumerate(self._faces)
                 for place, wire in enumerate(face)}
        cofactors = self._parts.cofactors
        is_over = evaluate(cofactors, [self._terminal], given, len(every))[0]
        over = [{case[part] for case, ends in zip(every, is_over, strict=True) if ends} for part in range(len(said))]
        if not is_over.any() or any(all(case[part] in over[part] for part in range(len(said))) != ends
                                    for case, ends in zip(every, is_over, strict=True)):
            raise NotSeparable("it is not over when all its parts are")
        goals = list(self._goal_values(given, every, is_over))
        ends = dict(zip((case for case, ended in zip(every, is_over, strict=True) if ended), goals, strict=True))
        base = next(iter(ends))
        self._base = ends[base]
        for part, cases in enumerate(over):
            self._worth.append({says: _minus(ends[(*base[:part], says, *base[part + 1 :])], self._base)
                                for says in cases})
            if len({sum(worth) for worth in self._worth[-1].values()}) > 1:
                raise NotSeparable("what one role wins in a part the other does not lose")
        for case, goal in ends.items():
            made = [self._base[role] + sum(self._worth[part][says][role] for part, says in enumerate(case))
                    for role in range(2)]
            if tuple(made) != goal:
                raise NotSeparable("its goals are not the sum of what its parts bring")
        for states, cases in zip(self._states, over, strict=True):
            for state in states.values():
                if state.says in cases and any(states[key].says != state.says for key in state.after.values()):
                    raise NotSeparable("a part that is over goes on")

    def _goal_values(self, given: dict[int, Truths], every: Sequence[object],
                     is_over: Truths) -> Iterator[tuple[float, float]]:
        """For every combination that is over the goals of both roles."""
        truths = [evaluate(self._parts.cofactors, [of for _, of in goals], given, len(every)) for goals in self._goals]
        for number in np.flatnonzero(is_over):
            values = [[value for (value, _), holds in zip(goals, of_role[:, number], strict=True) if holds]
                      for goals, of_role in zip(self._goals, truths, strict=True)]
            if any(len(of_role) != 1 for of_role in values):
                raise NotSeparable("some end has no goal value, or several")
            yield float(values[0][0]), float(values[1][0])

    # ---- the values ----

    def _solve(self, part: int, start: bytes) -> None:
        """The value of every state below a start, for both roles, and what the roles do there."""
        states, worth, solved = self._states[part], self._worth[part], self._solved[part]
        stack, under_way = [start], set[bytes]()
        while stack:
            key = stack[-1]
            state = states[key]
            if key in solved:
                stack.pop()
            elif state.says in worth:
                solved[key] = worth[state.says], None
            elif key not in under_way:
                under_way.add(key)
                waiting = [later for later in state.after.values() if later not in solved]
                if under_way.intersection(waiting):
                    raise NotSeparable("a part can go round in circles")
                stack.extend(waiting)
            else:
                if any(later not in solved for later in state.after.values()):
                    raise NotSeparable("a part can go round in circles")
                under_way.discard(key)
                solved[key] = self._choice(state, solved)

    def _choice(self, state: _State, solved: dict[bytes, tuple[tuple[float, float], tuple[Option, ...] | None]]
                ) -> tuple[tuple[float, float], tuple[Option, ...]]:
        if not state.after:
            raise NotSeparable("nothing can be done in a part that is not over")
        choosers = [role for role in range(2) if len({joint[role] for joint in state.after}) > 1]
        if len(choosers) > 1:
            raise NotSeparable("both roles have a choice in one part")
        chooser = choosers[0] if choosers else 0
        joint = max(state.after, key=lambda joint: (solved[state.after[joint]][0][chooser],
                                                    [-option.move for option in joint]))
        return solved[state.after[joint]][0], joint

    def _line(self, keys: list[bytes]) -> list[dict[str, Move]]:
        """What both do in all parts until all of them are over."""
        line: list[dict[str, Move]] = []
        while not all(states[key].says in worth for states, key, worth in
                      zip(self._states, keys, self._worth, strict=True)):
            chosen = []
            for part, key in enumerate(keys):
                joint = self._solved[part][key][1] if key in self._solved[part] else None
                chosen.append(joint or min(self._states[part][key].after, key=lambda made: [o.move for o in made]))
            numbers = [min(frozenset.intersection(*(joint[role].moves for joint in chosen))) for role in range(2)]
            line.append({role: Move(moves[number]) for role, moves, number in
                         zip(self._game.roles, self._reasoner.moves, numbers, strict=True)})
            keys = [self._states[part][key].after[joint] for part, (key, joint) in
                    enumerate(zip(keys, chosen, strict=True))]
        return line


def _minus(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return one[0] - other[0], one[1] - other[1]


def _mask(fluents: Sequence[int] | frozenset[int], words: int) -> NDArray[np.uint64]:
    mask = np.zeros(words, dtype=np.uint64)
    for fluent in fluents:
        mask[fluent // 64] |= np.uint64(1) << np.uint64(fluent % 64)
    return mask
