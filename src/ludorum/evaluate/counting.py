"""Evaluations that count how far the conditions of a goal are met.

A goal is a conjunction of fluents that are tied to each other, such as three marks in a row. The first fluent of it is
worth α^(n−1), one more α^(n−2), and all of them 1: existential quantifiers become sums. The other form counts for every
line that can still be completed how many of its fluents hold, and takes that to a power.

In the literature: heuristics from existential formulas, and with rule conditions (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ludorum.analysis.statics import counting_relations, static_extents
from ludorum.clock import Budget
from ludorum.evaluate.absences import Absence
from ludorum.evaluate.counted import Counted, Counting, Line, Node
from ludorum.evaluate.describing import describe, steps
from ludorum.evaluate.openings import Openings
from ludorum.evaluate.queries import Query, Unfolder, relations_in
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import Relation, relation_of, static_relations
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.gdl.unify import substitute, substitute_atom, unify
from ludorum.gdl.words import KEYWORDS

Form = Literal["auto", "goals", "moves"]

# Beyond so many nodes of sums, or lines, a goal is left out.
_MOST_NODES = 40_000
# Goals of so many values above the worst are a payoff in steps.
_STEPS = 3
# From so many moves on a game is free enough for the form that counts lines.
_FREE = 16


def counting(rules: Rulesheet, fluents: Sequence[Term], first_moves: int, budget: Budget, *, alpha: float = 0.25,
             power: int = 4, form: Form = "auto", values: Sequence[Sequence[int]] | None = None) -> Counting:
    """What the rules give to count: for each role its best goal that gives anything, for as long as there is time.

    `first_moves` is how many moves the first player has, `values` which goals each role can have at all. In the form
    "auto", lines are counted where no move takes away what goals need and there are many moves; else the steps towards
    goals.
    """
    return _Counter(rules, fluents, budget, alpha, power).run(form, first_moves, values)


class _Counter:
    def __init__(self, rules: Rulesheet, fluents: Sequence[Term], budget: Budget, alpha: float,
                 power: int) -> None:
        self.rules, self.budget, self.alpha, self.power = rules, budget, alpha, power
        self.fluents = fluents
        self.number = {fluent: number for number, fluent in enumerate(fluents)}
        self.by_name: dict[Relation, list[Term]] = defaultdict(list)
        for fluent in fluents:
            self.by_name[relation_of(fluent)].append(fluent)
        self.clauses = flatten(rules)
        self.static = static_relations(self.clauses)
        self.unfolder = Unfolder(self.clauses, self.static, budget)
        self.openings = Openings(self.clauses, self.number)
        #: Relations of two things that the rules list: what sets are described by.
        ruled = {relation_of(clause.head) for clause in self.clauses if clause.atoms}
        self.listed = {relation for relation in self.static - ruled if relation[1] == 2 and relation[0] not in KEYWORDS}
        self.nodes = 0

    def run(self, form: Form, first_moves: int, values: Sequence[Sequence[int]] | None) -> Counting:
        ladders = list(self._ladders(values))
        queries = [_best(ladder) for ladder in ladders]
        self.extents = static_extents(self.clauses, sorted(self._wanted(ladders)), self.budget)
        self.orders = {relation.name: relation.pairs for relation in counting_relations(self.rules, self.budget)}
        is_free = form == "auto" and first_moves >= _FREE and any(queries) and self._only_adds(queries)
        chosen: Literal["goals", "moves"] = "moves" if is_free or form == "moves" else "goals"
        roles = tuple(self._of_role(ladder, best, chosen) for ladder, best in zip(ladders, queries, strict=True))
        if all(counted.is_empty for counted in roles) and not self.unfolder.left_out:
            self.unfolder.leave_out("goals that rules give without fluents, or none")
        return Counting(chosen, self.alpha, self.power, roles, dict(self.unfolder.left_out))

    def _ladders(self, values: Sequence[Sequence[int]] | None) -> Iterator[list[tuple[int, list[Query]]]]:
        """For every role its goals from the best one down, all but the worst, with the ways to reach each."""
        for number, role in enumerate(self.rules.roles):
            known = values[number] if values is not None else self._values(role)
            ladder: list[tuple[int, list[Query]]] = []
            for value in sorted(set(known), reverse=True):
                if value > min(known, default=0) or (value and len(set(known)) == 1):
                    ladder.append((value, self.unfolder.ways(Term("goal", (role, Term(str(value)))))))
            yield ladder

    def _values(self, role: Term) -> list[int]:
        """The goals that the heads of rules give a role by number."""
        heads = [clause.head for clause in self.clauses if relation_of(clause.head) == ("goal", 2)]
        values = [head.args[1] for head in heads if unify(head.args[0], role) is not None]
        return [0, *(int(value.name) for value in values if isinstance(value, Term) and value.name.isdigit())]

    def _of_role(self, ladder: Sequence[tuple[int, list[Query]]], best: Sequence[Query], form: str) -> Counted:
        """What is counted for a role: a payoff in steps, or the way to its best goal, or what must not be."""
        if len(ladder) >= _STEPS:
            counted = self._payoff(ladder)
            if not counted.is_empty:
                return counted
        counted = self._counted(best, form)
        if counted.is_empty:
            counted.absences += self._absences(ladder)
        return counted

    def _payoff(self, ladder: Sequence[tuple[int, list[Query]]]) -> Counted:
        """Goals in many steps that single fluents tell: what they give, as a part of the best."""
        weights: dict[int, float] = {}
        for value, queries in ladder:
            for query in queries:
                if len(query.fluents) == 1 and not query.absent:
                    for (fluent,) in self._assignments(query):
                        weights.setdefault(fluent, value / ladder[0][0])
        return Counted([Node(fluent, weight) for fluent, weight in sorted(weights.items())])

    def _absences(self, ladder: Sequence[tuple[int, list[Query]]]) -> Iterator[Absence]:
        """What the best goal that needs only that needs not to be."""
        for _, queries in ladder:
            found = False
            for atom in dict.fromkeys(atom for query in queries for atom in query.absent):
                ways = ([Query((fluent,)) for fluent in atom.args if isinstance(fluent, Term)]
                        if relation_of(atom) == ("true", 1) else self.unfolder.ways(atom))
                self.extents |= static_extents(self.clauses, sorted(relations_in(ways) - self.extents.keys()),
                                               self.budget)
                instances = dict.fromkeys(tuple(sorted(set(line))) for way in ways if way.fluents
                                          for line in self._assignments(way))
                if instances:
                    found = True
                    yield Absence(tuple(instances))
            if found:
                return

    def _wanted(self, ladders: Sequence[Sequence[tuple[int, list[Query]]]]) -> set[Relation]:
        """The static relations that are asked about, and those that sets may be described by."""
        asked = relations_in(query for ladder in ladders for _, queries in ladder for query in queries)
        return asked | self.listed

    def _only_adds(self, queries: Sequence[Sequence[Query]]) -> bool:
        """Whether what goals need stays once it holds."""
        kept = [clause.head.args[0] for clause in self.clauses
                if relation_of(clause.head) == ("next", 1) and not clause.negative
                and clause.positive == (Term("true", clause.head.args),)]
        return all(any(unify(_apart(fluent), head) is not None for head in kept)
                   for each in queries for query in each for fluent in query.fluents)

    def _counted(self, queries: Sequence[Query], form: str) -> Counted:
        counted = Counted()
        lines: dict[tuple[int, ...], None] = {}
        for query in queries:
            if self.budget.passed or self.nodes > _MOST_NODES:
                self.unfolder.leave_out("goals for which there was no time or no room")
                continue
            if form == "moves":
                lines.update(dict.fromkeys(self._assignments(query)))
            elif _is_chain(query):
                counted.nodes += self._described(query) or self._chain(query, 0, {}, {})
            else:
                lines.update(dict.fromkeys(tuple(sorted(set(line))) for line in self._assignments(query)))
        counted.lines = [Line(line, tuple(self.openings.of(fluent, set(line)) for fluent in line)
                              if form == "moves" else ()) for line in lines]
        return counted

    # Chains: each fluent has something of its own

    def _chain(self, query: Query, place: int, values: dict[str, Argument],
               known: dict[object, list[Node]]) -> list[Node]:
        """The nodes of the fluents from a place on; what comes next depends only on the values it mentions."""
        rest = [*query.fluents[place:], *query.static, *query.denied,
                *(Term("distinct", pair) for pair in query.distinct)]
        mentioned = sorted({variable.name for atom in rest for variable in variables(atom)} & values.keys())
        key = (place, tuple((name, values[name]) for name in mentioned))
        if key not in known:
            found = []
            for bound in self._matches(query.fluents[place], values):
                if self.nodes <= _MOST_NODES and self._fits(query, values, bound) and not self._is_late():
                    self.nodes += 1
                    fluent = self.number[_ground(query.fluents[place], bound)]
                    left = len(query.fluents) - 1 - place
                    children = self._chain(query, place + 1, bound, known) if left else []
                    found.append(Node(fluent, self.alpha**left, tuple(children)))
            known[key] = found
        return known[key]

    def _assignments(self, query: Query) -> Iterator[tuple[int, ...]]:
        """Every way to satisfy the static conditions, as the fluents that then make the goal."""
        stack: list[tuple[int, dict[str, Argument]]] = [(0, {})]
        while stack and self.nodes <= _MOST_NODES and not self._is_late():
            place, values = stack.pop()
            if place == len(query.fluents):
                self.nodes += 1
                yield tuple(self.number[_ground(fluent, values)] for fluent in query.fluents)
                continue
            stack += [(place + 1, bound) for bound in self._matches(query.fluents[place], values)
                      if self._fits(query, values, bound)]

    def _is_late(self) -> bool:
        if not self.budget.passed:
            return False
        self.unfolder.left_out.setdefault("goals for which there was no time or no room", 1)
        return True

    def _matches(self, pattern: Term, values: dict[str, Argument]) -> Iterator[dict[str, Argument]]:
        wanted = substitute_atom(pattern, values)
        for fluent in self.by_name[relation_of(pattern)]:
            bound = unify(wanted, fluent, values)
            if bound is not None:
                yield bound

    def _fits(self, query: Query, before: Mapping[str, Argument], values: dict[str, Argument]) -> bool:
        """Whether the conditions hold that are about these values and were not about those before."""
        def is_new(atom: Term) -> bool:
            names = {variable.name for variable in variables(atom)} & self._bindable(query)
            return names <= values.keys() and not names <= before.keys()

        for one, other in query.distinct:
            pair = Term("distinct", (one, other))
            if is_new(pair) and substitute(one, values) == substitute(other, values):
                return False
        for atom in query.denied:
            if is_new(atom) and self._holds([atom], values):
                return False
        positive = [atom for atom in query.static if is_new(atom)]
        return not positive or self._holds(positive, values)

    def _bindable(self, query: Query) -> set[str]:
        return {variable.name for fluent in query.fluents for variable in variables(fluent)}

    def _holds(self, atoms: Sequence[Term], values: dict[str, Argument]) -> bool:
        """Whether static atoms hold together for some values of what is still open in them."""
        if not atoms:
            return True
        atom = substitute_atom(atoms[0], values)
        extent = self.extents.get(relation_of(atom), frozenset())
        if not any(True for _ in variables(atom)):
            return atom.args in extent and self._holds(atoms[1:], values)
        for args in extent:
            bound = unify(atom, Term(atom.name, args), values)
            if bound is not None and self._holds(atoms[1:], bound):
                return True
        return False

    # Descriptions: how far a single fluent is from where the goal wants it

    def _described(self, query: Query) -> list[Node] | None:
        """The nodes of a goal of one fluent, one argument of which is told by steps; None where none can be told so."""
        if len(query.fluents) != 1 or query.distinct:
            return None
        fluent = query.fluents[0]
        for place, argument in enumerate(fluent.args):
            others = {variable.name for number, other in enumerate(fluent.args) if number != place
                      for variable in variables(other)}
            asked = {variable.name for atom in (*query.static, *query.denied) for variable in variables(atom)}
            pattern = Term(fluent.name, (*fluent.args[:place], Variable("described"), *fluent.args[place + 1 :]))
            matching = list(self._matches(pattern, {}))
            things = list(dict.fromkeys(_term(bound["described"]) for bound in matching))
            if isinstance(argument, Variable) and query.denied and asked == {argument.name} and not asked & others:
                wanted = frozenset(thing for thing in things if not any(
                    self._holds([atom], {argument.name: thing}) for atom in query.denied)
                    and self._holds(query.static, {argument.name: thing}))
                relations = {relation[0]: self.extents[relation] for relation in self.listed & self.extents.keys()}
            elif isinstance(argument, Term) and not asked and self._is_counted(argument):
                wanted, relations = frozenset({argument}), {name: frozenset[tuple[Term, ...]](pairs)
                                                            for name, pairs in self.orders.items()}
            else:
                continue
            weights = self._weights(wanted, things, relations)
            if weights is not None:
                return [Node(self.number[_ground(pattern, bound)], weights[_term(bound["described"])])
                        for bound in matching if weights[_term(bound["described"])]]
        return None

    def _is_counted(self, thing: Term) -> bool:
        return any(thing in pair for pairs in self.orders.values() for pair in pairs)

    def _weights(self, wanted: frozenset[Term], things: Sequence[Term],
                 relations: Mapping[str, frozenset[tuple[Term, ...]]]) -> dict[Term, float] | None:
        """What each thing is worth by how far a description of what is wanted holds of it."""
        number = {thing: number for number, thing in enumerate(things)}
        inside = {name: frozenset(tuple(number[arg] for arg in args) for args in extent if set(args) <= number.keys())
                  for name, extent in relations.items()}
        found = describe(frozenset(number[thing] for thing in wanted), range(len(things)),
                         {name: extent for name, extent in inside.items() if extent})
        if found is None or not any(conjunction.literals for conjunction in found):
            return None
        weights = dict.fromkeys(things, 0.0)
        for conjunction in found:
            for thing, ways in steps(conjunction, range(len(things)), inside).items():
                weights[things[thing]] += sum(count * self.alpha ** (len(ways) - 1 - level)
                                      for level, count in enumerate(ways))
        return weights


def _best(ladder: Sequence[tuple[int, list[Query]]]) -> list[Query]:
    """The ways to the best goal that something leads to."""
    for _, queries in ladder:
        told = [query for query in queries if query.fluents]
        if told:
            return told
    return []


def _is_chain(query: Query) -> bool:
    """Whether every fluent has a variable that those before it do not have: only then do they have an order."""
    seen: set[str] = set()
    for fluent in query.fluents:
        names = {variable.name for variable in variables(fluent)}
        if names <= seen and (seen or len(query.fluents) > 1):
            return False
        seen |= names
    return True


def _ground(pattern: Term, values: dict[str, Argument]) -> Term:
    return substitute_atom(pattern, values)


def _term(argument: Argument) -> Term:
    assert isinstance(argument, Term)
    return argument


def _apart(fluent: Term) -> Term:
    """The fluent with variables that nobody else has."""
    return substitute_atom(fluent, {variable.name: Variable(f"{variable.name}'") for variable in variables(fluent)})
