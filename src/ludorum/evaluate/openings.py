"""Which moves can bring a fluent about, and what must hold for them at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ludorum.evaluate.code import Code, Slot
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import relation_of
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.gdl.unify import substitute_atom, unify

_MOST_DEEP = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """Fluents that must hold, and some that must not, for a move to bring another about."""

    needed: tuple[int, ...]
    forbidden: tuple[int, ...]

    def is_open(self, holds: Sequence[bool]) -> bool:
        return all(holds[fluent] for fluent in self.needed) and not any(holds[fluent] for fluent in self.forbidden)

    def shut(self, code: Code) -> Slot:
        """How many of the conditions fail."""
        return code.count([*((1.0, fluent) for fluent in self.forbidden), *((-1.0, fluent) for fluent in self.needed)],
                          len(self.needed))


class Openings:
    """Looks through the rules for what can be brought about."""

    def __init__(self, clauses: Sequence[Clause], number: Mapping[Term, int]) -> None:
        self._clauses = clauses
        self._number = number
        self._fluents = list(number)
        self._known: dict[int, tuple[Opening, ...]] = {}
        self._fresh = 0

    def of(self, fluent: int, own: AbstractSet[int]) -> tuple[Opening, ...]:
        """The ways to bring a fluent about; that others of the same line do not hold yet is no condition."""
        if fluent not in self._known:
            self._known[fluent] = tuple(dict.fromkeys(self._openings(self._fluents[fluent])))
        return tuple(dict.fromkeys(Opening(way.needed, tuple(other for other in way.forbidden if other not in own))
                                   for way in self._known[fluent]))

    def _openings(self, fluent: Term) -> Iterator[Opening]:
        for clause in self._clauses:
            if relation_of(clause.head) != ("next", 1):
                continue
            renamed = self._renamed(clause)
            values = unify(renamed.head.args[0], fluent)
            move = next((atom for atom in renamed.positive if relation_of(atom) == ("does", 2)), None)
            if values is None or move is None:
                continue
            if Term("true", (fluent,)) in (substitute_atom(atom, values) for atom in renamed.positive):
                # A move elsewhere keeps it; none brings it about so.
                continue
            legal = Term("legal", substitute_atom(move, values).args)
            if isinstance(legal.args[1], Term):
                for needed, forbidden in self._legal(legal, 0):
                    yield Opening(needed, forbidden)

    def _legal(self, atom: Term, depth: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """What the rules for a legal move say about fluents at the places that the move names."""
        for clause in self._clauses:
            if relation_of(clause.head) != relation_of(atom):
                continue
            renamed = self._renamed(clause)
            values = unify(renamed.head, atom)
            if values is None:
                continue
            passed = [inner for inner in renamed.positive if inner.args and inner.args[-1] == renamed.head.args[-1]
                      and isinstance(inner.args[-1], Variable)]
            if passed and depth < _MOST_DEEP:
                # Only another name for the move.
                yield from self._legal(substitute_atom(passed[0], values), depth + 1)
                continue
            places = {variable.name for variable in variables(renamed.head.args[-1])}
            needed = self._told(renamed.positive, places, values)
            forbidden = self._told(renamed.negative, places, values)
            yield needed, forbidden

    def _told(self, atoms: Sequence[Term], places: AbstractSet[str], values: Mapping[str, Argument]) -> tuple[int, ...]:
        found = []
        for atom in atoms:
            if relation_of(atom) == ("true", 1) and any(variable.name in places for variable in variables(atom)):
                fluent = substitute_atom(atom, values).args[0]
                if isinstance(fluent, Term) and fluent in self._number:
                    found.append(self._number[fluent])
        return tuple(sorted(found))

    def _renamed(self, clause: Clause) -> Clause:
        self._fresh += 1
        names = {variable.name for atom in (clause.head, *clause.atoms) for variable in variables(atom)}
        values: dict[str, Argument] = {name: Variable(f"{name}~{self._fresh}") for name in names}
        return Clause(substitute_atom(clause.head, values),
                      tuple(substitute_atom(atom, values) for atom in clause.positive),
                      tuple(substitute_atom(atom, values) for atom in clause.negative))
