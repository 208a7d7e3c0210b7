"""The circuit: a game as a network of AND gates over fluents and moves.

Wire 0 is the constant false; then come the fluents, the moves of the first role, of the second, and so on; then gates
and loop wires. A literal is `2 * wire`, plus 1 for its negation: 0 is false, 1 is true. A gate is the conjunction of
its literals and reads only wires with smaller numbers; a disjunction is the negation of a conjunction of negations.

Recursive rules go through loop wires. Those of one component start false and take the values of their definitions,
again and again, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace

from ludorum.gdl.terms import Term
from ludorum.grammar import agree

Wire = int
Literal = int

FALSE: Literal = 0
TRUE: Literal = 1


@dataclass(frozen=True, slots=True)
class Loop:
    """A wire whose value is the least fixpoint of its definition, together with the others of its component."""

    wire: Wire
    definition: Literal
    component: int


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass over the circuit did."""

    name: str
    gates_before: int
    gates_after: int
    inputs_before: int
    inputs_after: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Circuit:
    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    #: Numbers of the fluents that hold initially.
    initial: tuple[int, ...]

    #: The inputs of every wire after the given ones; a loop wire has none.
    gate_inputs: tuple[tuple[Literal, ...], ...]
    loops: tuple[Loop, ...]
    next: tuple[Literal, ...]
    legal: tuple[tuple[Literal, ...], ...]
    terminal: Literal
    goals: tuple[tuple[tuple[int, Literal], ...], ...]
    percepts: tuple[tuple[tuple[Term, Literal], ...], ...]
    #: Playouts begin games at multiples of so many steps only: as many as there are phases.
    turns: int = 1
    #: Where what tells whose turn it is goes round by itself: literals of the same fluents that hold in each phase of
    #: the round. From a state where those of one hold, a step leads to those of the next.
    phases: tuple[tuple[Literal, ...], ...] = ()
    #: Fluents that were proved to agree with another literal in every state that can be reached: a fluent's number
    #: and a literal, which is a constant or an earlier fluent. The circuit is right only where they hold.
    agreements: tuple[tuple[int, Literal], ...] = ()
    #: Groups of fluents of which exactly one, or at most one, holds in every state that can be reached, as far as the
    #: circuit relies on it.
    one_hot: tuple[tuple[int, ...], ...] = ()
    exclusive: tuple[tuple[int, ...], ...] = ()
    #: A smaller circuit of the same game that relies on agreements, where that is worth having.
    reachable: Circuit | None = field(default=None, compare=False)
    passes: tuple[Pass, ...] = field(default=(), compare=False)

    @property
    def first_move(self) -> Wire:
        return 1 + len(self.fluents)

    @property
    def first_gate(self) -> Wire:
        return self.first_move + sum(map(len, self.moves))

    @property
    def wires(self) -> int:
        return self.first_gate + len(self.gate_inputs)

    @property
    def gates(self) -> int:
        """How many gates there are."""
        return len(self.gate_inputs) - len(self.loops)

    @property
    def inputs(self) -> int:
        """How many inputs the gates have together: what a step costs."""
        return sum(map(len, self.gate_inputs))

    def inputs_of(self, wire: Wire) -> tuple[Literal, ...]:
        """The literals that a gate reads; nothing for any other wire."""
        return self.gate_inputs[wire - self.first_gate] if wire >= self.first_gate else ()

    def agrees(self, held: Container[int]) -> bool:
        """Whether all that the circuit relies on is so where exactly these fluents hold."""
        return (all((fluent in held) == (((literal >> 1) - 1 in held) ^ bool(literal & 1))
                    for fluent, literal in self.agreements)
                and all(sum(fluent in held for fluent in group) == 1 for group in self.one_hot)
                and all(sum(fluent in held for fluent in group) <= 1 for group in self.exclusive))

    def held_in_phases(self) -> tuple[tuple[Term, ...], ...]:
        """For every phase those of its fluents that hold."""
        return tuple(tuple(self.fluents[(literal >> 1) - 1] for literal in phase if not literal & 1)
                     for phase in self.phases)

    def roots(self) -> Iterator[Literal]:
        """The literals that somebody asks for, loop definitions apart."""
        yield self.terminal
        yield from self.next
        for of_role in self.legal:
            yield from of_role
        for goals in self.goals:
            for _, literal in goals:
                yield literal
        for percepts in self.percepts:
            for _, literal in percepts:
                yield literal

    def with_passes(self, passes: tuple[Pass, ...]) -> Circuit:
        return replace(self, passes=passes)

    def __str__(self) -> str:
        fluents, moves, loops = len(self.fluents), sum(map(len, self.moves)), len(self.loops)
        return (f"circuit: {fluents} {agree(fluents, 'fluent')}, {moves} {agree(moves, 'move')}, "
                f"{self.gates} {agree(self.gates, 'gate')} with {self.inputs} {agree(self.inputs, 'input')}"
                + (f", {loops} loop {agree(loops, 'wire')}" if loops else ""))
