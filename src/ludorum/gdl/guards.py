"""Domains of variables as relations: what binds a variable that its rule leaves unbound.

The domain of an argument position is every value that some rule can put there: constants of heads, and
for a variable of a head the domains of the positions that bind it in the body. The positions of `init`,
`next` and `true` are the same, and so are those of `legal` and `does`; whoever moves, gets a goal or sees
something is a role. Where a rule leaves an argument of its head open, as `(<= (lmember ?x (cons ?x ?rest)))` does, its
domain also has what other rules ask for there. Domains are defined by clauses, so that every engine computes them as it
computes everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludorum.gdl.names import FreshNames, made
from ludorum.gdl.terms import Argument, Term, Variable, variables

# The kind of thing ("relation" or "function"), its name, its number of arguments, and which of them.
Position = tuple[str, str, int, int]

_SAME = {("init", 1): "true", ("next", 1): "true", ("does", 2): "legal"}
# The first argument of these is a role.
_OF_A_ROLE = {("legal", 2), ("does", 2), ("goal", 2), ("sees", 2)}
ROLE: Position = ("relation", "role", 1, 0)
# What is asked of every game.
_ASKED = _OF_A_ROLE | {("true", 1), ("init", 1), ("next", 1), ("role", 1)}
# Where nothing tells what a variable ranges over: every constant of the rules.
UNIVERSE: Position = ("universe", "", 0, 0)

HeadAndBody = tuple[Term, tuple[Term, ...]]
_Values = dict[Position, list[tuple[Argument, tuple[Term, ...]]]]


class Guards:
    """Names the domains that are asked for, and defines them when all the rules are known."""

    def __init__(self, fresh: FreshNames) -> None:
        self._fresh = fresh
        self._relations: dict[frozenset[Position], str] = {}
        self._open: set[Position] = set()

    def leave_open(self, name: str, head: Term) -> None:
        """Where a head has this variable, which its rule leaves open, domains also have what is asked for there.

        Not in what is asked of every game: moves, fluents and so on are those that rules give.
        """
        if (head.name, len(head.args)) not in _ASKED:
            self._open.update(positions_of(name, [head]))

    def atom(self, name: str, positions: Iterable[Position]) -> Term:
        """An atom that holds if the variable has a value of one of these positions."""
        key = frozenset(positions) or frozenset([UNIVERSE])
        if key not in self._relations:
            self._relations[key] = self._fresh.name("domain")
        return Term(self._relations[key], (Variable(name),))

    def definitions(self, clauses: Sequence[HeadAndBody], denied: Iterable[HeadAndBody] = ()) -> Iterator[HeadAndBody]:
        """Clauses for every domain asked for, and for those these need.

        `denied` are atoms under `not`, each with the head and the other atoms of its rule.
        """
        values: _Values = {}
        for head, body in clauses:
            for position, value in places(head):
                values.setdefault(position, []).append((value, body))
        asked: _Values = {}
        if self._open:
            calls = [(atom, (head, *body)) for head, body in clauses for atom in body]
            for atom, rule in (*calls, *denied):
                for position, value in places(atom):
                    asked.setdefault(position, []).append((value, rule))
        constants = {value for head, body in clauses for atom in (head, *body) for _, value in places(atom)
                     if isinstance(value, Term) and not value.args}
        values[UNIVERSE] = [(constant, ()) for constant in sorted(constants, key=str)]
        defined: set[frozenset[Position]] = set()
        is_asked: set[Position] = set()
        while len(defined) < len(self._relations) or any(frozenset([p]) in defined for p in self._open - is_asked):
            for key, relation in list(self._relations.items()):
                position = min(key)
                if key not in defined and len(key) > 1:
                    for position in sorted(key):
                        yield Term(relation, (Variable("x"),)), (self.atom("x", [position]),)
                elif key not in defined:
                    yield from dict.fromkeys(self._define(relation, position, values.get(position, ())))
                if len(key) == 1 and position in self._open - is_asked:
                    is_asked.add(position)
                    yield from dict.fromkeys(self._asked(relation, position, asked.get(position, ())))
                defined.add(key)

    def _define(self, relation: str, position: Position,
                values: Iterable[tuple[Argument, tuple[Term, ...]]]) -> Iterator[HeadAndBody]:
        """Clauses for a domain from what stands at its position in heads, with the bodies of these."""
        for value, body in values:
            if isinstance(value, Variable):
                places_of_value = list(dict.fromkeys(positions_of(value.name, body)))
                sources = tuple(self._source("x", place) for place in places_of_value)
                head = Term(relation, (Variable("x"),))
                # A domain that feeds only itself gets nothing new.
                if sources and position not in places_of_value and head not in sources:
                    yield head, sources
            elif not any(variables(value)):
                # As it is: made from the values of its positions, it would bring others with it, even without end.
                yield Term(relation, (value,)), ()
            else:
                arguments = tuple(Variable(f"x{i}") for i in range(len(value.args)))
                yield (Term(relation, (Term(value.name, arguments),)),
                       tuple(self.atom(argument.name, [("function", value.name, len(arguments), i)])
                             for i, argument in enumerate(arguments)))

    def _asked(self, relation: str, position: Position,
               values: Iterable[tuple[Argument, tuple[Term, ...]]]) -> Iterator[HeadAndBody]:
        """Clauses for a domain from what rules ask for at its position."""
        for value, rule in values:
            if isinstance(value, Variable):
                # It may get its value from any of the places where the rule has it; in the head, from whoever asks.
                self.leave_open(value.name, rule[0])
                for place in dict.fromkeys(positions_of(value.name, rule)):
                    if place != position:
                        yield Term(relation, (Variable("x"),)), (self._source("x", place),)
            elif any(variables(value)):
                self._open.update(("function", value.name, len(value.args), i) for i in range(len(value.args)))
                yield from self._define(relation, position, [(value, ())])
            else:
                yield Term(relation, (value,)), ()

    def _source(self, name: str, position: Position) -> Term:
        kind, relation, arity, _ = position
        # A domain is its own domain.
        if kind == "relation" and arity == 1 and is_domain(relation):
            return Term(relation, (Variable(name),))
        return self.atom(name, [position])


def is_domain(relation: str) -> bool:
    """Whether this is the name of a domain."""
    return (made(relation) or ("",))[0] == "domain"


def positions_of(name: str, atoms: Iterable[Term]) -> Iterator[Position]:
    """Where a variable occurs in these atoms."""
    for atom in atoms:
        for position, value in places(atom):
            if isinstance(value, Variable) and value.name == name:
                yield position


def roots(atom: Term) -> list[tuple[Position, Argument]]:
    """The arguments of an atom itself, with their positions."""
    relation = _SAME.get((atom.name, len(atom.args)), atom.name)
    found: list[tuple[Position, Argument]] = [(("relation", relation, len(atom.args), i), value)
                                              for i, value in enumerate(atom.args)]
    if (atom.name, len(atom.args)) in _OF_A_ROLE:
        found[0] = (ROLE, atom.args[0])
    return found


def places(atom: Term) -> Iterator[tuple[Position, Argument]]:
    """Every argument in an atom, however deep, with its position."""
    stack = roots(atom)
    while stack:
        place, value = stack.pop()
        yield place, value
        if isinstance(value, Term):
            stack.extend((("function", value.name, len(value.args), i), inner)
                         for i, inner in enumerate(value.args))
