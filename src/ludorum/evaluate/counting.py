"""Evaluations that count how far the conditions of a goal are met.

A goal is a conjunction of fluents that are tied to each other, such as three marks in a row. The first fluent of it is
worth α^(n−1), one more α^(n−2), and all of them 1: existential quantifiers become sums. The other form counts for every
line that can still be completed how many of its fluents hold, and takes that to a power.

In the literature: heuristics from existential formulas, and with rule conditions (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Literal

from ludorum.analysis.statics import counting_relations, static_extents
from ludorum.clock import Budget
from ludorum.evaluate.absences import Absence
from ludorum.evaluate.counted import Counted, Counting, Line, Node
from ludorum.evaluate.counters import Counters, RandomPlay, Sum, freed, recursive
from ludorum.evaluate.describing import describe, steps
from ludorum.evaluate.matching import Matcher
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
# Of numbers that goals compare so many are tried, in goals about so many of them at most.
_TRIED = 9
_MOST_SUMS = 3
# From so many moves on a game is free enough for the form that counts lines.
_FREE = 16


def counting(rules: Rulesheet, fluents: Sequence[Term], first_moves: int, budget: Budget, *, alpha: float = 0.25,
             power: int = 4, form: Form = "auto", values: Sequence[Sequence[int]] | None = None,
             play: Callable[[], RandomPlay] = RandomPlay) -> Counting:
    """What the rules give to count: for each role its best goal that gives anything, for as long as there is time.

    `first_moves` is how many moves the first player has, `values` which goals each role can have at all. `play` says
    what moves take away, and by what it can be found out what rules count. In the form "auto", lines are counted where
    no move takes away what goals need and there are many moves; else the steps towards goals.
    """
    return _Counter(rules, fluents, budget, alpha, power, play).run(form, first_moves, values)


class _Counter:
    def __init__(self, rules: Rulesheet, fluents: Sequence[Term], budget: Budget, alpha: float, power: int,
                 play: Callable[[], RandomPlay]) -> None:
        self.rules, self.budget, self.alpha, self.power = rules, budget, alpha, power
        self.fluents = fluents
        self.number = {fluent: number for number, fluent in enumerate(fluents)}
        self.matcher = Matcher(fluents)
        self.clauses = flatten(rules)
        self.static = static_relations(self.clauses)
        self.unfolder = Unfolder(self.clauses, self.static, budget)
        self.openings = Openings(self.clauses, self.number)
        #: Relations of two things that the rules list: what sets are described by.
        ruled = {relation_of(clause.head) for clause in self.clauses if clause.atoms}
        self.listed = {relation for relation in self.static - ruled if relation[1] == 2 and relation[0] not in KEYWORDS}
        self.nodes = 0
        self._ask_play = play

    def run(self, form: Form, first_moves: int, values: Sequence[Sequence[int]] | None) -> Counting:
        ladders = list(self._ladders(values))
        queries = [_best(ladder) for ladder in ladders]
        self.matcher.add(static_extents(self.clauses, sorted(self._wanted(ladders)), self.budget))
        self.orders = {relation.name: relation.pairs for relation in counting_relations(self.rules, self.budget)}
        # Where single fluents are goals there are no lines, and how far off those are is told by steps alone.
        has_lines = any(len(query.fluents) > 1 for each in queries for query in each)
        is_free = form == "auto" and first_moves >= _FREE and has_lines and self._only_adds(queries)
        chosen: Literal["goals", "moves"] = "moves" if is_free or form == "moves" else "goals"
        whole, roles = self.budget, []
        for number, (ladder, best, role) in enumerate(zip(ladders, queries, self.rules.roles, strict=True)):
            # Where time or room is short it is so for all: what only one has would seem better than it is.
            self.budget, self.nodes = whole.share(1 / (len(ladders) - number)), 0
            roles.append(self._of_role(ladder, best, role, chosen))
        if all(counted.is_empty for counted in roles) and not self.unfolder.left_out:
            self.unfolder.leave_out("goals that rules give without fluents, or none")
        return Counting(chosen, self.alpha, self.power, tuple(roles), dict(self.unfolder.left_out))

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

    def _of_role(self, ladder: Sequence[tuple[int, list[Query]]], best: Sequence[Query], role: Term,
                 form: str) -> Counted:
        """What is counted for a role: a payoff in steps, the way to its best goal, a number, or what must not be."""
        if len(ladder) >= _STEPS:
            counted = self._payoff(ladder)
            if not counted.is_empty:
                return counted
        counted = self._counted(best, form)
        if counted.is_empty:
            counted.nodes += self._sums([value for value, _ in ladder], role)
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

    # Numbers that rules count

    @cached_property
    def _play(self) -> RandomPlay:
        return self._ask_play()

    @cached_property
    def _counters(self) -> Counters:
        return Counters(self.clauses, self.fluents, self._play.states, self.budget)

    def _sums(self, values: Sequence[int], role: Term) -> list[Node]:
        """The fluents that a number counts which the best goal is about, each with its part of what is wanted."""
        unfolder = Unfolder(self.clauses, self.static, self.budget, kept=recursive(self.clauses) - self.static)
        for value in values:
            weights: dict[int, float] = defaultdict(float)
            ways = unfolder.ways(Term("goal", (role, Term(str(value)))))
            self._extend(ways)
            for query in ways if self._play.states else ():
                for sum_, wanted in (found for each in self._settled(query) for found in self._wanted_sums(each)):
                    for fluent in sum_.fluents:
                        weights[fluent] += wanted * sum_.slope / len(sum_.fluents)
            if any(weights.values()):
                return [Node(fluent, weight) for fluent, weight in sorted(weights.items()) if weight]
        return []

    def _settled(self, query: Query) -> Iterator[Query]:
        """The query for each of the few things, such as roles, of which it asks for a number."""
        asked = {variable.name for atom in query.counts for variable in variables(atom)}
        for atom in query.static:
            extent = self.matcher.extents.get(relation_of(atom), frozenset())
            if len(atom.args) == 1 and self.matcher.names(atom) & asked and len(extent) <= len(self.rules.roles):
                for (thing,) in sorted(extent, key=str):
                    yield from self._settled(query.applied(dict.fromkeys(self.matcher.names(atom), thing)))
                return
        if all(one != other for one, other in query.distinct):
            yield query

    def _wanted_sums(self, query: Query) -> Iterator[tuple[Sum, float]]:
        """The numbers that a way to a goal is about, and from -1 to 1 how much more of each it wants."""
        sums: dict[str, Sum] = {}
        fixed: dict[str, Term] = {}
        for number, atom in enumerate(query.counts):
            found = next(filter(None, map(self._counters.of, freed(atom))), {})
            for place, sum_ in found.items():
                argument = atom.args[place]
                name = argument.name if isinstance(argument, Variable) else f"wanted~{number}~{place}"
                sums.setdefault(name, sum_)
                if isinstance(argument, Term):
                    fixed[name] = argument
        if not 1 <= len(sums) <= _MOST_SUMS:
            return
        domain = self._numbers(query, fixed.values(), max(len(sum_.fluents) for sum_ in sums.values()))
        fitting = [values for values in product(domain, repeat=len(sums))
                   if self._is_wanted(query, dict(zip(sums, values, strict=True)), fixed)]
        middle, half = (int(domain[0].name) + int(domain[-1].name)) / 2, max(1, int(domain[-1].name)) / 2
        for place, sum_ in enumerate(sums.values()):
            if fitting:
                mean = sum(int(values[place].name) for values in fitting) / len(fitting)
                yield sum_, max(-1.0, min(1.0, (mean - middle) / half))

    def _numbers(self, query: Query, fixed: Iterable[Term], most: int) -> list[Term]:
        """Some numbers for which it is tried whether a goal wants them, the smallest first."""
        extents = (self.matcher.extents.get(relation, frozenset()) for relation in relations_in([query]))
        things = {arg for extent in extents for args in extent for arg in args}
        known = sorted({int(thing.name) for thing in things if thing.name.isdigit() and not thing.args}
                       or range(most + 1))
        known = [number for number in known if number <= most] or known
        spread = {known[place * (len(known) - 1) // (_TRIED - 1)] for place in range(_TRIED)}
        return [Term(str(number)) for number in sorted(spread | {int(term.name) for term in fixed})]

    def _is_wanted(self, query: Query, values: dict[str, Argument], fixed: Mapping[str, Term]) -> bool:
        """Whether a way to a goal is open where numbers are these."""
        return (all(values[name] == term for name, term in fixed.items())
                and not any(substitute(one, values) == substitute(other, values) for one, other in query.distinct)
                and not any(self.matcher.holds([atom], values) for atom in query.denied)
                and self.matcher.holds(query.static, values))

    def _absences(self, ladder: Sequence[tuple[int, list[Query]]]) -> Iterator[Absence]:
        """What the best goal that needs only that needs not to be."""
        for _, queries in ladder:
            found = False
            for atom in dict.fromkeys(atom for query in queries for atom in query.absent):
                ways = ([Query((fluent,)) for fluent in atom.args if isinstance(fluent, Term)]
                        if relation_of(atom) == ("true", 1) else self.unfolder.ways(atom))
                self._extend(ways)
                instances = dict.fromkeys(tuple(sorted(set(line))) for way in ways if way.fluents
                                          for line in self._assignments(way))
                if instances:
                    found = True
                    yield Absence(tuple(instances))
            if found:
                return

    def _extend(self, queries: Sequence[Query]) -> None:
        """Asks about the static relations of queries that were not asked about before."""
        new = relations_in(queries) - self.matcher.extents.keys()
        self.matcher.add(static_extents(self.clauses, sorted(new), self.budget))

    def _wanted(self, ladders: Sequence[Sequence[tuple[int, list[Query]]]]) -> set[Relation]:
        """The static relations that are asked about, and those that sets may be described by."""
        asked = relations_in(query for ladder in ladders for _, queries in ladder for query in queries)
        return asked | self.listed

    def _only_adds(self, queries: Sequence[Sequence[Query]]) -> bool:
        """Whether what goals need stays once it holds: by the rules, or in random play."""
        kept = [clause.head.args[0] for clause in self.clauses
                if relation_of(clause.head) == ("next", 1) and not clause.negative
                and clause.positive == (Term("true", clause.head.args),)]
        needed = [fluent for each in queries for query in each for fluent in query.fluents]
        if all(any(unify(_apart(fluent), head) is not None for head in kept) for fluent in needed):
            return True
        return bool(self._play.states) and not any(
            self.number[_ground(fluent, bound)] in self._play.lost
            for fluent in needed for bound in self.matcher.matches(fluent, {}))

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
            for bound in self.matcher.next(query, place, values):
                if self.nodes <= _MOST_NODES and not self._is_late():
                    self.nodes += 1
                    fluent = self.number[_ground(query.fluents[place], bound)]
                    left = len(query.fluents) - 1 - place
                    children = self._chain(query, place + 1, bound, known) if left else []
                    found.append(Node(fluent, self.alpha**left, tuple(children)))
            known[key] = found
        return known[key]

    def _assignments(self, query: Query) -> Iterator[tuple[int, ...]]:
        """Every way to satisfy the static conditions, as the fluents that then make the goal."""
        for fluents in self.matcher.assignments(query):
            if self.nodes > _MOST_NODES or self._is_late():
                return
            if fluents is not None:
                self.nodes += 1
                yield tuple(self.number[fluent] for fluent in fluents)

    def _is_late(self) -> bool:
        if not self.budget.passed:
            return False
        self.unfolder.left_out.setdefault("goals for which there was no time or no room", 1)
        return True

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
            matching = list(self.matcher.matches(pattern, {}))
            things = list(dict.fromkeys(_term(bound["described"]) for bound in matching))
            if isinstance(argument, Variable) and query.denied and asked == {argument.name} and not asked & others:
                wanted = frozenset(thing for thing in things if not any(
                    self.matcher.holds([atom], {argument.name: thing}) for atom in query.denied)
                    and self.matcher.holds(query.static, {argument.name: thing}))
                relations = {relation[0]: self.matcher.extents[relation]
                             for relation in self.listed & self.matcher.extents.keys()}
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
