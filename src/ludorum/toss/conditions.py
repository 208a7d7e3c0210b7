"""Formulas as conditions of GDL rules: a variable for ∃, `not` of a relation of its own for ¬∃.

A formula is asked of the state, or of the state that a move would lead to; in the latter case every relation that can
change has a twin with what the move changes in front.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludorum.gdl import rulesheet as gdl
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.toss.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Less,
    Not,
    Or,
    free,
    negation_normal,
    relations_of,
)
from ludorum.toss.game import Game
from ludorum.toss.marks import Marks
from ludorum.toss.names import Symbols, fit

# A disjunction among conditions becomes so many rules at most; beyond that, a relation of its own.
_MOST_RULES = 4
# From so many marks on, an element is asked for any of them at once.
MANY_MARKS = 4

Places = Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class Moment:
    """When a formula is asked: now, or after a change that a candidate of a move would make."""

    change: Argument | None = None


NOW = Moment()


class Conditions:
    """Turns formulas into conditions, and collects the rules of the relations that this takes."""

    def __init__(self, game: Game, symbols: Symbols) -> None:
        self.game = game
        self.symbols = symbols
        self.rules: list[Rule] = []
        self.elements = Symbols().symbols(*game.start.elements)
        defined = [name for name in game.arities if name in game.definitions]
        self.relation = symbols.symbols(*game.arities)
        self.twin = {name: symbols.symbol(f"{name}_then") for name in defined if name in game.changing}
        self.cell = symbols.symbol("cell")
        self.element, self.same = symbols.symbol("element"), symbols.symbol("same")
        self.alive, self.then, self.candidate = map(symbols.symbol, ("alive", "then", "candidate"))
        self.change = symbols.symbol("change")
        self.same_later = symbols.symbol("same_then")
        self.bearing, self.bearing_later = symbols.symbol("bears"), symbols.symbol("bears_then")
        self.marks = Marks(symbols, self.relation)
        self.uses_bearing = self.uses_bearing_later = False
        self.uses_same = self.uses_same_later = self.uses_then = False
        #: The defined relations that are asked of states after candidates, in the order of asking.
        self.asked_later: list[str] = []
        self._helpers: dict[tuple[Formula, tuple[str, ...], bool], str] = {}
        self._fresh = 0
        #: Says how comparisons of numbers are told; set by whoever knows about numbers.
        self.compare: Callable[[Less, Places, Moment], Term] | None = None

    def constant(self, element: str) -> Term:
        """An element of the starting structure."""
        return Term(self.elements[element])

    def fluent(self, relation: str, args: Sequence[Argument]) -> Term:
        """The fluent that says that a relation holds; marks look like those of boards, so that boards are found."""
        if len(args) == 1:
            return Term(self.cell, (args[0], Term(self.relation[relation])))
        return Term(self.relation[relation], tuple(args))

    def atom(self, relation: str, args: Sequence[Argument], moment: Moment) -> Term:
        """The condition that a relation holds."""
        if relation not in self.game.changing:
            return Term(self.relation[relation], tuple(args))
        if relation in self.game.definitions:
            if moment.change is None:
                return Term(self.relation[relation], tuple(args))
            if relation not in self.asked_later:
                self.asked_later.append(relation)
            return Term(self.twin[relation], (moment.change, *args))
        return self.holds(self.fluent(relation, args), moment)

    def holds(self, fluent: Term, moment: Moment) -> Term:
        """The condition that a fluent holds."""
        if moment.change is None:
            return Term("true", (fluent,))
        self.uses_then = True
        return Term(self.then, (moment.change, fluent))

    def is_element(self, argument: Argument, moment: Moment) -> Term:
        """The condition that something is an element."""
        if self.game.keeps_elements:
            return Term(self.element, (argument,))
        return self.holds(Term(self.alive, (argument,)), moment)

    def is_change(self, change: Argument) -> Term:
        """The condition that a candidate makes this change; where elements come and go, it is the move itself."""
        if self.game.keeps_elements:
            return Term(self.change, (change,))
        return Term(self.candidate, (self.variable("p"), change))

    def bears(self, argument: Argument, marks: Collection[str], moment: Moment) -> Term:
        """The condition that an element has one of many marks."""
        args = (argument, Term(self.marks.constant(marks)))
        if moment.change is None:
            self.uses_bearing = True
            return Term(self.bearing, args)
        self.uses_bearing_later = self.uses_bearing = True
        return Term(self.bearing_later, (moment.change, *args))

    def none_of(self, formulas: Sequence[Formula], places: Places, moment: Moment) -> list[gdl.Formula]:
        """Conditions that none of these atoms, equations and comparisons holds."""
        at_once, others = self._many_marks(formulas)
        return [*(self._denied(formula, places, moment) for formula in others),
                *(gdl.Not(self.bears(places[name], marks, moment)) for name, marks in at_once.items())]

    def define(self, head: Term, formula: Formula, places: Places, moment: Moment,
               conditions: Iterable[gdl.Formula] = ()) -> None:
        """Rules for a head that holds where these conditions and the formula do."""
        for alternative in self._alternatives(negation_normal(formula)):
            body = [*conditions]
            self._add(alternative, dict(places), moment, body)
            self.rule(head, body, moment)

    def rule(self, head: Term, body: Sequence[gdl.Formula], moment: Moment = NOW) -> None:
        """A rule whose variables that nothing binds are elements."""
        bound = {variable.name for condition in body if isinstance(condition, Term) and condition.name != "distinct"
                 for variable in variables(condition)}
        wanted = dict.fromkeys(variable.name for variable in variables(head))
        for condition in body:
            for atom in gdl.atoms(condition):
                wanted.update(dict.fromkeys(variable.name for variable in variables(atom)))
        moves = {variable.name for variable in variables(moment.change)} if moment.change is not None else set()
        guards: list[gdl.Formula] = []
        if moves - bound and moment.change is not None:
            guards.append(self.is_change(moment.change))
        guards += [self.is_element(Variable(name), moment) for name in wanted if name not in bound | moves]
        # Negations and inequalities last, as whoever evaluates from left to right wants them.
        ordered = sorted([*guards, *body], key=lambda part: not isinstance(part, Term) or part.name == "distinct")
        self.rules.append(Rule(head, tuple(dict.fromkeys(ordered))))

    def variable(self, name: str) -> Variable:
        """A variable that occurs nowhere else."""
        self._fresh += 1
        return Variable(f"{fit(name)}_{self._fresh}")

    def _add(self, formula: Formula, places: dict[str, Argument], moment: Moment, body: list[gdl.Formula]) -> None:
        """Adds the conditions of a formula in negation normal form to a body."""
        match formula:
            case And(inner):
                for part in inner:
                    if not isinstance(part, Not):
                        self._add(part, places, moment, body)
                body += self.none_of([part.formula for part in inner if isinstance(part, Not)], places, moment)
            case Exists(variable, inner):
                if variable not in free(inner) and not (self.game.keeps_elements and self.game.start.elements):
                    # All the same, there has to be an element.
                    body.append(self.is_element(self.variable(variable), moment))
                self._add(inner, {**places, variable: self.variable(variable)}, moment, body)
            case Atom() | Equal() | Less():
                body.append(self._literal(formula, places, moment))
            case Not(inner):
                body.append(self._denied(inner, places, moment))
            case Forall(variable, inner):
                body.append(gdl.Not(self.helper(Exists(variable, negation_normal(inner, False)), places, moment)))
            case Or(inner):
                asked, others = self._many_marks(inner)
                if len(asked) == 1 and not others:
                    (name, marks), = asked.items()
                    mark = self.variable("k")
                    fluent = Term(self.cell, (places[name], mark))
                    body.append(self.holds(fluent, moment))
                    body.append(Term(self.marks.among, (Term(self.marks.constant(marks)), mark)))
                else:
                    body.append(self.helper(formula, places, moment))

    def _literal(self, formula: Atom | Equal | Less, places: Places, moment: Moment) -> Term:
        match formula:
            case Atom(relation, args):
                return self.atom(relation, [places[arg] for arg in args], moment)
            case Equal(left, right):
                if moment.change is None or self.game.keeps_elements:
                    self.uses_same = True
                    return Term(self.same, (places[left], places[right]))
                self.uses_same_later = True
                return Term(self.same_later, (moment.change, places[left], places[right]))
            case Less():
                assert self.compare is not None
                return self.compare(formula, places, moment)

    def _denied(self, formula: Formula, places: Places, moment: Moment) -> gdl.Formula:
        if isinstance(formula, Equal):
            return Term("distinct", (places[formula.left], places[formula.right]))
        assert isinstance(formula, Atom | Less)
        return gdl.Not(self._literal(formula, places, moment))

    def helper(self, formula: Formula, places: Places, moment: Moment) -> Term:
        """An atom of a relation of its own that holds where the formula does; formulas that are alike share it."""
        names = sorted(free(formula))
        # Formulas that differ in the names of what is free in them are the same question.
        is_later = moment.change is not None and bool(relations_of(formula) & self.game.changing
                                                    or not self.game.keeps_elements)
        key = (formula, tuple(names), is_later)
        inside: dict[str, Argument] = {name: Variable(f"x{number}") for number, name in enumerate(names)}
        asked = Moment(Variable("m")) if is_later else NOW
        if key not in self._helpers:
            self._helpers[key] = self.symbols.symbol("some")
            self.define(self._head(key, inside, asked), formula, inside, asked)
        return self._head(key, places, moment if is_later else NOW)

    def _head(self, key: tuple[Formula, tuple[str, ...], bool], places: Places, moment: Moment) -> Term:
        args = tuple(places[name] for name in key[1])
        return Term(self._helpers[key], args if moment.change is None else (moment.change, *args))

    def _alternatives(self, formula: Formula) -> list[Formula]:
        """Formulas one of which holds where the formula does, without a disjunction on top where they are few."""
        match formula:
            case Or(inner):
                asked, others = self._many_marks(inner)
                at_once: list[Formula] = [Or(tuple(Atom(mark, (name,)) for mark in marks))
                                          for name, marks in asked.items()]
                return at_once + [alternative for part in others for alternative in self._alternatives(part)]
            case And(inner):
                product: list[tuple[Formula, ...]] = [()]
                for part in inner:
                    choices = self._alternatives(part)
                    if len(product) * len(choices) > _MOST_RULES:
                        choices = [part]
                    product = [(*before, choice) for before in product for choice in choices]
                return [And(parts) for parts in product]
            case Exists(variable, inner):
                return [Exists(variable, part) for part in self._alternatives(inner)]
            case _:
                return [formula]

    def _many_marks(self, formulas: Sequence[Formula]) -> tuple[dict[str, list[str]], list[Formula]]:
        """For elements that many marks are asked of, these marks; and all other formulas."""
        found: dict[str, list[Atom]] = {}
        for formula in formulas:
            if isinstance(formula, Atom) and self.is_mark(formula.relation):
                found.setdefault(formula.args[0], []).append(formula)
        many = {name: atoms for name, atoms in found.items() if len(atoms) >= MANY_MARKS}
        at_once = {atom for atoms in many.values() for atom in atoms}
        return ({name: [atom.relation for atom in atoms] for name, atoms in many.items()},
                [formula for formula in formulas if formula not in at_once])

    def is_mark(self, relation: str) -> bool:
        """Whether a relation is a mark on elements that moves change."""
        return relation in self.game.fluents and self.game.arities[relation] == 1
