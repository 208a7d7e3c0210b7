"""The ground program: what grounding hands to the circuit compiler.

Atoms are numbers from 0. A literal is an atom `a` or its negation `~a`, so that a body is a tuple of
integers. The atoms of `true` and `does` are inputs and head no rule; an atom that heads no rule and is no
fact is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludorum.gdl.terms import Term
from ludorum.grammar import agree

Atom = int
Literal = int


Numbers: TypeAlias = NDArray[np.int32] | NDArray[np.uint32]


class GroundRules:
    """Ground rules as the core takes them: heads, where their bodies end, and the literals of all bodies."""

    def __init__(self, heads: Numbers, ends: Numbers, literals: Numbers) -> None:
        self.arrays = (np.ascontiguousarray(heads, np.int32), np.ascontiguousarray(ends, np.uint32),
                       np.ascontiguousarray(literals, np.int32))

    @classmethod
    def of(cls, heads: Sequence[Atom], bodies: Sequence[tuple[Literal, ...]]) -> GroundRules:
        return cls(np.array(heads, np.int32), np.cumsum([len(body) for body in bodies], dtype=np.uint32),
                   np.array([literal for body in bodies for literal in body], np.int32))

    @cached_property
    def heads(self) -> list[Atom]:
        heads: list[Atom] = self.arrays[0].tolist()
        return heads

    @cached_property
    def bodies(self) -> list[tuple[Literal, ...]]:
        _, ends, literals = (array.tolist() for array in self.arrays)
        return [tuple(literals[start:end]) for start, end in pairwise([0, *ends])]

    @property
    def last_atom(self) -> Atom:
        """The largest number of an atom, -1 if there is none."""
        heads, _, literals = self.arrays
        return max(int(heads.max(initial=-1)), int(literals.max(initial=-1)), -1 - int(literals.min(initial=0)))

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroundRules):
            return NotImplemented
        return all(map(np.array_equal, self.arrays, other.arrays))

    __hash__ = None  # type: ignore[assignment]


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

    #: Several rules may share a head. No body contains a fact.
    rules: GroundRules
    #: Atoms that always hold; they head no rule.
    facts: frozenset[Atom]
    atom_count: int
    #: What grounding did, for `ludorum info`: seconds, peak memory in MB, rules, splits made …
    report: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def heads(self) -> list[Atom]:
        """The head of every rule."""
        return self.rules.heads

    @property
    def bodies(self) -> list[tuple[Literal, ...]]:
        """The body of every rule."""
        return self.rules.bodies

    def __str__(self) -> str:
        counts = {"role": len(self.roles), "fluent": len(self.fluents), "move": sum(map(len, self.moves)),
                  "rule": len(self.rules)}
        return f"ground program: {', '.join(f'{count} {agree(count, what)}' for what, count in counts.items())}"
