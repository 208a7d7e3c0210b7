"""Programs for the core: operations on one number a state, written one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from ludorum._core import CircuitSimulator, ProgramEvaluation

Slot = int
#: A fluent's number, or past them that of a condition.
Plane = int


class Operation(IntEnum):
    """As in native/evaluation/program.h."""

    FIRST = 0
    MEAN = 1
    COUNT = 2
    MOVES = 3
    SUM = 4
    POWER = 5
    DUAL = 6
    PRODUCT = 7
    COMPLEMENT = 8
    IF_LESS = 9
    IF_HOLDS = 10
    WEIGHTED = 11
    RATIO = 12


@dataclass(frozen=True, slots=True)
class Step:
    operation: Operation
    operands: tuple[int, ...]
    constants: tuple[float, ...]


@dataclass(slots=True)
class Code:
    """Steps in their order; step i gives number i. What is written already is not written again."""

    steps: list[Step] = field(default_factory=list)
    _known: dict[Step, Slot] = field(default_factory=dict)

    def constant(self, value: float) -> Slot:
        return self._add(Operation.COUNT, (), (value,))

    def first(self, groups: Sequence[tuple[float, Sequence[Plane]]], otherwise: float) -> Slot:
        """The number of the first group that has a plane that holds."""
        operands = [operand for _, planes in groups for operand in (len(planes), *planes)]
        return self._add(Operation.FIRST, operands, [*(value for value, _ in groups), otherwise])

    def mean(self, planes: Sequence[tuple[float, Plane]], otherwise: float) -> Slot:
        """The mean of the numbers of those planes that hold."""
        return self._add(Operation.MEAN, [plane for _, plane in planes], [*(value for value, _ in planes), otherwise])

    def count(self, planes: Sequence[tuple[float, Plane]], start: float = 0.0) -> Slot:
        """The sum of the numbers of those planes that hold."""
        return self._add(Operation.COUNT, [plane for _, plane in planes], [*(value for value, _ in planes), start])

    def moves(self, role: int) -> Slot:
        """How many legal moves a role has."""
        return self._add(Operation.MOVES, (role,), ())

    def sum(self, slots: Sequence[Slot], *, below: float = 0.0, cap: float = 1.0) -> Slot:
        """The sum, at most 1; where every summand is less than `below`, at most `cap`."""
        return self._add(Operation.SUM, sorted(slots), (below, cap))

    def power(self, slot: Slot, exponent: float) -> Slot:
        return self._add(Operation.POWER, (slot,), (exponent,))

    def dual(self, slot: Slot, exponent: float) -> Slot:
        """(1 − x^(1/e))^e."""
        return self._add(Operation.DUAL, (slot,), (exponent,))

    def product(self, slots: Sequence[Slot]) -> Slot:
        return self._add(Operation.PRODUCT, sorted(slots), ())

    def complement(self, slot: Slot) -> Slot:
        return self._add(Operation.COMPLEMENT, (slot,), ())

    def if_less(self, slot: Slot, bound: float, then: Slot, otherwise: Slot) -> Slot:
        return self._add(Operation.IF_LESS, (slot, then, otherwise), (bound,))

    def if_holds(self, plane: Plane, then: Slot, otherwise: Slot) -> Slot:
        return self._add(Operation.IF_HOLDS, (plane, then, otherwise), ())

    def weighted(self, parts: Sequence[tuple[float, Slot]], start: float = 0.0) -> Slot:
        return self._add(Operation.WEIGHTED, [slot for _, slot in parts], [*(weight for weight, _ in parts), start])

    def ratio(self, one: Slot, other: Slot) -> Slot:
        """(a − b) / (a + b)."""
        return self._add(Operation.RATIO, (one, other), ())

    def _add(self, operation: Operation, operands: Iterable[int], constants: Iterable[float]) -> Slot:
        step = Step(operation, tuple(operands), tuple(map(float, constants)))
        if step not in self._known:
            self._known[step] = len(self.steps)
            self.steps.append(step)
        return self._known[step]

    def compile(self, outputs: Sequence[Slot], *, fluents: int, conditions: CircuitSimulator | None = None,
                instructions: str | None = None) -> ProgramEvaluation:
        """The program for the core; `outputs` are the values of the roles."""
        places, slots = self._places(outputs)
        kept = [(step, place) for step, place in zip(self.steps, places, strict=True) if place >= 0]
        operands = [[places[operand] if i >= _first_slot(step) else operand for i, operand in enumerate(step.operands)]
                    for step, _ in kept]
        return ProgramEvaluation(
            fluents=fluents, roles=len(outputs), slots=slots,
            operations=np.array([step.operation for step, _ in kept], dtype=np.uint8),
            step_slots=np.array([place for _, place in kept], dtype=np.uint32),
            operand_ends=np.cumsum([len(read) for read in operands], dtype=np.uint32),
            operands=np.array([operand for read in operands for operand in read], dtype=np.uint32),
            constant_ends=np.cumsum([len(step.constants) for step, _ in kept], dtype=np.uint32),
            constants=np.array([constant for step, _ in kept for constant in step.constants], dtype=np.float64),
            outputs=np.array([places[output] for output in outputs], dtype=np.uint32), conditions=conditions,
            instructions=instructions)

    def _places(self, outputs: Sequence[Slot]) -> tuple[list[int], int]:
        """Where every number is kept, −1 for those that nobody asks for; a place is used again once it is free, so that
        they all stay in the cache."""
        last: dict[Slot, int] = {output: len(self.steps) for output in outputs}
        for index in range(len(self.steps) - 1, -1, -1):
            if index in last:
                for slot in self.steps[index].operands[_first_slot(self.steps[index]) :]:
                    last.setdefault(slot, index)
        places, slots = [-1] * len(self.steps), 0
        free: list[int] = []
        for index, step in enumerate(self.steps):
            if index not in last:
                continue
            if not free:
                free.append(slots)
                slots += 1
            places[index] = free.pop()
            free += {places[slot] for slot in step.operands[_first_slot(step) :] if last[slot] == index}
        return places, slots


def _first_slot(step: Step) -> int:
    """From which operand on they are slots."""
    if step.operation in (Operation.FIRST, Operation.MEAN, Operation.COUNT, Operation.MOVES):
        return len(step.operands)
    return 1 if step.operation == Operation.IF_HOLDS else 0
