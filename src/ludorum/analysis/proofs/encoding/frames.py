"""A game in time, as clauses: what the circuit says of a state and of the step to the next one.

Gates become clauses only when a literal is asked for that depends on them. Where the model has loops left, a loop wire
is any fixpoint of its definition instead of the least: more than the game can do, so that what is proved is right, and
what is refuted has to be replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import TRUE, Solver, Weighted, different, solver_total
from ludorum.circuit.circuit import Wire
from ludorum.clock import Budget


@contextmanager
def any_step(model: PropertyCircuit, known: Iterable[Literal], budget: Budget) -> Iterator[tuple[Solver, Frame, Frame]]:
    """A solver for a step from any state where all that is known holds: that state and the next.

    Raises BudgetExceeded.
    """
    with closing(Solver(budget)) as solver:
        frame = Frame(model, solver)
        frame.steps()
        solver.add(*([frame.literal(formula)] for formula in known))
        yield solver, frame, frame.after()


class Frame:
    """A state: any at all, the initial one, or the one that follows another."""

    def __init__(self, model: PropertyCircuit, solver: Solver, *, before: Frame | None = None,
                 is_initial: bool = False) -> None:
        self.model = model
        self.solver = solver
        self._before = before
        self._initial = frozenset(model.circuit.initial) if is_initial else None
        self._known: dict[Wire, int] = {0: -TRUE}

    def literal(self, literal: Literal) -> int:
        """The solver's literal for one of the model."""
        wire = literal >> 1
        if wire not in self._known:
            self._encode(wire)
        return -self._known[wire] if literal & 1 else self._known[wire]

    def steps(self, unless: int = -TRUE) -> None:
        """From here a step is made: the state is not terminal and every role makes one legal move."""
        circuit = self.model.circuit
        self.solver.add([-self.literal(circuit.terminal), unless])
        wire = circuit.first_move
        for legal in circuit.legal:
            moves = [self.literal(2 * (wire + number)) for number in range(len(legal))]
            self.solver.exactly_one(moves, unless=unless) if moves else self.solver.add([unless])
            for move, may in zip(moves, legal, strict=True):
                self.solver.add([-move, self.literal(may), unless])
            wire += len(legal)

    def met(self) -> list[Wire]:
        """The fluents and moves that some literal so far depends on."""
        return [wire for wire in self._known if 0 < wire < self.model.first_gate]

    def joint(self) -> tuple[int, ...]:
        """In the model that was found, the number of every role's move."""
        circuit = self.model.circuit
        chosen, wire = [], circuit.first_move
        for legal in circuit.legal:
            chosen.append(next(number for number in range(len(legal))
                               if self.solver.holds(self._known[wire + number])))
            wire += len(legal)
        return tuple(chosen)

    def after(self) -> Frame:
        return Frame(self.model, self.solver, before=self)

    def _encode(self, root: Wire) -> None:
        """Clauses for all that a wire depends on."""
        model, known = self.model, self._known
        first_move, first_gate, inputs_of = model.first_move, model.first_gate, model.inputs_of
        pending, loops = [root], []
        while pending:
            cone: set[Wire] = set()
            stack = [pending.pop()]
            while stack:
                wire = stack.pop()
                if wire not in known and wire not in cone:
                    cone.add(wire)
                    if wire >= first_gate:
                        stack.extend([literal >> 1 for literal in inputs_of(wire)])
            for wire in sorted(cone):
                if wire < first_move:
                    known[wire] = self._fluent(wire - 1)
                elif wire < first_gate:
                    known[wire] = self.solver.variable()
                elif wire in model.loop_definitions:
                    known[wire] = self.solver.variable()
                    loops.append(wire)
                    pending.append(model.loop_definitions[wire] >> 1)
                else:
                    known[wire] = self._gate([-known[literal >> 1] if literal & 1 else known[literal >> 1]
                                              for literal in inputs_of(wire)])
        for wire in loops:
            value, definition = known[wire], self.literal(model.loop_definitions[wire])
            self.solver.add([-value, definition], [value, -definition])

    def _fluent(self, number: int) -> int:
        if self._initial is not None:
            return TRUE if number in self._initial else -TRUE
        if self._before is not None:
            return self._before.literal(self.model.circuit.next[number])
        return self.solver.variable()

    def _gate(self, inputs: list[int]) -> int:
        if -TRUE in inputs:
            return -TRUE
        inputs = [literal for literal in inputs if literal != TRUE]
        if len(inputs) <= 1:
            return inputs[0] if inputs else TRUE
        gate = self.solver.variable()
        self.solver.add(*([-gate, literal] for literal in inputs), [gate, *(-literal for literal in inputs)])
        return gate


class Changing:
    """The step from one frame to the next."""

    def __init__(self, solver: Solver, before: Frame, after: Frame) -> None:
        self._solver = solver
        self._before, self._after = before, after
        self._known: dict[Literal, tuple[int, int]] = {}

    def worth(self, weights: Iterable[tuple[Literal, int]]) -> tuple[list[Weighted], list[Weighted]]:
        """By how much the sum of the weights of what holds goes up, and down."""
        up: list[Weighted] = []
        down: list[Weighted] = []
        for formula, weight in weights:
            if weight:
                begins, ends = self._change(formula)
                (up if weight > 0 else down).append((abs(weight), begins))
                (down if weight > 0 else up).append((abs(weight), ends))
        return up, down

    def _change(self, formula: Literal) -> tuple[int, int]:
        """Literals that say that a formula begins, and that it ceases, to hold."""
        if formula not in self._known:
            here, there = self._before.literal(formula), self._after.literal(formula)
            self._known[formula] = self._both(-here, there), self._both(here, -there)
        return self._known[formula]

    def _both(self, left: int, right: int) -> int:
        both = self._solver.variable()
        self._solver.add([-both, left], [-both, right], [both, -left, -right])
        return both


class Holding:
    """What holds after the last of some steps, where it held before it."""

    def __init__(self, model: PropertyCircuit, solver: Solver, before: Frame, after: Frame) -> None:
        self._arena, self._solver, self._after = model, solver, after
        self._changing = Changing(solver, before, after)
        self._balanced: dict[Literal, int] = {}

    def literal(self, formula: Literal) -> int:
        balance = self._arena.balances.get(formula)
        if balance is None:
            return self._after.literal(formula)
        if formula not in self._balanced:
            # Two sums over a whole state are a riddle; that what a step changes comes to nothing is none.
            up, down = self._changing.worth((self._arena.some_of(numbers), weight)
                                            for numbers, weight in balance.weights)
            self._balanced[formula] = -different(
                self._solver, solver_total(self._solver, up), solver_total(self._solver, down))
        return self._balanced[formula]
