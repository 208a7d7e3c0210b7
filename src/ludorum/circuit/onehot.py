"""Exactly one move of a role is made: none of these is one of the others.

A frame axiom reads most of a role's moves (a cell stays as it is whatever is played elsewhere); its complement reads
the few others.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.circuit.rewrite import rewrite


def use_one_hot_moves(circuit: Circuit) -> Circuit:
    """Replaces "none of these moves" by "one of the others" wherever that reads less."""
    first_move, first_gate = circuit.first_move, circuit.first_gate
    moves_of: list[range] = []
    start = first_move
    for of_role in circuit.moves:
        moves_of.append(range(start, start + len(of_role)))
        start += len(of_role)
    role_of = [role for role, of_role in enumerate(circuit.moves) for _ in of_role]
    # Gates that say of some moves, and of nothing else, that none of them is made: looked through, because "nobody
    # moves there" is often a relation of its own that many rules read.
    barred_by: dict[Wire, frozenset[Wire]] = {}

    def barred(literal: Literal) -> frozenset[Wire] | None:
        wire = literal >> 1
        if literal & 1:
            return frozenset((wire,)) if first_move <= wire < first_gate else None
        return barred_by.get(wire)

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        none_of: set[Wire] = set()
        replaced: list[Literal] = []
        for literal in inputs:
            moves = barred(literal)
            if moves is not None:
                none_of |= moves
                replaced.append(literal)
        literal = builder.again(inputs)
        if replaced:
            roles = {role_of[move - first_move] for move in none_of}
            # Each role's others are a gate of their own.
            if sum(len(moves_of[role]) + 1 for role in roles) - len(none_of) < len(replaced):
                others = [[move for move in moves_of[role] if move not in none_of] for role in sorted(roles)]
                gone = set(replaced)
                literal = builder.all_of([*(x for x in inputs if x not in gone),
                                          *(builder.any_of([2 * move for move in some]) for some in others)])
            elif len(replaced) == len(inputs) and not literal & 1 and builder.inputs_of(literal >> 1):
                barred_by[literal >> 1] = frozenset(none_of)
        return literal

    return rewrite(circuit, rule)
