"""Where properties are put: a game's circuit without its loops, to which formulas are added as gates.

A formula over a state is a literal, as in the circuit itself; it may read fluents, `terminal`, `legal` and `goal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

import numpy as np
from numpy.typing import NDArray

from ludorum._core import GateBuilder
from ludorum.analysis.proofs.encoding.sat import Weighted, total
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal, Wire
from ludorum.circuit.core import simulator
from ludorum.circuit.passes import unroll
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term

#: Larger than this, recursion stays in loops.
MOST_GATES = 300_000
# So many states are looked at a time, fewer where a byte for every formula would be more than this.
_BLOCK = 1 << 16
_MOST_BYTES = 1 << 26
# Sums up to this are counted one by one, larger ones in binary digits.
_MOST_UNARY = 64
# The work of looking at a state, for every gate and for every formula.
_A_GATE, _A_FORMULA = 5e-11, 2e-9


class PropertyCircuit:
    """A circuit and formulas over its states."""

    def __init__(self, circuit: Circuit) -> None:
        # What was proved when the circuit was compiled holds in every state that can be reached.
        chosen = circuit if circuit.reachable is None else circuit.reachable
        # Whoever encodes it must say what he makes of the loops that are left.
        with suppress(BudgetExceeded):
            chosen = unroll(chosen, most_gates=MOST_GATES)
        self.circuit = chosen
        # The circuit counts them anew whenever it is asked.
        self.first_move, self.first_gate = chosen.first_move, chosen.first_gate
        self.loop_definitions = {loop.wire: loop.definition for loop in chosen.loops}
        self._builder = GateBuilder(chosen.wires)
        #: The formulas that are balances.
        self.balances: dict[Literal, Balance] = {}

    @property
    def is_exact(self) -> bool:
        """Whether there are no loops left."""
        return not self.loop_definitions

    def inputs_of(self, wire: Wire) -> tuple[Literal, ...]:
        """The literals that a gate reads; nothing for any other wire."""
        if wire >= self.circuit.wires:
            return self._builder.inputs_of(wire)
        return self.circuit.gate_inputs[wire - self.first_gate] if wire >= self.first_gate else ()

    def agreements(self) -> list[Literal]:
        """What the circuit relies on, as formulas that hold in every state that can be reached."""
        return [self.same(self.fluent(fluent), literal) for fluent, literal in self.circuit.agreements]

    # ---- formulas ----

    def fluent(self, number: int) -> Literal:
        return 2 * (number + 1)

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        return self._builder.all_of(literals)

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        return self._builder.any_of(literals)

    def same(self, left: Literal, right: Literal) -> Literal:
        return self.any_of([self.all_of([left, right]), self.all_of([left ^ 1, right ^ 1])])

    def at_most_one(self, literals: Sequence[Literal]) -> Literal:
        seen, twice = FALSE, []
        for literal in literals:
            twice.append(self.all_of([seen, literal]))
            seen = self.any_of([seen, literal])
        return self.any_of(twice) ^ 1

    def implies(self, condition: Literal, then: Literal) -> Literal:
        return self.any_of([condition ^ 1, then])

    def some_of(self, numbers: Iterable[int]) -> Literal:
        """That at least one of some fluents holds."""
        return self.any_of(map(self.fluent, numbers))

    def balanced(self, balance: Balance) -> Literal:
        """That the weights of what holds add up as a balance says."""
        # What weighs less than nothing counts on the other side.
        sides: tuple[list[Weighted], list[Weighted]] = ([], [])
        for weight, literal in (*((weight, self.some_of(numbers)) for numbers, weight in balance.weights),
                                (-balance.total, TRUE)):
            if weight:
                sides[weight < 0].append((abs(weight), literal))
        most = min(sum(weight for weight, _ in side) for side in sides)
        left, right = ([self._at_least(side, most + 1) for side in sides] if most <= _MOST_UNARY
                       else [total(side, self._added, FALSE) for side in sides])
        formula = self.all_of(self.same(a, b) for a, b in zip_longest(left, right, fillvalue=FALSE))
        self.balances[formula] = balance
        return formula

    def at_least(self, count: int, literals: Sequence[Literal]) -> Literal:
        """That so many of some literals hold, or more."""
        if count <= 0 or count > len(literals):
            return TRUE if count <= 0 else FALSE
        most_fail = len(literals) - count
        if most_fail + 1 < count:
            return self.at_least(most_fail + 1, [literal ^ 1 for literal in literals]) ^ 1
        terms = [(1, literal) for literal in literals]
        if count <= _MOST_UNARY:
            return self._at_least(terms, count)[-1]
        reached = TRUE
        for place, digit in enumerate(total(terms, self._added, FALSE)):
            reached = self.all_of([digit, reached]) if count >> place & 1 else self.any_of([digit, reached])
        return reached

    def _at_least(self, terms: Sequence[Weighted], most: int) -> list[Literal]:
        """For all numbers from 1 to `most` that the weights of what holds add up to that or more.

        A totalizer (Bailleux and Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003): from
        some of the terms a solver sees at once what the others may come to.
        """
        if len(terms) <= 1:
            return [literal for weight, literal in terms for _ in range(min(weight, most))]
        half = len(terms) // 2
        left, right = ([TRUE, *self._at_least(part, most)] for part in (terms[:half], terms[half:]))
        return [self.any_of(self.all_of([a, right[number - place]]) for place, a in enumerate(left)
                            if 0 <= number - place < len(right))
                for number in range(1, min(most, len(left) + len(right) - 2) + 1)]

    def _added(self, a: Literal, b: Literal, c: Literal) -> tuple[Literal, Literal]:
        """The two binary digits of how many of three literals hold."""
        unlike = self.same(a, b) ^ 1
        return self.same(unlike, c) ^ 1, self.any_of([self.all_of([a, b]), self.all_of([unlike, c])])

    # ---- on samples ----

    def truth(self, formulas: Sequence[Literal], rows: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """bool [states, formulas]: which formulas hold in states given as rows of fluent bits."""
        return np.concatenate([np.zeros((0, len(formulas)), dtype=bool), *self._truth(formulas, rows)])

    def failures(self, formulas: Sequence[Literal], rows: NDArray[np.uint64], budget: Budget) -> list[int | None]:
        """For every formula the first of the states where it does not hold, if there is one; raises BudgetExceeded."""
        found: list[int | None] = [None] * len(formulas)
        start, gates = 0, self.circuit.gates + len(self._builder.gate_inputs)
        for held in self._truth(formulas, rows):
            budget.check(_A_GATE * gates * len(held) + _A_FORMULA * held.size)
            for number in np.flatnonzero(~held.all(axis=0)).tolist():
                if found[number] is None:
                    found[number] = start + int(np.argmin(held[:, number]))
            start += len(held)
        return found

    def _truth(self, formulas: Sequence[Literal], rows: NDArray[np.uint64]) -> Iterator[NDArray[np.bool_]]:
        """The same as `truth`, some states at a time."""
        circuit = self.circuit
        # Percepts are what the core works out for any literal. None of these reads a move, so that it does not matter
        # whose moves they are; but whoever perceives something must have moved, and a role may have no moves.
        asked = tuple((Term("formula"), literal) for literal in formulas)
        moves = tuple(chain(*circuit.moves))
        extended = replace(circuit, gate_inputs=(*circuit.gate_inputs, *self._builder.gate_inputs), reachable=None,
                           turns=1, phases=(), next=(FALSE,) * len(circuit.fluents), roles=circuit.roles[:1],
                           moves=(moves,), legal=((FALSE,) * len(moves),), goals=((),), percepts=(asked,))
        if not moves:
            held = [simulator(replace(extended, terminal=literal)).terminal_and_legal(rows)[0] for literal in formulas]
            yield np.array(held, dtype=bool).reshape(len(formulas), len(rows)).T
            return
        core = simulator(extended)
        block = max(1, min(_BLOCK, _MOST_BYTES // max(1, len(formulas))))
        for start in range(0, len(rows), block):
            some = np.ascontiguousarray(rows[start : start + block])
            told = core.percepts(some, np.zeros((len(some), 1), dtype=np.uint32))
            yield np.unpackbits(told.view(np.uint8), axis=1, bitorder="little", count=len(formulas)).astype(bool)


@dataclass(frozen=True, slots=True)
class Balance:
    """What the weights of all that holds add up to is always the same.

    In draughts: what the counter of red says is as much as there are cells with a red piece.
    """

    #: Fluents by number, of which at least one holds, and what that weighs, which is not 0.
    weights: tuple[tuple[tuple[int, ...], int], ...]
    total: int

    @property
    def digits(self) -> int:
        """How many binary digits there are to add up."""
        return sum(abs(weight).bit_length() for _, weight in self.weights)


__all__ = ["FALSE", "TRUE", "Balance", "Literal", "PropertyCircuit"]
