"""What was proved of fluents: at most one, or exactly one, of a group holds; some never hold, some always.

Two fluents of a group exclude each other, so one of them says that none of the others holds; and where exactly one
does, "none of these" is "one of the others". Like agreements, this makes a circuit that is right only where it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal, Wire
from ludorum.circuit.rewrite import rewrite

Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Numbers of fluents; they hold after every step from a state where all of them hold, and initially."""

    one_hot: tuple[Group, ...] = ()
    exclusive: tuple[Group, ...] = ()
    never: tuple[int, ...] = ()
    always: tuple[int, ...] = ()


def use_assumptions(circuit: Circuit, assumed: Assumptions) -> Circuit:
    """The circuit with every gate made simpler by what is assumed."""
    constants = {**dict.fromkeys(assumed.never, FALSE), **dict.fromkeys(assumed.always, TRUE)}
    given = [FALSE, *(constants.get(number, 2 * (number + 1)) for number in range(len(circuit.fluents))),
             *range(2 * circuit.first_move, 2 * circuit.first_gate, 2)]
    # The others of a one-hot group are told when most of them do not hold; wires from here on.
    hot = [frozenset(number + 1 for number in group) for group in assumed.one_hot]
    rivals: dict[Wire, set[Wire]] = {}
    groups_of: dict[Wire, list[frozenset[Wire]]] = {}
    for group in (*hot, *(frozenset(number + 1 for number in group) for group in assumed.exclusive)):
        for wire in group:
            rivals.setdefault(wire, set()).update(group - {wire})
    for group in hot:
        for wire in group:
            groups_of.setdefault(wire, []).append(group)
    first_move = circuit.first_move

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        kept = set(inputs)
        for literal in inputs:
            if not literal & 1 and literal >> 1 < first_move and literal in kept:
                others = rivals.get(literal >> 1, ())
                if any(2 * other in kept for other in others):
                    return FALSE
                kept -= {2 * other + 1 for other in others}
        barred = {literal >> 1 for literal in kept if literal & 1 and literal >> 1 < first_move}
        for group in {group for other in barred for group in groups_of.get(other, ())}:
            none_of = group & barred
            if len(group) - len(none_of) + 1 < len(none_of):
                kept -= {2 * other + 1 for other in none_of}
                barred -= none_of
                kept.add(builder.any_of([2 * other for other in group - none_of]))
        return builder.all_of(kept)

    agreements = dict(circuit.agreements) | constants
    return replace(rewrite(circuit, rule, given=given), agreements=tuple(sorted(agreements.items())),
                   one_hot=(*circuit.one_hot, *assumed.one_hot), exclusive=(*circuit.exclusive, *assumed.exclusive))
