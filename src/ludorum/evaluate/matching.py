"""The ways to satisfy a query: which fluents make a goal together.

Where static conditions say what the rest of a line is once its first fluent is known, they are asked first: so a line
costs about as much as it is long, and not the product of all that could stand in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludorum.evaluate.queries import Query
from ludorum.gdl.dependencies import Relation, relation_of
from ludorum.gdl.terms import Argument, Term, variables
from ludorum.gdl.unify import substitute, substitute_atom, unify

Bound = dict[str, Argument]
Row = tuple[Term, ...]


class Table:
    """What a relation holds of, by any of its arguments."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self.known = frozenset(self.rows)
        self._by_place: dict[int, dict[Argument, list[Row]]] = {}

    def that_may_match(self, args: Sequence[Argument]) -> Sequence[Row]:
        """The rows that have what is known of these arguments in one place; in the place where they are fewest."""
        best: Sequence[Row] = self.rows
        for place, arg in enumerate(args):
            if isinstance(arg, Term) and _is_ground(arg):
                found = self._index(place).get(arg, [])
                if len(found) < len(best):
                    best = found
        return best

    def _index(self, place: int) -> dict[Argument, list[Row]]:
        if place not in self._by_place:
            index = self._by_place[place] = defaultdict(list)
            for row in self.rows:
                index[row[place]].append(row)
        return self._by_place[place]


class Matcher:
    """Looks for values of variables such that static conditions hold and fluents are fluents of the game."""

    def __init__(self, fluents: Sequence[Term]) -> None:
        self.extents: dict[Relation, frozenset[Row]] = {}
        rows: dict[Relation, list[Row]] = defaultdict(list)
        for fluent in fluents:
            rows[relation_of(fluent)].append(tuple(arg for arg in fluent.args if isinstance(arg, Term)))
        self._fluents = {relation: Table(found) for relation, found in rows.items()}
        self._static: dict[Relation, Table] = {}
        self._names: dict[Term, frozenset[str]] = {}
        #: By their identity; a query is kept so that this stays its own.
        self._queries: dict[int, tuple[Query, _About]] = {}

    def add(self, extents: Mapping[Relation, frozenset[Row]]) -> None:
        """Tells what static relations hold of."""
        self.extents |= extents

    def matches(self, pattern: Term, values: Bound) -> Iterator[Bound]:
        """The ways in which a pattern is a fluent."""
        table = self._fluents.get(relation_of(pattern))
        if table is not None:
            yield from self._rows(pattern, values, table)

    def next(self, query: Query, place: int, values: Bound, *, ahead: bool = False) -> Iterator[Bound]:
        """The ways in which the next fluent of a query is one, with all conditions on what is known then.

        With `ahead`, conditions may settle what later fluents are about.
        """
        fluent, about, fits = query.fluents[place], self._about(query), None
        within = about.bindable if ahead else values.keys() | self.names(fluent)
        for bound in self._join([atom for names, atom in about.static
                                 if names & values.keys() and not names <= values.keys() and names <= within], values):
            for found in self.matches(fluent, bound):
                # All that are found here have values for the same variables.
                fits = fits or about.new(values.keys(), found.keys())
                if self._fits(fits, found):
                    yield found

    def assignments(self, query: Query) -> Iterator[tuple[Term, ...] | None]:
        """Every way to satisfy the static conditions, as the fluents that then make the goal; None after a step."""
        stack: list[tuple[int, Bound]] = [(0, {})]
        while stack:
            place, values = stack.pop()
            if place == len(query.fluents):
                yield tuple(substitute_atom(fluent, values) for fluent in query.fluents)
            else:
                yield None
                stack += [(place + 1, bound) for bound in self.next(query, place, values, ahead=True)]

    def holds(self, atoms: Sequence[Term], values: Bound) -> bool:
        """Whether static atoms hold together for some values of what is still open in them."""
        if not atoms:
            return True
        atom = substitute_atom(atoms[0], values)
        table = self._table(relation_of(atom))
        if _is_ground(atom):
            return atom.args in table.known and self.holds(atoms[1:], values)
        return any(self.holds(atoms[1:], bound) for bound in self._rows(atoms[0], values, table))

    def names(self, atom: Term) -> frozenset[str]:
        if atom not in self._names:
            self._names[atom] = frozenset(variable.name for variable in variables(atom))
        return self._names[atom]

    def _table(self, relation: Relation) -> Table:
        if relation not in self._static:
            if relation not in self.extents:
                return Table(())
            self._static[relation] = Table(self.extents[relation])
        return self._static[relation]

    def _rows(self, pattern: Term, values: Bound, table: Table) -> Iterator[Bound]:
        wanted = substitute_atom(pattern, values)
        for row in table.that_may_match(wanted.args):
            bound = unify(wanted, Term(wanted.name, row), values)
            if bound is not None:
                yield bound

    def _join(self, atoms: Sequence[Term], values: Bound) -> Iterator[Bound]:
        if not atoms:
            yield values
            return
        for bound in self._rows(atoms[0], values, self._table(relation_of(atoms[0]))):
            yield from self._join(atoms[1:], bound)

    def _about(self, query: Query) -> _About:
        """What the conditions of a query are about."""
        known = self._queries.get(id(query))
        if known is None:
            known = self._queries[id(query)] = (query, _About(
                frozenset().union(*map(self.names, query.fluents)),
                tuple((frozenset(variable.name for one in pair for variable in variables(one)), pair)
                      for pair in query.distinct),
                tuple((self.names(atom), atom) for atom in query.denied),
                tuple((self.names(atom), atom) for atom in query.static)))
        return known[1]

    def _fits(self, new: _About, values: Bound) -> bool:
        """Whether the conditions hold that are about these values and were not about those before."""
        return (all(substitute(one, values) != substitute(other, values) for _, (one, other) in new.distinct)
                and not any(self.holds([atom], values) for _, atom in new.denied)
                and self.holds([atom for _, atom in new.static], values))


@dataclass(frozen=True, slots=True)
class _About:
    """The conditions of a query, each with the variables that it mentions."""

    #: Those that fluents give values to.
    bindable: frozenset[str]
    distinct: tuple[tuple[frozenset[str], tuple[Argument, Argument]], ...]
    denied: tuple[tuple[frozenset[str], Term], ...]
    static: tuple[tuple[frozenset[str], Term], ...]

    def new(self, before: Collection[str], after: Collection[str]) -> _About:
        """The conditions that can be judged after some variables had values, and not before."""
        def is_new(names: frozenset[str]) -> bool:
            return names & self.bindable <= set(after) and not names & self.bindable <= set(before)

        return _About(self.bindable, tuple(each for each in self.distinct if is_new(each[0])),
                      tuple(each for each in self.denied if is_new(each[0])),
                      tuple(each for each in self.static if is_new(each[0])))


def _is_ground(term: Term) -> bool:
    return next(iter(variables(term)), None) is None
