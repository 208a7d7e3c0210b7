"""The ground program: what grounding hands to the circuit compiler.

Atoms are numbers from 0. A literal is an atom `a` or its negation `~a`, so that a body is a tuple of
integers. The atoms of `true` and `does` are inputs and head no rule; an atom that heads no rule and is no
fact is false.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludorum.gdl.terms import Term
from ludorum.grammar import agree

Atom = int
Literal = int


@dataclass(frozen=True, slots=True)
class GroundProgram:
    roles: tuple[Term, ...]
    #: Every fluent that can be true in some state of the relaxed game, sorted by its text.
    fluents: tuple[Term, ...]
    #: For every role its possible moves, sorted by their text.
    moves: tuple[tuple[Term, ...], ...]
    #: Numbers of the fluents that hold initially.
    initial: tuple[int, ...]

    #: The atom of `(true f)` for every fluent.
    fluent_atoms: tuple[Atom, ...]
    #: The atom of `(does r m)` for every role and move.
    move_atoms: tuple[tuple[Atom, ...], ...]
    #: The atom of `(next f)` for every fluent, None where no rule can derive it.
    next_atoms: tuple[Atom | None, ...]
    #: The atom of `(legal r m)` for every role and move.
    legal_atoms: tuple[tuple[Atom, ...], ...]
    #: For every role its goal values with their atoms, ascending.
    goal_atoms: tuple[tuple[tuple[int, Atom], ...], ...]
    #: For every role what it may be told (GDL-II), with the atoms, sorted by text.
    percept_atoms: tuple[tuple[tuple[Term, Atom], ...], ...]
    #: The atom of `terminal`, None where no rule can derive it.
    terminal_atom: Atom | None

    #: Ground rules: a head and its body each. Several rules may share a head. No body contains a fact.
    heads: list[Atom]
    bodies: list[tuple[Literal, ...]]
    #: Atoms that always hold; they head no rule.
    facts: frozenset[Atom]
    atom_count: int
    #: What grounding did, for `ludorum info`: seconds, peak memory in MB, rules, splits made …
    report: dict[str, Any] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        counts = {"role": len(self.roles), "fluent": len(self.fluents), "move": sum(map(len, self.moves)),
                  "rule": len(self.heads)}
        return f"ground program: {', '.join(f'{count} {agree(count, what)}' for what, count in counts.items())}"
