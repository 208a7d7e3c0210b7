"""Enhanced rule graphs: a rulesheet as a graph whose automorphisms are symmetries of the game.

As in Schiffel's thesis on Fluxplayer (Definition 8.4): a vertex for every part of every rule, for every symbol, and for
every argument of a symbol, so that an automorphism may exchange symbols and reorder their arguments. What the thesis
leaves open: `or` and `and` are parts like `not`, and hints such as `base` are no part of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ludorum.analysis.symmetry.automorphisms import Graph, Permutation
from ludorum.gdl.rulesheet import Formula, Not, Rulesheet
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.gdl.words import HINTS, KEYWORDS, RANDOM

#: The name and the number of arguments of a relation or a function; a constant has none.
Symbol = tuple[str, int]


@dataclass(frozen=True)
class Scrambling:
    """Other names and another order of arguments, by which a rulesheet stays the same (Definition 8.5)."""

    names: dict[Symbol, str]
    #: For every symbol the place where each of its arguments goes.
    places: dict[Symbol, tuple[int, ...]]

    def term(self, term: Term) -> Term:
        """A ground term in the other words; a symbol that the rules do not mention stays what it is."""
        # Without recursion: rules come from strangers. A term is visited again when its arguments are done.
        done: list[Term] = []
        stack: list[tuple[Term, bool]] = [(term, False)]
        while stack:
            item, is_ready = stack.pop()
            symbol = (item.name, len(item.args))
            if not item.args:
                done.append(Term(self.names.get(symbol, item.name)))
            elif not is_ready:
                stack.append((item, True))
                stack.extend((argument, False) for argument in reversed(item.args) if isinstance(argument, Term))
            else:
                arguments = done[-len(item.args):]
                del done[-len(item.args):]
                placed = dict(zip(self.places.get(symbol, range(len(arguments))), arguments, strict=True))
                done.append(Term(self.names.get(symbol, item.name), tuple(placed[i] for i in range(len(placed)))))
        return done[0]


@dataclass
class RuleGraph:
    """The graph of the rules without `init` (section 8.3), which says nothing about where a game starts."""

    rules: Rulesheet
    #: What no automorphism may exchange with anything else.
    goal_values: Collection[int]
    graph: Graph = field(default_factory=Graph)
    symbols: dict[Symbol, int] = field(default_factory=dict)
    arguments: dict[Symbol, list[int]] = field(default_factory=dict)
    #: The symbols of terms; others stand for relations only.
    functions: set[Symbol] = field(default_factory=set)
    #: Of every role the vertex of the fact that it is one.
    roles: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._values = frozenset(map(str, self.goal_values))
        ignored = HINTS | {"init"}
        for rule in self.rules.rules:
            if rule.head.name not in ignored:
                self._rule(rule.head, rule.body)
        # What only `init` mentions stands for things that can change places.
        for rule in self.rules.rules:
            if rule.head.name == "init" and not rule.body:
                for argument in rule.head.args:
                    self._mention(argument)

    def add_facts(self, keyword: str, facts: Iterable[Sequence[Term]]) -> None:
        """Facts that an automorphism has to carry to one another, such as that fluents hold in a state."""
        for fact in facts:
            self._keyword(keyword, fact, {})

    def colours(self, *, keep_roles: bool, keep: Iterable[Symbol] = ()) -> list[Hashable]:
        """The colours where roles stay who they are, or not, and these symbols stay what they are."""
        colours = list(self.graph.colours)
        for number, vertex in enumerate(self.roles if keep_roles else ()):
            colours[vertex] = ("role", number)
        for symbol in keep:
            for vertex in (self.symbols[symbol], *self.arguments[symbol]):
                colours[vertex] = ("kept", vertex)
        return colours

    def scrambling(self, permutation: Permutation) -> Scrambling:
        """What an automorphism does to symbols and their arguments."""
        symbol_of = {vertex: symbol for symbol, vertex in self.symbols.items()}
        place_of = {vertex: place for vertices in self.arguments.values() for place, vertex in enumerate(vertices)}
        return Scrambling(
            {symbol: symbol_of[permutation[vertex]][0] for symbol, vertex in self.symbols.items()},
            {symbol: tuple(place_of[permutation[vertex]] for vertex in vertices)
             for symbol, vertices in self.arguments.items() if vertices})

    # ---- the parts of a rulesheet ----

    def _rule(self, head: Term, body: Sequence[Formula]) -> None:
        # A variable means another thing in every rule.
        variables: dict[str, int] = {}
        rule, first = self.graph.vertex("rule"), self._formula(head, variables)
        self.graph.edge(rule, first)
        for formula in body:
            part = self._formula(formula, variables)
            self.graph.edge(rule, part)
            self.graph.edge(first, part)
        if head.name == "role" and not body:
            self.roles.append(first)

    def _formula(self, formula: Formula, variables: dict[str, int]) -> int:
        if isinstance(formula, Term):
            return self._atom(formula, variables)
        parts = (formula.formula,) if isinstance(formula, Not) else formula.formulas
        vertex = self.graph.vertex(type(formula).__name__)
        for part in parts:
            self.graph.edge(vertex, self._formula(part, variables))
        return vertex

    def _atom(self, atom: Term, variables: dict[str, int]) -> int:
        if atom.name not in KEYWORDS:
            return self._part(atom, "predicate", variables)
        return self._keyword(atom.name, atom.args, variables)

    def _keyword(self, name: str, arguments: Sequence[Argument], variables: dict[str, int]) -> int:
        vertex = self.graph.vertex(name)
        terms = [self._part(argument, "function", variables) for argument in arguments]
        for term in terms:
            self.graph.edge(vertex, term)
        if name != "distinct":
            for term, following in pairwise(terms):
                self.graph.edge(term, following)
        return vertex

    def _part(self, argument: Argument, label: str, variables: dict[str, int]) -> int:
        """The vertex of a term or of an atom that is no keyword's, with all that is in it."""
        # Without recursion: rules come from strangers.
        first = len(self.graph.colours)
        stack: list[tuple[Argument, str, tuple[int, ...]]] = [(argument, label, ())]
        while stack:
            item, label, above = stack.pop()
            vertex = self.graph.vertex("variable" if isinstance(item, Variable) else label)
            for other in above:
                self.graph.edge(other, vertex)
            if isinstance(item, Variable):
                if item.name not in variables:
                    variables[item.name] = self.graph.vertex("symbol of a variable")
                self.graph.edge(variables[item.name], vertex)
                continue
            symbol = (item.name, len(item.args))
            self.graph.edge(self._symbol(symbol), vertex)
            if label == "function":
                self.functions.add(symbol)
            stack.extend((inner, "function", (vertex, place))
                         for inner, place in zip(item.args, self.arguments[symbol], strict=True))
        return first

    def _symbol(self, symbol: Symbol) -> int:
        if symbol not in self.symbols:
            name, size = symbol
            is_fixed = name == RANDOM or (size == 0 and name in self._values)
            vertex = self.symbols[symbol] = self.graph.vertex(("fixed", name) if is_fixed else "symbol")
            self.arguments[symbol] = [self.graph.vertex("argument") for _ in range(size)]
            for argument in self.arguments[symbol]:
                self.graph.edge(vertex, argument)
        return self.symbols[symbol]

    def _mention(self, argument: Argument) -> None:
        """Symbol vertices for all that a term mentions."""
        stack = [argument]
        while stack:
            item = stack.pop()
            if isinstance(item, Term):
                self._symbol((item.name, len(item.args)))
                stack.extend(item.args)
