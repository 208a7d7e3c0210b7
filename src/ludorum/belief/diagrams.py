"""All states that are possible for a role as one decision diagram, where they are too many to list.

A million states that differ in a few places side by side take some thousand nodes. How likely they are is not kept,
only which they are: how many there are, what holds in all of them, and whether one is among them.

In the literature: reduced ordered binary decision diagrams (Bryant 1986) with dynamic reordering (Rudell 1993), here
those of CUDD (Somenzi); images as in symbolic model checking (Burch et al. 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np

from ludorum.belief.stepping import Rows
from ludorum.belief.turn import Turn
from ludorum.circuit import Circuit
from ludorum.clock import NEVER, Deadline
from ludorum.engines.circuit import CircuitReasoner
from ludorum.errors import TooLarge, TooSlow
from ludorum.gdl.terms import Term

# A diagram of more nodes than this is given up, and so is a turn with more joint moves of the others.
_MOST_NODES, _MOST_JOINTS = 2_000_000, 20_000


def are_available() -> bool:
    """Whether the package `dd` is installed with CUDD."""
    return find_spec("dd") is not None and find_spec("dd.cudd") is not None


class StateDiagram:
    """The states that are possible after some turns, starting from one. `told` goes on by a turn.

    Raises TooLarge for rules with recursion that depends on the state, and where diagrams grow too large.
    """

    def __init__(self, reasoner: CircuitReasoner, initial: Rows, seat: int) -> None:
        from dd import cudd

        self._circuit: Circuit = reasoner.circuit
        if self._circuit.loops:
            raise TooLarge("rules that depend on each other are no diagram")
        self._reasoner, self._seat = reasoner, seat
        self._manager: Any = cudd.BDD(initial_cache_size=1 << 16)
        self._manager.configure(reordering=True)
        count = len(self._circuit.fluents)
        self._names = [f"x{number}" for number in range(count)]
        # What a fluent becomes stands beside it, so that to rename it changes little.
        for name in self._names:
            self._manager.declare(name, f"{name}n")
        self._variables = [self._manager.var(name) for name in self._names]
        self._plain: dict[int, Any] = {}
        bits = np.unpackbits(initial.reshape(-1).view(np.uint8), bitorder="little")[:count]
        self.states: Any = self._manager.cube(dict(zip(self._names, map(bool, bits.tolist()), strict=True)))

    # ---- what is known ----

    def __len__(self) -> int:
        """How many states there are."""
        return int(self._manager.count(self.states, len(self._names)))

    @property
    def nodes(self) -> int:
        """How many nodes the diagram has."""
        return int(self.states.dag_size)

    def holds(self, row: Rows) -> bool:
        """Whether the state of a row is possible."""
        bits = np.unpackbits(row.reshape(-1).view(np.uint8), bitorder="little")[: len(self._names)]
        values = dict(zip(self._names, map(bool, bits.tolist()), strict=True))
        return bool(self._manager.let(values, self.states) == self._manager.true)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over in all of them."""
        return self._in_all(self._literal(self._circuit.terminal, {}, self._plain), self.states)

    @property
    def legal(self) -> frozenset[Term]:
        """The moves of the role that are legal in all states in which the game is not over."""
        going = self._going
        return frozenset(move for move, literal in zip(self._circuit.moves[self._seat],
                                                       self._circuit.legal[self._seat], strict=True)
                         if self._in_all(self._literal(literal, {}, self._plain), going))

    @property
    def knows_legal(self) -> bool:
        """Whether each move of the role is legal in all of these states, or in none."""
        return all(self._is_settled(literal, self._going) for literal in self._circuit.legal[self._seat])

    @property
    def knows_goal(self) -> bool:
        """Whether the role has the same goals in all states."""
        return all(self._is_settled(literal, self.states) for _, literal in self._circuit.goals[self._seat])

    @property
    def _going(self) -> Any:
        return self.states & ~self._literal(self._circuit.terminal, {}, self._plain)

    def _in_all(self, condition: Any, states: Any) -> bool:
        return bool((states & ~condition) == self._manager.false)

    def _is_settled(self, literal: int, states: Any) -> bool:
        condition = self._literal(literal, {}, self._plain)
        return self._in_all(condition, states) or self._in_all(~condition, states)

    # ---- what is told ----

    def told(self, turn: Turn, deadline: Deadline = NEVER) -> None:
        """The states that the turn leads to. Raises TooSlow if that took too long, and then nothing has changed."""
        found = self._manager.false
        for joint in self._joints(turn):
            if deadline.passed:
                raise TooSlow("there was no time for a decision diagram")
            found |= self._image(joint, turn)
            if len(self._manager) > _MOST_NODES:
                raise TooLarge(f"a decision diagram grew beyond {_MOST_NODES} nodes")
        self.states = found

    def _joints(self, turn: Turn) -> Sequence[tuple[int, ...]]:
        """Joint moves as numbers that may explain the turn."""
        going = self._going
        choices: list[list[int]] = []
        ways = 1
        for role, moves in enumerate(self._circuit.moves):
            known = turn.moves[role]
            if known is not None:
                choices.append([moves.index(known)])
            else:
                legal = [number for number, literal in enumerate(self._circuit.legal[role])
                         if (going & self._literal(literal, {}, self._plain)) != self._manager.false]
                choices.append(legal)
            ways *= len(choices[-1])
        if ways > _MOST_JOINTS:
            raise TooLarge(f"{ways} joint moves are too many for a decision diagram")
        return list(product(*choices))

    def _image(self, joint: tuple[int, ...], turn: Turn) -> Any:
        manager, circuit = self._manager, self._circuit
        states, first = self._going, circuit.first_move
        moves: dict[int, bool] = {}
        for role, number in enumerate(joint):
            states &= self._literal(circuit.legal[role][number], {}, self._plain)
            moves |= {first + other: other == number for other in range(len(circuit.moves[role]))}
            first += len(circuit.moves[role])
        if states == manager.false:
            return states
        made: dict[int, Any] = {}
        if turn.percepts is not None:
            possible = {percept for percept, _ in circuit.percepts[turn.seat]}
            if not turn.percepts <= possible:
                return manager.false
            for percept, literal in circuit.percepts[turn.seat]:
                is_told = self._literal(literal, moves, made)
                states &= is_told if percept in turn.percepts else ~is_told
                if states == manager.false:
                    return states
        changed, relation = {}, states
        for number, literal in enumerate(circuit.next):
            later = self._literal(literal, moves, made)
            if later == self._variables[number]:
                continue
            name = self._names[number]
            changed[f"{name}n"] = name
            relation &= manager.apply("equiv", manager.var(f"{name}n"), later)
        return manager.let(changed, manager.exist(set(changed.values()), relation)) if changed else relation

    def _literal(self, literal: int, moves: dict[int, bool], made: dict[int, Any]) -> Any:
        """The condition under which a literal holds, if these moves are made."""
        wire = literal >> 1
        if wire not in made:
            waiting = [wire]
            while waiting:
                top = waiting[-1]
                if top in made:
                    waiting.pop()
                    continue
                if top == 0:
                    made[top] = self._manager.false
                elif top < self._circuit.first_move:
                    made[top] = self._variables[top - 1]
                elif top < self._circuit.first_gate:
                    made[top] = self._manager.true if moves.get(top, False) else self._manager.false
                else:
                    inputs = self._circuit.inputs_of(top)
                    missing = [one >> 1 for one in inputs if one >> 1 not in made]
                    if missing:
                        waiting += missing
                        continue
                    found = self._manager.true
                    for one in inputs:
                        found &= ~made[one >> 1] if one & 1 else made[one >> 1]
                    made[top] = found
        return ~made[wire] if literal & 1 else made[wire]
