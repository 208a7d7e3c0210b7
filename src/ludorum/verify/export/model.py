"""A game as other model checkers take it: variables with names, conditions between them, the moves of every role.

A model is the circuit of the game with a name for everything. How a condition is written is up to the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.errors import TooLarge
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM


@dataclass(frozen=True)
class Syntax:
    """How a language writes conditions; `no` and `both` are put around and between."""

    no: str
    both: str
    true: str
    false: str


class Model:
    """The circuit with names: `holds_p` for a fluent, `do_m` for a move, `sees_x_p`, `legal_x_m`, `goal_x_100`."""

    def __init__(self, circuit: Circuit) -> None:
        model = PropertyCircuit(circuit)
        if not model.is_exact:
            raise TooLarge("recursive rules are too deep for a model without recursion")
        self.circuit = found = model.circuit
        names = _Names()
        self.roles = [names.of("", role) for role in found.roles]
        self.fluents = [names.of("holds_", fluent) for fluent in found.fluents]
        # The same move of two roles has one name.
        moves = dict.fromkeys(move for of_role in found.moves for move in of_role)
        known = {move: names.of("do_", move) for move in moves}
        self.moves = [[known[move] for move in of_role] for of_role in found.moves]
        self.legal = [[names.of(f"legal_{role}_", move) for move in of_role]
                      for role, of_role in zip(self.roles, found.moves, strict=True)]
        self.goals = [[(names.of(f"goal_{role}_", Term(str(value))), value) for value, _ in of_role]
                      for role, of_role in zip(self.roles, found.goals, strict=True)]
        self.percepts = [[names.of(f"sees_{role}_", percept) for percept, _ in of_role]
                         for role, of_role in zip(self.roles, found.percepts, strict=True)]

    @property
    def seats(self) -> range:
        return range(len(self.roles))

    @property
    def players(self) -> list[int]:
        """The seats of all roles but chance."""
        return [seat for seat in self.seats if str(self.circuit.roles[seat]) != RANDOM]

    def is_initial(self, fluent: int) -> bool:
        return fluent in self.circuit.initial

    def move_of(self, wire: Wire) -> tuple[int, int] | None:
        """The seat and the number of the move that a wire stands for."""
        place = wire - self.circuit.first_move
        if not 0 <= place < self.circuit.first_gate - self.circuit.first_move:
            return None
        for seat, moves in enumerate(self.circuit.moves):
            if place < len(moves):
                return seat, place
            place -= len(moves)
        raise AssertionError(wire)

    def gates(self, roots: Iterable[Literal]) -> list[Wire]:
        """The gates that some literals depend on, lowest first."""
        found: set[Wire] = set()
        stack = [literal >> 1 for literal in roots]
        while stack:
            wire = stack.pop()
            if wire >= self.circuit.first_gate and wire not in found:
                found.add(wire)
                stack.extend(literal >> 1 for literal in self.circuit.inputs_of(wire))
        return sorted(found)

    def of_states(self) -> Iterator[Literal]:
        """What is asked of a state."""
        yield self.circuit.terminal
        for legal in self.circuit.legal:
            yield from legal
        for goals in self.circuit.goals:
            yield from (literal for _, literal in goals)

    def of_steps(self) -> Iterator[Literal]:
        """What is asked of a step."""
        yield from self.circuit.next
        for percepts in self.circuit.percepts:
            yield from (literal for _, literal in percepts)

    def written(self, literal: Literal, syntax: Syntax, name: Callable[[Wire], str]) -> str:
        """A literal in a language that calls wires by name."""
        if literal < 2:
            return syntax.true if literal else syntax.false
        return syntax.no.format(name(literal >> 1)) if literal & 1 else name(literal >> 1)

    def conjunction(self, gate: Wire, syntax: Syntax, name: Callable[[Wire], str]) -> str:
        """What a gate is the conjunction of."""
        return syntax.both.join(self.written(literal, syntax, name) for literal in self.circuit.inputs_of(gate)) \
            or syntax.true

    def initially(self) -> Callable[[Literal], bool]:
        """The truth of literals about states in the initial one."""
        held = {0: False} | {1 + number: self.is_initial(number) for number in range(len(self.fluents))}
        for wire in self.gates(self.of_states()):
            held[wire] = all(held[literal >> 1] ^ bool(literal & 1) for literal in self.circuit.inputs_of(wire))
        return lambda literal: held[literal >> 1] ^ bool(literal & 1)


class _Names:
    """Names of letters, digits and underscores, no two alike."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def of(self, prefix: str, term: Term) -> str:
        plain = prefix + re.sub(r"[^a-z0-9]+", "_", str(term).lower()).strip("_")
        name, number = plain, 1
        while name in self._used:
            number += 1
            name = f"{plain}__{number}"
        self._used.add(name)
        return name
