"""Goals as existential conjunctions of fluents: which fluents make a goal together, and what ties them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ludorum.clock import Budget
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.gdl.unify import substitute, substitute_atom, unify

Values = Mapping[str, Argument]

# A goal that can be reached in more ways than this is not multiplied out.
MOST_QUERIES = 400


@dataclass(frozen=True, slots=True)
class Query:
    """Some fluents, and conditions on their arguments that are the same in all states."""

    fluents: tuple[Term, ...] = ()
    static: tuple[Term, ...] = ()
    #: Static atoms that must not hold.
    denied: tuple[Term, ...] = ()
    distinct: tuple[tuple[Argument, Argument], ...] = ()
    #: What changes and must not hold.
    absent: tuple[Term, ...] = ()
    #: Relations that count, which are not unfolded.
    counts: tuple[Term, ...] = ()

    def __str__(self) -> str:
        parts = [*map(str, self.fluents), *map(str, self.static), *(f"(not {atom})" for atom in self.denied),
                 *(f"(distinct {one} {other})" for one, other in self.distinct),
                 *(f"(absent {atom})" for atom in self.absent), *map(str, self.counts)]
        return " ".join(parts)

    def with_(self, fluents: tuple[Term, ...] = (), static: tuple[Term, ...] = (), denied: tuple[Term, ...] = (),
              distinct: tuple[tuple[Argument, Argument], ...] = (), absent: tuple[Term, ...] = (),
              counts: tuple[Term, ...] = ()) -> Query:
        """The query with more conditions."""
        return Query(self.fluents + fluents, self.static + static, self.denied + denied, self.distinct + distinct,
                     self.absent + absent, self.counts + counts)

    def applied(self, values: Values) -> Query:
        def each(atoms: tuple[Term, ...]) -> tuple[Term, ...]:
            return tuple(dict.fromkeys(substitute_atom(atom, values) for atom in atoms))

        return Query(each(self.fluents), each(self.static), each(self.denied),
                     tuple((substitute(one, values), substitute(other, values)) for one, other in self.distinct),
                     each(self.absent), each(self.counts))


@dataclass
class Unfolder:
    """Replaces relations by their definitions until only fluents and static relations are left."""

    clauses: Sequence[Clause]
    static: frozenset[Relation]
    budget: Budget = field(default_factory=Budget)
    #: What was left out, and how often.
    left_out: dict[str, int] = field(default_factory=dict)
    #: What is not unfolded though it changes.
    kept: frozenset[Relation] = frozenset()
    _fresh: int = 0

    def __post_init__(self) -> None:
        self._of: dict[Relation, list[Clause]] = defaultdict(list)
        for clause in self.clauses:
            self._of[relation_of(clause.head)].append(clause)

    def ways(self, head: Term) -> list[Query]:
        """The ways in which an atom can hold, as far as they can be told so; none if they are too many."""
        found: dict[str, Query] = {}
        for query, values in self._defined(head, {}, ()):
            if len(found) >= MOST_QUERIES or self.budget.passed:
                self.leave_out("goals with too many alternatives")
                return []
            if query.fluents or query.absent or query.counts:
                applied = query.applied(values)
                found.setdefault(str(_in_order(applied)), applied)
        return list(found.values())

    def leave_out(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1

    def _defined(self, atom: Term, values: Values, inside: tuple[Relation, ...]) -> Iterator[tuple[Query, Values]]:
        """Every way in which an atom can hold by its rules, and what its variables are then."""
        relation = relation_of(atom)
        if relation in inside:
            self.leave_out("relations that name themselves")
            return
        for clause in self._of[relation]:
            renamed = self._renamed(clause)
            unified = unify(atom, renamed.head, values)
            if unified is not None:
                yield from self._body(renamed, unified, (*inside, relation))

    def _renamed(self, clause: Clause) -> Clause:
        self._fresh += 1
        names = {variable.name for atom in (clause.head, *clause.atoms) for variable in variables(atom)}
        values: dict[str, Argument] = {name: Variable(f"{name}~{self._fresh}") for name in names}
        return Clause(substitute_atom(clause.head, values),
                      tuple(substitute_atom(atom, values) for atom in clause.positive),
                      tuple(substitute_atom(atom, values) for atom in clause.negative),
                      tuple((substitute(one, values), substitute(other, values)) for one, other in clause.distinct))

    def _body(self, clause: Clause, values: Values, inside: tuple[Relation, ...]) -> Iterator[tuple[Query, Values]]:
        denied, absent = [], []
        for atom in clause.negative:
            if relation_of(atom) in self.static:
                denied.append(atom)
            else:
                # That the other has not won, or that something is nowhere: no step towards the goal.
                self.leave_out("conditions that something does not hold")
                absent.append(atom)
        start = Query((), (), tuple(denied), clause.distinct, tuple(absent))
        yield from self._conjunction(clause.positive, start, values, inside)

    def _conjunction(self, atoms: Sequence[Term], query: Query, values: Values,
                     inside: tuple[Relation, ...]) -> Iterator[tuple[Query, Values]]:
        if not atoms:
            yield query, values
            return
        atom, rest = substitute_atom(atoms[0], values), atoms[1:]
        relation = relation_of(atom)
        if relation == ("true", 1):
            fluent = atom.args[0]
            if isinstance(fluent, Term):
                yield from self._conjunction(rest, query.with_(fluents=(fluent,)), values, inside)
        elif relation in self.static and not self._can_be_unfolded(relation, inside):
            yield from self._conjunction(rest, query.with_(static=(atom,)), values, inside)
        elif relation in self.kept:
            yield from self._conjunction(rest, query.with_(counts=(atom,)), values, inside)
        elif relation[0] in ("does", "legal", "next", "sees"):
            self.leave_out("goals that depend on moves")
        else:
            for part, bound in self._defined(atom, values, inside):
                both = query.with_(part.fluents, part.static, part.denied, part.distinct, part.absent,
                                   part.counts)
                yield from self._conjunction(rest, both, bound, inside)

    def _can_be_unfolded(self, relation: Relation, inside: tuple[Relation, ...]) -> bool:
        """Whether a static relation is only a name for others: then the steps of a chain can be told apart.

        One that needs something between its arguments, such as a diagonal, is a step by itself.
        """
        clauses = self._of[relation]
        return (relation not in inside and bool(clauses) and all(
            clause.positive and not clause.negative and all(
                {variable.name for variable in variables(atom)}
                <= {variable.name for variable in variables(clause.head)} for atom in clause.positive)
            for clause in clauses))


def _in_order(query: Query) -> Query:
    """The query with its variables named by where they occur first."""
    names: dict[str, Argument] = {}
    for atom in (*query.fluents, *query.static, *query.denied, *query.absent, *query.counts):
        for variable in variables(atom):
            names.setdefault(variable.name, Variable(f"v{len(names)}"))
    return query.applied(names)


def relations_in(queries: Iterable[Query]) -> set[Relation]:
    """The static relations that queries ask about."""
    return {relation_of(atom) for query in queries for atom in (*query.static, *query.denied)}
