"""A move that is made is legal.

Next to a move, everything that its legality demands is already said: `does(white, m)` and `true(control(white))` is
`does(white, m)`. And two moves of one role exclude each other. This holds wherever a state steps, because only legal
joint moves are made; nothing that is asked of a state alone reads moves, so nothing else is touched.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import FALSE, Circuit, Literal, Wire
from ludorum.circuit.rewrite import rewrite


def use_legality(circuit: Circuit) -> Circuit:
    first_move, first_gate = circuit.first_move, circuit.first_gate
    role_of = [role for role, of_role in enumerate(circuit.moves) for _ in of_role]
    legal = [literal for of_role in circuit.legal for literal in of_role]
    demands = [_demands(circuit, literal) for literal in legal]
    # The new circuit's literals for what the old ones demand are known once their gates have been made.
    now: dict[Literal, Literal] = {}
    wanted = set().union(*demands) if demands else set()
    watched = {literal >> 1 for literal in wanted if literal >> 1 >= first_gate}
    new_demands: dict[int, set[Literal]] = {}

    def demanded(move: int) -> set[Literal]:
        if move not in new_demands:
            found = {literal if literal >> 1 < first_gate else now[literal & ~1] ^ (literal & 1)
                     for literal in demands[move] if literal >> 1 < first_gate or literal & ~1 in now}
            # Wires are made in order, so what is still missing now may be there the next time.
            if len(found) < len(demands[move]):
                return found
            new_demands[move] = found
        return new_demands[move]

    def rule(builder: Builder, wire: Wire, inputs: Sequence[Literal]) -> Literal:
        made = [literal >> 1 for literal in inputs if not literal & 1 and first_move <= literal >> 1 < first_gate]
        if made:
            roles = {role_of[move - first_move] for move in made}
            if len(roles) < len(set(made)):
                literal = FALSE
            else:
                kept = set(inputs)
                for move in made:
                    says = demanded(move - first_move)
                    if any(x ^ 1 in kept for x in says):
                        kept = {FALSE}
                        break
                    kept -= says
                    role = role_of[move - first_move]
                    kept = {x for x in kept if not (x & 1 and first_move <= x >> 1 < first_gate
                                                    and role_of[(x >> 1) - first_move] == role)}
                literal = builder.all_of(kept)
        else:
            literal = builder.again(inputs)
        if wire in watched:
            now[2 * wire] = literal
        return literal

    return rewrite(circuit, rule)


def _demands(circuit: Circuit, legal: Literal) -> set[Literal]:
    """Literals that hold whenever this one does, as far as the conjunctions below it say so."""
    found: set[Literal] = set()
    stack = [legal]
    while stack:
        literal = stack.pop()
        if literal in found or literal <= 1:
            continue
        found.add(literal)
        if not literal & 1:
            stack.extend(circuit.inputs_of(literal >> 1))
    return found
