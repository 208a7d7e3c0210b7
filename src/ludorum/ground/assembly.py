"""From clingo's ground rules to a ground program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ludorum.gdl.terms import Term
from ludorum.ground.encoding import Symbol, decode
from ludorum.ground.program import Atom, GroundProgram, Literal
from ludorum.ground.simplify import simplify

#: The relations whose atoms have to be known by name.
NAMED = [("true", 1), ("does", 2), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0),
         ("sees", 2)]


def assemble(roles: Sequence[Term], answer: Mapping[str, Any]) -> GroundProgram:
    """The ground program that the task `ground` of asp.py answered; `NAMED` were the atoms asked for."""
    named = {relation: _decoded(atoms) for relation, atoms in answer["atoms"].items()}
    facts = {atom for atoms in answer["atoms"].values() for _, atom, is_fact in atoms if is_fact}
    legal = {(role, move): atom for (role, move), atom in named["legal"]}
    following = {fluent: atom for (fluent,), atom in named["next"]}
    initially = {fluent: atom for (fluent,), atom in named["init"]}
    fluents = {fluent: atom for (fluent,), atom in named["true"]}
    inputs = {atom: [table[fluent] for table in (initially, following) if fluent in table]
              for fluent, atom in fluents.items()}
    # A move that is only ever asked about under `not` may never be legal at all.
    inputs |= {atom: [legal[key]] if key in legal else [] for key, atom in named["does"]}
    heads, bodies, facts, possible = simplify(*_rules(answer), {atom - 1 for atom in facts}, inputs)

    derivable = facts.union(heads)
    sorted_fluents = _by_text((fluent, atom) for fluent, atom in fluents.items() if atom in possible)
    moves = [_by_text((move, atom) for (role, move), atom in named["does"]
                      if role == wanted and atom in possible) for wanted in roles]
    percepts = [_by_text((percept, atom) for (role, percept), atom in named["sees"]
                         if role == wanted and atom in derivable) for wanted in roles]
    goals = [[(value, atom) for (role, value), atom in named["goal"] if role == wanted and atom in derivable]
             for wanted in roles]
    terminal = [atom for _, atom in named["terminal"] if atom in derivable]
    return GroundProgram(
        roles=tuple(roles),
        fluents=tuple(fluent for fluent, _ in sorted_fluents),
        moves=tuple(tuple(move for move, _ in of_role) for of_role in moves),
        initial=tuple(i for i, (fluent, _) in enumerate(sorted_fluents) if initially.get(fluent) in facts),
        fluent_atoms=tuple(atom for _, atom in sorted_fluents),
        move_atoms=tuple(tuple(atom for _, atom in of_role) for of_role in moves),
        next_atoms=tuple(atom if (atom := following.get(fluent)) in derivable else None
                         for fluent, _ in sorted_fluents),
        legal_atoms=tuple(tuple(legal[role, move] for move, _ in of_role)
                          for role, of_role in zip(roles, moves, strict=True)),
        goal_atoms=tuple(tuple(sorted((int(value.name), atom) for value, atom in of_role
                                      if is_goal_value(value))) for of_role in goals),
        percept_atoms=tuple(map(tuple, percepts)),
        terminal_atom=terminal[0] if terminal else None,
        heads=heads,
        bodies=bodies,
        facts=frozenset(facts),
        atom_count=1 + max([-1, *heads, *facts, *inputs, *legal.values()]),
        report={
            "grounding_seconds": answer["seconds"],
            "peak_memory_mb": answer["memory_kb"] / 1024,
            "rules": len(heads),
            "ignored_goals": sorted(f"(goal {role} {value})"
                                    for role, of_role in zip(roles, goals, strict=True)
                                    for value, _ in of_role if not is_goal_value(value)),
        },
    )


def is_goal_value(value: Term) -> bool:
    """Whether a term is an integer from 0 to 100."""
    return not value.args and value.name.isascii() and value.name.isdecimal() and int(value.name) <= 100


def _rules(answer: Mapping[str, Any]) -> tuple[list[Atom], list[tuple[Literal, ...]]]:
    # clingo's atoms start from 1, so its literal -a is our ~(a - 1).
    heads = (np.frombuffer(answer["heads"], np.int32) - 1).tolist()
    literals = np.frombuffer(answer["literals"], np.int32)
    flat = np.where(literals > 0, literals - 1, literals).tolist()
    ends = np.cumsum(np.frombuffer(answer["lengths"], np.int32)).tolist()
    return heads, [tuple(flat[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _decoded(atoms: Iterable[tuple[Symbol, int, bool]]) -> list[tuple[tuple[Term, ...], Atom]]:
    """The arguments of atoms, and their numbers from 0."""
    return [(tuple(map(decode, symbol[1:])) if isinstance(symbol, tuple) else (), atom - 1)
            for symbol, atom, _ in atoms]


def _by_text(items: Iterable[tuple[Term, Atom]]) -> list[tuple[Term, Atom]]:
    return sorted(items, key=lambda item: str(item[0]))
