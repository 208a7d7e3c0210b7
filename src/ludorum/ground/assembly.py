"""From clingo's ground rules to a ground program."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from ludorum.asp.encoding import Symbol, decode
from ludorum.gdl.goals import is_goal_value
from ludorum.gdl.terms import Term
from ludorum.ground.program import Atom, GroundProgram, GroundRules
from ludorum.ground.simplify import simplify

#: The relations whose atoms have to be known by name.
NAMED = [("true", 1), ("does", 2), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0),
         ("sees", 2)]


# The arguments of an atom, as they come from clingo.
Row = tuple[Symbol, ...]
Named = dict[str, dict[Row, Atom]]


def assemble(roles: Sequence[Term], answer: Mapping[str, Any]) -> GroundProgram:
    """The ground program that the task `ground` of clingo_worker.py answered; `NAMED` were the atoms asked for."""
    named: Named = {relation: {row: number - 1 for row, number, _ in atoms}
                    for relation, atoms in answer["atoms"].items()}
    facts = [number - 1 for atoms in answer["atoms"].values() for _, number, is_fact in atoms if is_fact]
    legal, following, initially = named["legal"], named["next"], named["init"]
    inputs = {atom: [table[fluent] for table in (initially, following) if fluent in table]
              for fluent, atom in named["true"].items()}
    # A move that is only ever asked about under `not` may never be legal at all.
    inputs |= {atom: [legal[key]] if key in legal else [] for key, atom in named["does"].items()}
    rules, known, possible = simplify(_rules(answer), facts, inputs)
    derivable = known | set(rules.heads)

    terms: dict[Symbol, Term] = {}
    fluents = _by_text(named["true"], 0, possible, terms)
    asked = (("does", possible), ("sees", derivable), ("goal", derivable))
    symbols = {decode(row[0], terms): row[0] for relation, _ in asked for row in named[relation]}
    told = [[_by_text({row: atom for row, atom in named[relation].items() if row[0] == symbols.get(role)}, 1, wanted,
                      terms) for relation, wanted in asked] for role in roles]
    moves = [of_role for of_role, _, _ in told]
    goals = [[(term, atom) for _, term, atom in of_role] for _, _, of_role in told]
    terminal = named["terminal"].get(())
    return GroundProgram(
        roles=tuple(roles),
        fluents=tuple(fluent for _, fluent, _ in fluents),
        moves=tuple(tuple(move for _, move, _ in of_role) for of_role in moves),
        initial=tuple(i for i, (row, _, _) in enumerate(fluents) if initially.get(row) in known),
        fluent_atoms=tuple(atom for _, _, atom in fluents),
        move_atoms=tuple(tuple(atom for _, _, atom in of_role) for of_role in moves),
        next_atoms=tuple(atom if (atom := following.get(row)) in derivable else None for row, _, _ in fluents),
        legal_atoms=tuple(tuple(legal[row] for row, _, _ in of_role) for of_role in moves),
        goal_atoms=tuple(tuple(sorted((int(value.name), atom) for value, atom in of_role if is_goal_value(value)))
                         for of_role in goals),
        percept_atoms=tuple(tuple((percept, atom) for _, percept, atom in of_role) for _, of_role, _ in told),
        terminal_atom=terminal if terminal in derivable else None,
        rules=rules,
        facts=frozenset(known),
        atom_count=1 + max([rules.last_atom, *known, *inputs, *legal.values()], default=-1),
        report={
            "grounding_seconds": answer["seconds"],
            "peak_memory_mb": answer["memory_kb"] / 1024,
            "rules": len(rules.heads),
            "ignored_goals": sorted(f"(goal {role} {value})" for role, of_role in zip(roles, goals, strict=True)
                                    for value, _ in of_role if not is_goal_value(value)),
        },
    )


def _rules(answer: Mapping[str, Any]) -> GroundRules:
    # clingo's atoms start from 1, so its literal -a is our ~(a - 1).
    literals = np.frombuffer(answer["literals"], np.int32)
    return GroundRules(np.frombuffer(answer["heads"], np.int32) - 1, np.frombuffer(answer["ends"], np.uint32),
                       np.where(literals > 0, literals - 1, literals))


def _by_text(atoms: Mapping[Row, Atom], column: int, wanted: Container[Atom],
             terms: dict[Symbol, Term]) -> list[tuple[Row, Term, Atom]]:
    """Those of the atoms that are wanted, sorted by the text of one of their arguments, which is decoded."""
    found = [(row, decode(row[column], terms), atom) for row, atom in atoms.items() if atom in wanted]
    return sorted(found, key=lambda item: str(item[1]))
