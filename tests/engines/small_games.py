"""Random small rulesheets: recursion, negation, function terms, several roles, chance and percepts.

They are finite, safe and stratified by the way they are made: a relation reads those of its own stratum and of lower
ones, negates only lower ones, and a head puts a variable inside a function only where it is one of the few items. As
GDL wants it of recursion, a relation asks its own stratum for no term that is made up for the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

ROLES = ("left", "random", "right")
CONSTANTS = ("a", "b", "(f c)")
VARIABLES = ("?x", "?y", "?z")

#: How an atom is written, with `{}` for its arguments, and the number of these.
Relation = tuple[str, int]

FACTS: list[Relation] = [("(item {})", 1), ("(edge {})", 2)]
STATIC: list[list[Relation]] = [[("(near {})", 1), ("(way {})", 2)], [("(apart {})", 2)]]
FLUENTS: list[Relation] = [("(true (p {}))", 1), ("(true (q {}))", 2), ("(true done)", 0)]
OF_STATES: list[list[Relation]] = [[("(held {})", 1), ("(linked {})", 2)], [("(loose {})", 1), ("odd", 0)]]
MOVES: list[Relation] = [("(pick {})", 1), ("(swap {})", 2), ("rest", 0)]
OF_STEPS: list[list[Relation]] = [[("(hit {})", 1), ("(met {})", 2)], [("(missed {})", 1)]]
PERCEPTS: list[Relation] = [("(told {})", 1), ("noise", 0)]


class _Writer:
    """Writes rules, one after the other, by what is drawn."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self.rules: list[str] = []

    def one_of(self, choices: Sequence[str]) -> str:
        return self._draw(st.sampled_from(choices))

    def happens(self, times_in_four: int) -> bool:
        return self._draw(st.integers(0, 3)) < times_in_four

    def _filled(self, relation: Relation, arguments: Sequence[str]) -> str:
        return relation[0].format(" ".join(arguments))

    def _argument(self, variables: Sequence[str]) -> str:
        """A variable mostly, else a constant or something inside a function."""
        kind = self._draw(st.integers(0, 7))
        if kind < 5 and variables:
            return self.one_of(variables)
        if kind == 5 and variables:
            return f"(f {self.one_of(variables)})"
        return self.one_of(CONSTANTS)

    def atom(self, relations: Sequence[Relation], variables: Sequence[str]) -> str:
        relation = self._draw(st.sampled_from(relations))
        return self._filled(relation, [self._argument(variables) for _ in range(relation[1])])

    def body(self, positive: Sequence[Relation], negative: Sequence[Relation],
             own: Sequence[Relation] = ()) -> list[str]:
        """Conditions; what is negated or compared has only variables that others bind."""
        body = [self.atom(positive, VARIABLES) for _ in range(self._draw(st.integers(1, 2)))]
        if own:
            relation = self._draw(st.sampled_from(own))
            body.append(self._filled(relation, [self.one_of((*VARIABLES, *CONSTANTS)) for _ in range(relation[1])]))
        bound = self.bound(body)
        if self.happens(1):
            body.append(f"(or {self.atom(positive, bound)} {self.atom(positive, bound)})")
        if self.happens(2):
            body.append(f"(not {self.atom(negative, bound)})")
        if bound and self.happens(1):
            body.append(f"(distinct {self.one_of(bound)} {self._argument(bound)})")
        return self._draw(st.permutations(body))

    def bound(self, body: Sequence[str]) -> list[str]:
        return [name for name in VARIABLES if any(name in condition for condition in body)]

    def rule(self, heads: Sequence[Relation], around: str, body: list[str]) -> None:
        """A rule for one of the relations, its head written into `around`."""
        relation = self._draw(st.sampled_from(heads))
        arguments = [self._argument(self.bound(body)) for _ in range(relation[1])]
        body = [*body, *(f"(item {name})" for name in VARIABLES if any(f"(f {name})" in each for each in arguments))]
        self.rules.append(f"(<= {around.replace('HEAD', self._filled(relation, arguments))} {' '.join(body)})")

    def stratum(self, stratum: list[Relation], known: list[Relation]) -> None:
        """Rules of a stratum: one of each relation that asks lower ones alone, and some that are recursive."""
        for relation in stratum:
            self.rule([relation], "HEAD", self.body(known, known))
        for _ in range(self._draw(st.integers(1, 3))):
            self.rule(stratum, "HEAD", self.body(known, known, stratum))
        known += stratum


@st.composite
def small_games(draw: st.DrawFn) -> str:
    """The text of a rulesheet."""
    writer = _Writer(draw)
    roles = draw(st.lists(st.sampled_from(ROLES), min_size=1, max_size=3, unique=True))
    writer.rules += [f"(role {role})" for role in roles]
    writer.rules += [f"(item {item})" for item in CONSTANTS]
    items = st.sampled_from(CONSTANTS)
    pairs = st.lists(st.tuples(items, items), min_size=1, max_size=4, unique=True)
    writer.rules += [f"(edge {one} {other})" for one, other in draw(pairs)]
    writer.rules += [f"(init (p {item}))" for item in draw(st.lists(items, min_size=1, unique=True))]
    writer.rules += [f"(init (q {one} {other}))" for one, other in draw(pairs)]

    known = list(FACTS)
    for stratum in STATIC:
        writer.stratum(stratum, known)
    known += FLUENTS
    for stratum in OF_STATES:
        writer.stratum(stratum, known)
    for role in roles:
        # A move that is always there, so that no walk is over at once.
        writer.rules.append(f"(legal {role} rest)")
        for _ in range(2):
            writer.rule(MOVES, f"(legal {role} HEAD)", writer.body(known, known))
        writer.rule([("", 0)], f"(goal {role} 100)", writer.body(known, known))
        writer.rule([("", 0)], f"(goal {role} {draw(st.sampled_from([0, 50]))})", writer.body(known, known))
    writer.rule([("", 0)], "terminal", [*writer.body(known, known), "(true done)"])

    known += [(f"(does {role} {name})", arity) for role in roles for name, arity in MOVES]
    for stratum in OF_STEPS:
        writer.stratum(stratum, known)
    fluents = [(name.removeprefix("(true ").removesuffix(")"), arity) for name, arity in FLUENTS]
    for fluent in fluents:
        writer.rule([fluent], "(next HEAD)", writer.body(known, known))
    for _ in range(3):
        writer.rule(fluents, "(next HEAD)", writer.body(known, known))
    for role in roles:
        writer.rule(PERCEPTS, f"(sees {role} HEAD)", writer.body(known, known))
    return "\n".join(writer.rules)
