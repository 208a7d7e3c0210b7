"""What a move changes, as a term: the elements it touches, each with the marks that it has afterwards.

A condition on the state after a move depends on this alone, so that moves of many rules are asked about in the same
words: a knight that takes and a pawn that is promoted both leave one square bare and put a piece on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ludorum.gdl import rulesheet as gdl
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.toss.conditions import Conditions, Moment
from ludorum.toss.effects import Form
from ludorum.toss.formulas import TRUE, And, Atom, Equal, Formula, Not, Or
from ludorum.toss.game import Fact, Game, RewritingRule

_PLAYER = Variable("p")
_OTHER = Variable("x")
_MARK = Variable("k")
_CHANGE = Variable("m")


@dataclass(frozen=True, slots=True)
class _Shape:
    """How many elements are touched, and what becomes of relations that are no marks, by places of these elements."""

    touched: int
    added: frozenset[tuple[str, tuple[int, ...]]]
    exact: frozenset[str]


class Changes:
    """The changes that moves of some rules make, where elements neither come nor go."""

    def __init__(self, game: Game, conditions: Conditions) -> None:
        self.game = game
        self.conditions = conditions
        self._marks = frozenset(name for name in game.fluents if game.arities[name] == 1)
        self._functions: dict[_Shape, str] = {}
        self._constants: dict[tuple[frozenset[str], frozenset[str]], str] = {}
        self._asks_inside = False
        symbol = conditions.symbols.symbol
        self._spares, self._inside, self._made = symbol("spares"), symbol("inside"), symbol("made")

    def term(self, form: Form) -> Term:
        """What a move of this form changes."""
        touched = self._touched(form.rule)
        arguments: list[Argument] = []
        for element in touched:
            arguments += [form.matched[element], Term(self._marking(form.rule, element))]
        return Term(self._function(self._shape(form.rule, touched)), tuple(arguments))

    def add(self, forms: Sequence[Form]) -> None:
        """The rules for what holds after the moves that are made, and after candidates as far as that is asked for."""
        for form in forms:
            change = self.term(form)
            self.conditions.rule(Term(self._made, (change,)), [Term("does", (_PLAYER, form.move))])
            if form.rule.post != TRUE:
                self.conditions.rule(Term(self.conditions.change, (change,)),
                                     [Term(self.conditions.candidate, (_PLAYER, form.move))])
        for shape in self._functions:
            self._marked(shape, is_candidate=False)
            self._related(shape, is_candidate=False)
            if self.conditions.uses_then:
                self._marked(shape, is_candidate=True)
                self._related(shape, is_candidate=True)
            if self._asks_inside:
                self._touching(shape)
        for (_, spared), constant in self._constants.items():
            for mark in sorted(spared):
                self.conditions.rule(Term(self._spares, (Term(constant), Term(self.conditions.relation[mark]))), [])

    def is_local(self, name: str) -> bool:
        """Whether a defined relation depends only on what holds of its one argument alone."""
        definition = self.game.definitions[name]
        return (len(definition.variables) == 1 and not self.game.recursive[name]
                and self._is_local(definition.formula, definition.variables[0]))

    def _is_local(self, formula: Formula, variable: str) -> bool:
        match formula:
            case Atom(relation, args):
                return bool(args) and set(args) == {variable} and (
                    relation not in self.game.definitions or relation not in self.game.changing
                    or self.is_local(relation))
            case Equal(left, right):
                return {left, right} == {variable}
            case Not(inner):
                return self._is_local(inner, variable)
            case And(inner) | Or(inner):
                return all(self._is_local(part, variable) for part in inner)
            case _:
                return False

    def elsewhere(self, head: Term, now: Term, element: Argument) -> None:
        """Rules that a relation holds of an element that a change does not touch if it holds of it now.

        The first argument of the head is the change.
        """
        for shape in self._functions:
            change, touched, _ = self._general(shape)
            self.conditions.rule(Term(head.name, (change, *head.args[1:])),
                                 [now, Term(self.conditions.change, (change,)),
                                  *(Term("distinct", (element, place)) for place in touched)], Moment(change))

    def inside(self, element: Argument) -> Term:
        """The condition that the change touches an element."""
        self._asks_inside = True
        return Term(self._inside, (_CHANGE, element))

    def _touching(self, shape: _Shape) -> None:
        change, touched, _ = self._general(shape)
        for place in touched:
            self.conditions.rule(Term(self._inside, (change, place)),
                                 [Term(self.conditions.change, (change,))], Moment(change))

    # Shapes

    def _touched(self, rule: RewritingRule) -> list[str]:
        """The elements of the left side of which something may differ afterwards."""
        changed = {element for _, args in self._differing(rule) for element in args}
        return [element for element in rule.left.elements if element in changed]

    def _differing(self, rule: RewritingRule) -> list[Fact]:
        """Tuples of the match that may hold afterwards and not before, or the other way round."""
        right = _right(rule)
        found: list[Fact] = []
        for relation in self.game.fluents:
            for args in product(rule.left.elements, repeat=self.game.arities[relation]):
                fact = (relation, args)
                if relation in rule.embedded:
                    differs = fact in rule.left.optional or (fact in rule.left.facts) != (fact in right)
                else:
                    differs = fact in right
                if differs:
                    found.append(fact)
        return found

    def _shape(self, rule: RewritingRule, touched: Sequence[str]) -> _Shape:
        places = {element: place for place, element in enumerate(touched)}
        others = self.game.fluents - self._marks
        added = frozenset((relation, tuple(places[arg] for arg in args)) for relation, args in _right(rule)
                          if relation in others and all(arg in places for arg in args))
        return _Shape(len(touched), added, rule.embedded & others)

    def _function(self, shape: _Shape) -> str:
        if shape not in self._functions:
            self._functions[shape] = self.conditions.symbols.symbol(f"become{shape.touched}")
        return self._functions[shape]

    def _marking(self, rule: RewritingRule, element: str) -> str:
        """A constant for the marks that an element has afterwards, and for those that it keeps if it has them."""
        after = frozenset(name for name, args in _right(rule) if name in self._marks and args == (element,))
        key = (after, self._marks - rule.embedded - after)
        if key not in self._constants:
            # Without marks to be kept it is a set like any other.
            self._constants[key] = self.conditions.marks.constant(after, is_shared=not key[1])
        return self._constants[key]

    def _general(self, shape: _Shape) -> tuple[Term, list[Variable], list[Variable]]:
        """A change of this shape, with variables for what is touched and for its marks."""
        touched = [Variable(f"e{place}") for place in range(shape.touched)]
        marks = [Variable(f"s{place}") for place in range(shape.touched)]
        pairs = [argument for pair in zip(touched, marks, strict=True) for argument in pair]
        return Term(self._functions[shape], tuple(pairs)), touched, marks

    # What holds afterwards

    def _holds(self, change: Term, fluent: Term, body: Sequence[gdl.Formula], *, is_candidate: bool) -> None:
        """A fluent holds after a change that is made, or after one that a candidate would make."""
        if is_candidate:
            self.conditions.rule(Term(self.conditions.then, (change, fluent)),
                                 [*body, Term(self.conditions.change, (change,))], Moment(change))
        else:
            self.conditions.rule(Term("next", (fluent,)), [*body, Term(self._made, (change,))])

    def _marked(self, shape: _Shape, *, is_candidate: bool) -> None:
        change, touched, marks = self._general(shape)
        cell, among = self.conditions.cell, self.conditions.marks.among
        if not self._marks:
            return
        for place, mark in zip(touched, marks, strict=True):
            fluent = Term(cell, (place, _MARK))
            self._holds(change, fluent, [Term(among, (mark, _MARK))], is_candidate=is_candidate)
            if any(spared for _, spared in self._constants):
                self._holds(change, fluent, [Term("true", (fluent,)), Term(self._spares, (mark, _MARK))],
                            is_candidate=is_candidate)
        fluent = Term(cell, (_OTHER, _MARK))
        self._holds(change, fluent, [Term("true", (fluent,)),
                                     *(Term("distinct", (_OTHER, place)) for place in touched)],
                    is_candidate=is_candidate)

    def _related(self, shape: _Shape, *, is_candidate: bool) -> None:
        """Relations that are no marks."""
        change, touched, _ = self._general(shape)
        for relation, places in sorted(shape.added):
            self._holds(change, self.conditions.fluent(relation, [touched[place] for place in places]), [],
                        is_candidate=is_candidate)
        for relation in sorted(self.game.fluents - self._marks):
            args = [Variable(f"x{place}") for place in range(self.game.arities[relation])]
            fluent = self.conditions.fluent(relation, args)
            if relation not in shape.exact:
                self._holds(change, fluent, [Term("true", (fluent,))], is_candidate=is_candidate)
                continue
            for arg in args:
                self._holds(change, fluent, [Term("true", (fluent,)),
                                             *(Term("distinct", (arg, place)) for place in touched)],
                            is_candidate=is_candidate)


def _right(rule: RewritingRule) -> frozenset[Fact]:
    """The facts of the right side, told of the elements of the left."""
    return frozenset((relation, tuple(rule.replaces[arg] for arg in args)) for relation, args in rule.right.facts)
