"""What the core can do to a circuit, described; each pass makes a circuit from a circuit.

In the literature: logic synthesis (Brayton, Hachtel, Sangiovanni-Vincentelli 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ludorum import _core
from ludorum._core import Circuit as CoreCircuit
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal
from ludorum.circuit.core import core_circuit, core_program, with_gates
from ludorum.errors import BudgetExceeded
from ludorum.ground.program import GroundProgram

Group = tuple[int, ...]
#: Numbers of fluents with the literals that they agree with.
Agreements: TypeAlias = tuple[tuple[int, Literal], ...]

#: As long as anybody would wait, and more than any machine has.
UNLIMITED = (1e9, 2**62)


@dataclass(frozen=True, slots=True)
class CircuitPass:
    """A pass by the name that reports give it; as a function it makes a circuit from a circuit."""

    name: str
    what: str
    #: On circuits of the core, with the numbers of the fluents that hold initially, and at most so many seconds of CPU
    #: time and bytes; None if they do not suffice.
    run: Callable[[CoreCircuit, Sequence[int], float, int], CoreCircuit | None]

    def __call__(self, circuit: Circuit) -> Circuit:
        made = self.run(core_circuit(circuit), circuit.initial, *UNLIMITED)
        if made is None:
            raise BudgetExceeded(f"there is no memory for the pass {self.name}")
        return with_gates(circuit, made)


def _plain(run: Callable[[CoreCircuit, float, int], CoreCircuit | None]) -> Callable[..., CoreCircuit | None]:
    """A pass that does not ask what holds initially."""
    return lambda circuit, _, seconds, memory: run(circuit, seconds, memory)


simplify = CircuitPass("simplify", "constants are propagated, and what nobody asks for is dropped",
                       _plain(_core.simplify))
use_legality = CircuitPass("legality", "what the legality of a move demands is not asked again beside it",
                           _plain(_core.use_legality))
flatten = CircuitPass("flatten", "a conjunction that only one other reads becomes part of it", _plain(_core.flatten))
use_one_hot_moves = CircuitPass("one-hot moves", "none of these moves is one of the others, where that is shorter",
                                _plain(_core.use_one_hot_moves))
factor = CircuitPass("factor", "(a and b) or (a and c) is a and (b or c)", _plain(_core.factor))
share = CircuitPass("share", "pairs of inputs that many gates read are read once", _plain(_core.share))
find_turns = CircuitPass("turns", "whose turn it is, if that goes round by itself", _core.find_turns)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What was proved of fluents, by their numbers; it holds initially, and after a step if it did before.

    Of a `one_hot` group exactly one holds, of an `exclusive` group at most one.
    """

    one_hot: tuple[Group, ...] = ()
    exclusive: tuple[Group, ...] = ()
    never: tuple[int, ...] = ()
    always: tuple[int, ...] = ()

    def as_pass(self) -> CircuitPass:
        def run(circuit: CoreCircuit, _: Sequence[int], seconds: float, memory: int) -> CoreCircuit | None:
            return _core.use_proved_fluents(circuit, self.one_hot, self.exclusive, self.never, self.always, seconds,
                                            memory)

        return CircuitPass("proved fluents", "every gate is made simpler by what was proved of fluents", run)

    def on(self, circuit: Circuit) -> Circuit:
        """A circuit that relies on them, as it is."""
        constants = {**dict.fromkeys(self.never, FALSE), **dict.fromkeys(self.always, TRUE)}
        return replace(circuit, agreements=tuple(sorted((dict(circuit.agreements) | constants).items())),
                       one_hot=(*circuit.one_hot, *self.one_hot), exclusive=(*circuit.exclusive, *self.exclusive))


def build(program: GroundProgram) -> Circuit:
    """The circuit that says what the ground program says, rule by rule."""
    made = _core.build(core_program(program), *UNLIMITED)
    if made is None:
        raise BudgetExceeded(f"there is no memory for {program}")
    return with_gates(empty(program), made)


def empty(program: GroundProgram) -> Circuit:
    """The inputs and questions of a program, without any gate."""
    return Circuit(
        roles=program.roles, fluents=program.fluents, moves=program.moves, initial=program.initial,
        gate_inputs=(), loops=(), next=(FALSE,) * len(program.fluents),
        legal=tuple((FALSE,) * len(of_role) for of_role in program.moves),
        terminal=FALSE, goals=tuple(tuple((value, FALSE) for value, _ in goals) for goals in program.goal_atoms),
        percepts=tuple(tuple((term, FALSE) for term, _ in told) for told in program.percept_atoms))


def merge_agreeing_fluents(circuit: Circuit) -> Circuit:
    """The circuit with every reader of a fluent given the first one that it provably agrees with."""
    made = _core.merge_agreeing_fluents(core_circuit(circuit), circuit.initial, *UNLIMITED)
    if made is None:
        raise BudgetExceeded("there is no memory to compare fluents")
    merged, agreements = made
    return replace(with_gates(circuit, merged), agreements=tuple(agreements)) if agreements else circuit


def unroll(circuit: Circuit, *, most_gates: int = 2_000_000) -> Circuit:
    """The same circuit without loops; raises BudgetExceeded if it would get too large."""
    if not circuit.loops:
        return circuit
    made = _core.unroll(core_circuit(circuit), most_gates, *UNLIMITED)
    if made is None:
        raise BudgetExceeded(f"without its loops the circuit has more than {most_gates:,} gates")
    return with_gates(circuit, made)
