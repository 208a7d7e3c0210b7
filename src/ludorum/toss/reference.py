"""What games of Toss mean: matches, rewriting and play exactly as they are defined, in plain Python.

Slow, and right by inspection: the tests compare everything else with it.

In the literature: Definitions 1 to 3 of Kaiser, Stafiniak 2011.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from ludorum.errors import GameOver, IllegalMove
from ludorum.toss.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Indicator,
    Less,
    Not,
    Number,
    Or,
    Plus,
    Real,
    Sum,
    Times,
    free,
)
from ludorum.toss.game import Definition, Fact, Game, RewritingRule, Structure

Elements = Mapping[str, str]

# A defined relation of more arguments than this is not computed whole, unless atoms say what its arguments can be.
_MOST_IN_TABLES = 2


@dataclass(frozen=True)
class Position:
    """Where a play is: a structure, a location, and how many moves were made."""

    structure: Structure
    location: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """A move: a rule, the elements matched by its left side in their order, and where play goes on."""

    rule: str
    match: tuple[str, ...]
    to: str


class World:
    """A structure with the defined relations of a game: here formulas have truth values and terms have numbers."""

    def __init__(self, structure: Structure, game: Game) -> None:
        self.structure = structure
        self.arities = game.arities
        self._definitions = game.definitions
        self._recursive = game.recursive
        self._tables: dict[str, Table] = {}
        self._known: dict[Fact, bool] = {}

    def holds(self, formula: Formula, names: Elements) -> bool:
        match formula:
            case Atom(relation, args):
                return self._has(relation, tuple(names[arg] for arg in args))
            case Equal(left, right):
                return names[left] == names[right]
            case Less(small, large):
                return self.value(small, names) < self.value(large, names)
            case Not(inner):
                return not self.holds(inner, names)
            case And(inner):
                return all(self.holds(part, names) for part in inner)
            case Or(inner):
                return any(self.holds(part, names) for part in inner)
            case Exists(variable, inner):
                return any(True for _ in self._solutions(inner, {variable}, _without(names, variable)))
            case Forall(variable, inner):
                return all(self.holds(inner, {**names, variable: element}) for element in self.structure.elements)

    def value(self, term: Real, names: Elements) -> Fraction:
        match term:
            case Number(number):
                return number
            case Plus(terms):
                return sum((self.value(part, names) for part in terms), Fraction(0))
            case Times(terms):
                return prod((self.value(part, names) for part in terms), start=Fraction(1))
            case Indicator(formula):
                return Fraction(self.holds(formula, names))
            case Sum(variable, condition, inner):
                each = ({**names, variable: element} for element in self.structure.elements)
                return sum((self.value(inner, bound) for bound in each if self.holds(condition, bound)), Fraction(0))

    def _has(self, relation: str, args: tuple[str, ...]) -> bool:
        table = self._table(relation)
        if table is not None:
            return args in table.tuples
        if (relation, args) not in self._known:
            definition = self._definitions[relation]
            names = dict(zip(definition.variables, args, strict=True))
            self._known[relation, args] = self.holds(definition.formula, names)
        return self._known[relation, args]

    def _table(self, relation: str) -> Table | None:
        """All that a relation holds of; None for a defined one of many arguments, which is asked tuple by tuple."""
        if relation not in self._tables:
            if relation not in self._definitions:
                self._tables[relation] = Table(self.structure.of(relation))
            elif group := self._recursive[relation]:
                self._find_least(group)
            elif self.arities[relation] > _MOST_IN_TABLES and not _is_bound(
                    self._definitions[relation].formula, set(self._definitions[relation].variables)):
                return None
            else:
                self._tables[relation] = Table(frozenset(self._satisfying(self._definitions[relation])))
        return self._tables[relation]

    def _find_least(self, group: tuple[str, ...]) -> None:
        """The smallest relations that satisfy definitions which depend on each other: grown from nothing."""
        for relation in group:
            self._tables[relation] = Table(frozenset())
        has_grown = True
        while has_grown:
            has_grown = False
            for relation in group:
                new = frozenset(self._satisfying(self._definitions[relation]))
                has_grown |= new != self._tables[relation].tuples
                self._tables[relation] = Table(new)

    def _satisfying(self, definition: Definition) -> Iterator[tuple[str, ...]]:
        for names in self._solutions(definition.formula, set(definition.variables), {}):
            yield tuple(names[variable] for variable in definition.variables)

    def _solutions(self, formula: Formula, wanted: set[str], names: Elements) -> Iterator[dict[str, str]]:
        """The ways to give the wanted names elements so that a formula holds."""
        match formula:
            case Atom(relation, args) if wanted & set(args) and (table := self._table(relation)) is not None:
                for tuple_ in table.that_match(tuple(names.get(arg) for arg in args)):
                    found = dict(zip(args, tuple_, strict=True))
                    if all(found[arg] == element for arg, element in zip(args, tuple_, strict=True)):
                        yield from self._any(wanted - found.keys(), {**names, **found})
            case And((first, *rest)):
                # What the fewest tuples satisfy comes first: it says which elements are worth trying.
                parts = [first, *rest]
                chosen = parts.pop(min(range(len(parts)), key=lambda place: self._size(parts[place], names)))
                inside = wanted & free(chosen)
                for found in self._solutions(chosen, inside, names):
                    yield from self._solutions(And(tuple(parts)), wanted - inside, found)
            case Or(inner):
                for part in inner:
                    yield from self._solutions(part, wanted, names)
            case Exists(variable, inner) if variable not in names and variable not in wanted:
                for found in self._solutions(inner, {*wanted, variable}, names):
                    yield _without(found, variable)
            case _:
                yield from (found for found in self._any(wanted, names) if self.holds(formula, found))

    def _size(self, formula: Formula, names: Elements) -> float:
        """How many tuples satisfy an atom, where that is known."""
        if isinstance(formula, Atom) and (table := self._table(formula.relation)) is not None:
            return len(table.that_match(tuple(names.get(arg) for arg in formula.args)))
        return float("inf")

    def _any(self, wanted: set[str], names: Elements) -> Iterator[dict[str, str]]:
        """Every way to give the wanted names elements."""
        order = sorted(wanted)
        for elements in product(self.structure.elements, repeat=len(order)):
            yield {**names, **dict(zip(order, elements, strict=True))}


class Table:
    """What a relation holds of, by any of the elements."""

    def __init__(self, tuples: frozenset[tuple[str, ...]]) -> None:
        self.tuples = tuples
        self._by_place: dict[int, dict[str, list[tuple[str, ...]]]] = {}

    def that_match(self, known: tuple[str | None, ...]) -> Collection[tuple[str, ...]]:
        """The tuples with these elements, as far as they are known."""
        place = next((place for place, element in enumerate(known) if element is not None), None)
        if place is None:
            return self.tuples
        if place not in self._by_place:
            index = self._by_place[place] = {}
            for tuple_ in self.tuples:
                index.setdefault(tuple_[place], []).append(tuple_)
        return [tuple_ for tuple_ in self._by_place[place].get(known[place] or "", ())
                if all(element in (None, other) for element, other in zip(known, tuple_, strict=True))]


def _is_bound(formula: Formula, wanted: set[str]) -> bool:
    """Whether atoms of a formula say of all wanted names which elements they can be."""
    match formula:
        case Atom(_, args):
            return wanted <= set(args)
        case And(parts):
            return wanted <= {arg for part in parts if isinstance(part, Atom) for arg in part.args}
        case Or(parts):
            return all(_is_bound(part, wanted) for part in parts)
        case Exists(_, inner):
            return _is_bound(inner, wanted)
        case _:
            return False


def _without(names: Elements, variable: str) -> dict[str, str]:
    return {name: element for name, element in names.items() if name != variable}


def matches(rule: RewritingRule, world: World) -> Iterator[dict[str, str]]:
    """The embeddings of a left side: Definition 1."""
    elements = rule.left.elements

    def fits(so_far: dict[str, str], new: str) -> bool:
        # Only what mentions the new element, so that every tuple is looked at once, when its last element is chosen.
        for relation, args in rule.left.facts:
            if new in args and so_far.keys() >= set(args) and not world.holds(Atom(relation, args), so_far):
                return False
        return all((relation, args) in rule.left.facts or (relation, args) in rule.left.optional
                   or not world.holds(Atom(relation, args), so_far)
                   for relation, args in _tuples(rule, so_far, new, world))

    def extend(so_far: dict[str, str], left: tuple[str, ...]) -> Iterator[dict[str, str]]:
        if not left:
            yield so_far
            return
        for element in world.structure.elements:
            if element not in so_far.values():
                more = {**so_far, left[0]: element}
                if fits(more, left[0]):
                    yield from extend(more, left[1:])

    nullary = [(relation, args) for relation, args in rule.left.facts if not args]
    exact = [relation for relation in rule.embedded if world.arities[relation] == 0]
    if all(world.holds(Atom(relation, args), {}) for relation, args in nullary) and all(
            (relation, ()) in rule.left.facts | rule.left.optional or not world.holds(Atom(relation, ()), {})
            for relation in exact):
        yield from extend({}, elements)


def _tuples(rule: RewritingRule, names: Mapping[str, str], new: str, world: World) -> Iterator[Fact]:
    """The tuples of exactly embedded relations over these elements of a left side that mention a new one."""
    for relation in rule.embedded:
        for args in product(names, repeat=world.arities[relation]):
            if new in args:
                yield relation, args


def rewrite(rule: RewritingRule, found: Elements, structure: Structure, step: int) -> tuple[Structure, dict[str, str]]:
    """The structure with the right side in place of a match, and what its elements are called there: Definition 2.

    A copy of an element that lives on as another, and an element that replaces none, get names of their own.
    """
    survivor = {new: found[old] for old, new in rule.survivors.items()}
    called = {new: survivor.get(new, f"{new}@{step}") for new in rule.right.elements}
    outside = [element for element in structure.elements if element not in found.values()]
    # What each element of the old structure is replaced by: itself outside of the match.
    becomes: dict[str, list[str]] = {element: [element] for element in outside}
    for new, old in rule.replaces.items():
        becomes.setdefault(found[old], []).append(called[new])
    facts = {(relation, tuple(called[arg] for arg in args)) for relation, args in rule.right.facts}
    for relation, args in structure.facts:
        if relation not in rule.embedded or any(arg in outside for arg in args):
            facts |= {(relation, new) for new in product(*(becomes.get(arg, []) for arg in args))}
    kept = set(called.values())
    elements = [element for element in structure.elements if element in kept or element in outside]
    elements += [name for name in called.values() if name not in elements]
    return Structure(tuple(elements), frozenset(facts)), called


class Reference:
    """A game of Toss as it is defined: Definition 3."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.initial = Position(game.start, game.first)

    def choices(self, position: Position) -> list[Choice]:
        """What the player of the location may do; nothing where the play has ended."""
        world = self._world(position.structure)
        found = []
        for edge in self.game.locations[position.location].edges:
            rule = self.game.rules[edge.rule]
            for names in matches(rule, world):
                if world.holds(rule.pre, names) and self._holds_after(rule, names, position):
                    found.append(Choice(rule.name, tuple(names[element] for element in rule.left.elements), edge.to))
        return list(dict.fromkeys(found))

    def _holds_after(self, rule: RewritingRule, names: Elements, position: Position) -> bool:
        if rule.post == And(()):
            return True
        structure, called = rewrite(rule, names, position.structure, position.step)
        return self._world(structure).holds(rule.post, called)

    def after(self, position: Position, choice: Choice) -> Position:
        """The position after a choice; raises GameOver or IllegalMove."""
        legal = self.choices(position)
        if not legal:
            raise GameOver(f"no rule can be applied at location {position.location}")
        if choice not in legal:
            raise IllegalMove(f"{choice.rule} cannot be applied to {', '.join(choice.match)}")
        rule = self.game.rules[choice.rule]
        names = dict(zip(rule.left.elements, choice.match, strict=True))
        structure, _ = rewrite(rule, names, position.structure, position.step)
        return replace(position, structure=structure, location=choice.to, step=position.step + 1)

    def payoffs(self, position: Position) -> dict[str, Fraction]:
        """What the location's payoff terms come to."""
        world = self._world(position.structure)
        terms = self.game.locations[position.location].payoffs
        return {player: world.value(terms[player], {}) for player in self.game.players}

    def _world(self, structure: Structure) -> World:
        return World(structure, self.game)
