"""Solving a puzzle that is really several puzzles: each is searched apart, and plans are put together.

Parts that are played at once are searched side by side, move by move: of every part all states that it can be in after
so many moves. What they say about the end and the goals is small, and it is enough to see whether some combination of
them ends the game as it is wanted. A part that is played by turns with others is searched with its own moves alone.
A plan counts only if the game itself confirms it, and nothing is said about what cannot be reached.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.factors.factors import Option, Phase
from ludorum.analysis.factors.finding import Decomposition
from ludorum.analysis.factors.formulas import Truths, evaluate, interface
from ludorum.circuit.circuit import Literal
from ludorum.errors import WrongPlan
from ludorum.grammar import agree
from ludorum.search.puzzle.problem import Problem
from ludorum.search.puzzle.solution import Plan, check
from ludorum.state import State

# More states of a part than this, or more combinations of what parts say, are not looked at.
_MAX_PART_STATES, _MAX_COMBINATIONS = 1 << 23, 1 << 16
# Nor is a layer made from more moves than this, all of which are made at once: that takes a second or two, and nobody
# can interrupt it.
_MAX_PLAN_MOVES = 1 << 20

_Rows = NDArray[np.uint64]


class Factored:
    """Looks for a plan that is worth the highest goal value. Requires: the state is the initial one."""

    name = "factors"

    def __init__(self, state: State, problem: Problem, decomposition: Decomposition) -> None:
        self._state = state
        self._problem = problem
        self._parts = decomposition
        self._best: Plan | None = None
        self._failure = ""
        self._is_over = False
        self._work = self._by_turns() if decomposition.factors.combination == "choice" else self._at_once()
        #: States of parts that were looked at.
        self.states = 0
        self.bound = problem.target

    @property
    def best(self) -> Plan | None:
        return self._best

    @property
    def is_over(self) -> bool:
        return self._is_over

    @property
    def outcome(self) -> str:
        states = f"{self.states:,} {agree(self.states, 'state')}"
        return f"{self._failure or 'looked'} at {states} of {len(self._parts.factors.factors)} parts"

    def close(self) -> None:
        self._is_over = True

    def advance(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._is_over and time.monotonic() < until:
            if next(self._work, None) is None:
                self._is_over = True

    def _take(self, moves: Sequence[int]) -> bool:
        """Keeps a plan if the game confirms it: cut where the game is over, it must be worth the highest goal."""
        (role,) = self._state.game.roles
        state, terms = self._state, []
        for term in self._problem.moves(moves):
            if state.is_terminal:
                break
            if term not in state.legal(role):
                return False
            terms.append(term)
            state = state.after({role: term})
        plan = Plan(self._problem.target, tuple(terms))
        try:
            check(self._state, plan)
        except WrongPlan:
            return False
        self._best = plan
        return True

    # ---- one part at a time ----

    def _by_turns(self) -> Iterator[bool]:
        """For each part all that its own moves lead to, the nearest first; the others are left alone."""
        searches = [_Alone(self._problem, factor.moves[0]) for factor in self._parts.factors.factors]
        while searches:
            for search in tuple(searches):
                self.states += search.advance()
                if search.plan is not None and self._take(search.plan):
                    return
                if search.is_over:
                    searches.remove(search)
                yield True
        self._failure = "found nothing"

    # ---- all at once ----

    def _at_once(self) -> Iterator[bool]:
        circuit, cofactors = self._parts.circuit, self._parts.cofactors
        plain = cofactors.plain

        def literal(asked: Literal) -> Literal:
            return plain[asked >> 1] ^ (asked & 1)

        wanted = next(literal(of) for value, of in circuit.goals[0] if value == self._problem.target)
        others = [literal(of) for value, of in circuit.goals[0] if value != self._problem.target]
        roots = [literal(circuit.terminal), wanted, *others]
        numbers = [factor.fluents for factor in self._parts.factors.factors]
        supports = [sum(2 << number for number in part) for part in numbers]
        *faces, of_clock = interface(cofactors, roots, supports)
        layers = [_Layers(self._problem, self._parts, part) for part in range(len(numbers))]
        for moment in range(_MAX_PART_STATES):
            said = [layer.says(moment, face) for layer, face in zip(layers, faces, strict=True)]
            if np.prod([len(cases) for cases in said], dtype=float) > _MAX_COMBINATIONS:
                self._failure = "too much to combine"
                return
            # Every combination of what the parts may say, one a column.
            every = list(product(*(range(len(cases)) for cases in said)))
            index = np.array(every, dtype=np.int64).reshape(-1, len(said))
            given = {wire: said[part][index[:, part], place] for part, face in enumerate(faces)
                     for place, wire in enumerate(face)}
            for place, wire in enumerate(of_clock):
                given[wire] = np.repeat(layers[0].says_clock(moment, of_clock)[place], len(index))
            is_over, is_won, *is_other = evaluate(cofactors, roots, given, len(index))
            for column in np.flatnonzero(is_over & is_won & ~np.logical_or.reduce([*is_other, np.zeros_like(is_won)])):
                ways = [layer.way(moment, face, said[part][index[column, part]])
                        for part, (layer, face) in enumerate(zip(layers, faces, strict=True))]
                if self._take(self._joined(ways)):
                    return
            # What ends the game whatever the others do goes no further.
            for part, (layer, face) in enumerate(zip(layers, faces, strict=True)):
                ends = np.array([is_over[index[:, part] == case].all() for case in range(len(said[part]))], dtype=bool)
                is_made = layer.go_on(moment, face, said[part][~ends])
                self.states += layer.size
                if not is_made or not layer.size or self.states > _MAX_PART_STATES:
                    self._failure = "found nothing" if not layer.size else "too many states"
                    return
                yield True

    def _joined(self, ways: Sequence[list[Option]]) -> list[int]:
        """The moves that do in every part what was chosen there."""
        return [min(frozenset.intersection(*(option.moves for option in options)))
                for options in zip(*ways, strict=True)]


class _Alone:
    """All states that some of the moves lead to, layer by layer."""

    def __init__(self, problem: Problem, moves: Sequence[int]) -> None:
        self._problem = problem
        self._moves = np.array(moves, dtype=np.uint32)
        self._layers: list[tuple[_Rows, NDArray[np.int64], NDArray[np.uint32]]] = [
            (problem.start[None, :], np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint32))]
        self._seen = {problem.start.tobytes()}
        self.plan: list[int] | None = None
        self.is_over = False

    def advance(self) -> int:
        """One layer more; how many states it has."""
        simulator = self._problem.everywhere
        rows = self._layers[-1][0]
        terminal, legal = simulator.terminal_and_legal(rows)
        goals = simulator.goals(rows)[:, 0]
        won = np.flatnonzero((terminal != 0) & (goals == self._problem.target))
        if len(won):
            self.plan, self.is_over = self._way(int(won[0])), True
            return len(rows)
        bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")[:, self._moves] != 0
        parents, chosen = np.nonzero(bits & (terminal == 0)[:, None])
        if not len(parents) or len(parents) > _MAX_PLAN_MOVES:
            self.is_over = True
            return len(rows)
        moves = self._moves[chosen]
        after = simulator.step(np.ascontiguousarray(rows[parents]), np.ascontiguousarray(moves[:, None]))
        keys = [row.tobytes() for row in after]
        first = {key: number for number, key in reversed(list(enumerate(keys))) if key not in self._seen}
        fresh = np.array(sorted(first.values()), dtype=np.int64)
        self._seen.update(first)
        self.is_over = not len(fresh) or len(self._seen) > _MAX_PART_STATES
        self._layers.append((after[fresh], parents[fresh], moves[fresh]))
        return len(rows)

    def _way(self, row: int) -> list[int]:
        moves = []
        for _, parents, chosen in reversed(self._layers[1:]):
            moves.append(int(chosen[row]))
            row = int(parents[row])
        return moves[::-1]


@dataclass
class _Layer:
    rows: _Rows
    #: Where each came from in the layer before, and by which option.
    parents: NDArray[np.int64]
    options: NDArray[np.int64]


class _Layers:
    """The states that a part can be in after 0, 1, 2 … moves; what is not of the part is as it was at first."""

    def __init__(self, problem: Problem, parts: Decomposition, part: int) -> None:
        self._problem = problem
        self._parts = parts
        self._part = part
        own, clock = (_mask(fluents, problem.start.shape[0])
                      for fluents in (parts.factors.factors[part].fluents, parts.factors.clock))
        self._own = own
        self._rest = problem.start & ~(own | clock)
        none = np.zeros(1, dtype=np.int64)
        self._layers = [_Layer(problem.start[None, :], none, none)]

    @property
    def size(self) -> int:
        return len(self._layers[-1].rows)

    def says(self, moment: int, face: Sequence[int]) -> Truths:
        """The different things that states say by the wires of an interface, a row each."""
        return np.unique(self._said(self._layers[moment].rows, face), axis=0)

    def says_clock(self, moment: int, wires: Sequence[int]) -> Truths:
        return self._said(self._layers[moment].rows[:1], wires).reshape(-1)

    def way(self, moment: int, face: Sequence[int], said: Truths) -> list[Option]:
        """What leads to a state that says this."""
        row = int(np.flatnonzero((self._said(self._layers[moment].rows, face) == said).all(axis=1))[0])
        options: list[Option] = []
        for earlier in range(moment - 1, -1, -1):
            layer = self._layers[earlier + 1]
            options.append(self._options(earlier)[int(layer.options[row])])
            row = int(layer.parents[row])
        return options[::-1]

    def go_on(self, moment: int, face: Sequence[int], said: Truths) -> bool:
        """Makes the next layer, from the states that say one of these things, unless it would take too long."""
        rows = self._layers[moment].rows
        mask = self._among(rows, face, said)
        able = [np.flatnonzero(mask & self._holds(rows, option)) for option in self._options(moment)]
        if sum(map(len, able)) > _MAX_PLAN_MOVES:
            return False
        clock = self._parts.times[self._time(moment + 1)]
        found: list[_Rows] = [np.zeros((0, rows.shape[1]), dtype=np.uint64)]
        for option, those in zip(self._options(moment), able, strict=True):
            if len(those):
                moves = np.full((len(those), 1), option.move, dtype=np.uint32)
                after = self._problem.everywhere.step(np.ascontiguousarray(rows[those]), moves)
                found.append(self._only(after, clock))
        chosen = np.repeat(np.arange(len(able)), [len(those) for those in able])
        rows, first = np.unique(np.concatenate(found), axis=0, return_index=True)
        parents = np.concatenate([np.zeros(0, dtype=np.int64), *able])
        self._layers.append(_Layer(rows, parents[first], chosen[first]))
        return True

    def _among(self, rows: _Rows, face: Sequence[int], said: Truths) -> Truths:
        """Which rows say one of these things."""
        every = self._said(rows, face)
        mask = np.zeros(len(rows), dtype=bool)
        for case in said:
            mask |= (every == case).all(axis=1)
        return mask

    def _only(self, rows: _Rows, clock: frozenset[int]) -> _Rows:
        """Rows where all but this part and the clock is as it was at first."""
        return (rows & self._own) | self._rest | _mask(clock, rows.shape[1])

    def _holds(self, rows: _Rows, option: Option) -> Truths:
        if not option.condition:
            return np.ones(len(rows), dtype=bool)
        holds: Truths = np.logical_and.reduce(self._truths(rows, option.condition))
        return holds

    def _said(self, rows: _Rows, wires: Sequence[int]) -> Truths:
        return np.ascontiguousarray(self._truths(rows, [2 * wire for wire in wires]).T)

    def _truths(self, rows: _Rows, literals: Sequence[Literal]) -> Truths:
        support = 0
        for literal in literals:
            support |= self._parts.cofactors.support(literal)
        fluents = [number for number in range(len(self._parts.circuit.fluents)) if support >> (number + 1) & 1]
        given = {1 + number: (rows[:, number // 64] & np.uint64(1 << number % 64)) != 0 for number in fluents}
        return evaluate(self._parts.cofactors, literals, given, len(rows))

    def _options(self, moment: int) -> tuple[Option, ...]:
        phase: Phase = self._parts.phases[self._time(moment)]
        return phase.options[0][self._part]

    def _time(self, moment: int) -> int:
        """Which of the clock's times it is after so many moves."""
        times, back_to = len(self._parts.times), self._parts.back_to
        return moment if moment < times else back_to + (moment - times) % (times - back_to)


def _mask(fluents: Iterable[int], words: int) -> _Rows:
    mask = np.zeros(words, dtype=np.uint64)
    for fluent in fluents:
        mask[fluent // 64] |= np.uint64(1) << np.uint64(fluent % 64)
    return mask
