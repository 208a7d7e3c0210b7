"""Demand: ground only those atoms that some question can ask for.

A relation may hold of far more than anybody asks: that counts from every number are defined does not mean
that some rule counts from anything but zero. So in a first program, which only asks what is possible (no
negation, every possible fluent and move at once), a call of a relation also records with which arguments
it is called. The game is then grounded with these records as guards. This is the magic-set transformation
of deductive databases, with one pattern of bound arguments a relation.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import GIVEN, QUESTIONS, Relation, relation_of
from ludorum.gdl.names import FreshNames
from ludorum.gdl.terms import Argument, Term, Variable

Bound = dict[Relation, frozenset[int]]


@dataclass(frozen=True)
class Demand:
    """A game in two programs: the first finds what is demanded, the second is the game, guarded by that."""

    first: tuple[Clause, ...]
    second: tuple[Clause, ...]


def on_demand(clauses: Sequence[Clause], *, whole: Container[Relation] = frozenset(),
              wanted: Container[Relation] | None = None) -> Demand:
    """The clauses of a game as two programs.

    The `whole` relations, and those that are given by facts alone, stand in the first program as they are. Of
    the others only those `wanted` get a guard, all if that is None.
    """
    return _Transformation(clauses, whole, wanted).run()


class _Transformation:
    def __init__(self, clauses: Sequence[Clause], whole: Container[Relation],
                 wanted: Container[Relation] | None) -> None:
        self.clauses = clauses
        self.wanted = wanted
        defined = {relation_of(clause.head) for clause in clauses if clause.atoms}
        #: The relations that are asked for atom by atom.
        self.derived = {relation for relation in defined.union(GIVEN, QUESTIONS) if relation not in whole}
        self.bound = self._bound_positions()
        self.fresh = FreshNames(clause.head.name for clause in clauses)
        self.possible: dict[Relation, str] = {}
        self.demands: dict[Relation, str] = {}

    def run(self) -> Demand:
        first: list[Clause] = []
        second: list[Clause] = []
        for clause in self.clauses:
            if relation_of(clause.head) not in self.derived:
                first.append(clause)
                continue
            guard = self._demand(clause.head)
            first += self._asking(clause, guard)
            second.append(Clause(clause.head, (*guard, *clause.positive), clause.negative, clause.distinct,
                                 clause.span))
        first += [Clause(self._maybe(head), tuple(map(self._maybe, body))) for head, body in _relaxation()]
        return Demand(tuple(dict.fromkeys(first)), tuple(second))

    def _bound_positions(self) -> Bound:
        """For every relation the arguments that have a value wherever it is called."""
        bound: Bound = {}
        for relation in self.derived:
            is_guarded = relation not in (*QUESTIONS, *GIVEN) and (self.wanted is None or relation in self.wanted)
            bound[relation] = frozenset(range(relation[1]) if is_guarded else ())
        changed = True
        while changed:
            changed = False
            for clause in self.clauses:
                known = _names_at(clause.head, bound.get(relation_of(clause.head), frozenset()))
                for atom in (*self._ordered(clause, known), *clause.negative):
                    relation = relation_of(atom)
                    if relation in bound:
                        here = frozenset(i for i in bound[relation] if names_of(atom.args[i]) <= known)
                        changed |= here != bound[relation]
                        bound[relation] = here
                    if atom not in clause.negative:
                        known |= names_of(atom)
        return bound

    def _ordered(self, clause: Clause, known: set[str]) -> list[Term]:
        """The positive atoms in an order that binds the arguments of derived relations before they are called."""
        rest = list(clause.positive)
        known = set(known)
        ordered: list[Term] = []
        while rest:
            best = min(rest, key=lambda atom: self._reluctance(atom, known))
            rest.remove(best)
            ordered.append(best)
            known |= names_of(best)
        return ordered

    def _reluctance(self, atom: Term, known: set[str]) -> tuple[int, int]:
        names = names_of(atom)
        unknown = len(names - known)
        is_call = relation_of(atom) in self.derived and relation_of(atom) not in GIVEN
        if not unknown:
            return 0, 0
        if names & known:
            return (2 if is_call else 1), unknown
        return (4 if is_call else 3), unknown

    def _asking(self, clause: Clause, guard: tuple[Term, ...]) -> list[Clause]:
        """The clause of what is possible, and one for every call that its body makes."""
        known = {name for atom in guard for name in names_of(atom)}
        body: list[Term] = list(guard)
        asking: list[Clause] = []
        for atom in self._ordered(clause, known):
            asking += [Clause(demand, tuple(body), (), _comparable(clause, body)) for demand in self._demand(atom)]
            body.append(self._maybe(atom))
        asking += [Clause(demand, tuple(body), (), clause.distinct)
                   for atom in clause.negative for demand in self._demand(atom)]
        return [*asking, Clause(self._maybe(clause.head), tuple(body), (), clause.distinct)]

    def _maybe(self, atom: Term) -> Term:
        """The atom that says that this one is possible."""
        relation = relation_of(atom)
        if relation not in self.derived:
            return atom
        if relation not in self.possible:
            self.possible[relation] = self.fresh.name("possible")
        return Term(self.possible[relation], atom.args)

    def _demand(self, atom: Term) -> tuple[Term, ...]:
        """The atom that says that this one is called; none if it may be called with any arguments."""
        relation = relation_of(atom)
        positions = self.bound.get(relation)
        if not positions:
            return ()
        if relation not in self.demands:
            self.demands[relation] = self.fresh.name("demand")
        return (Term(self.demands[relation], tuple(atom.args[i] for i in sorted(positions))),)


def _relaxation() -> list[tuple[Term, tuple[Term, ...]]]:
    """What makes fluents and moves possible, as in `relaxation`."""
    fluent, role, move = Variable("f"), Variable("r"), Variable("m")
    return [
        (Term("true", (fluent,)), (Term("init", (fluent,)),)),
        (Term("true", (fluent,)), (Term("next", (fluent,)),)),
        (Term("does", (role, move)), (Term("role", (role,)), Term("legal", (role, move)))),
    ]


def _names_at(atom: Term, positions: frozenset[int]) -> set[str]:
    return set[str]().union(*(names_of(atom.args[i]) for i in positions))


def _comparable(clause: Clause, body: Sequence[Term]) -> tuple[tuple[Argument, Argument], ...]:
    """The pairs of the clause whose variables a part of its body binds."""
    known = set[str]().union(*map(names_of, body))
    return tuple(pair for pair in clause.distinct if names_of(pair[0]) | names_of(pair[1]) <= known)
