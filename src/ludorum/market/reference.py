"""What a market means, computed from its rules as they stand: slow and obviously right.

A tick: if the market is not closed, every trader sends one of its messages or nothing; the maker does one of the things
that are legal then, if there are any; traders are told what is sent to them; the state becomes what `next` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ludorum.errors import IllegalMove
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import Relation, dependencies, relation_of
from ludorum.gdl.graph import closure, component_numbers
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.market.market import Market

Facts = dict[Relation, set[tuple[Term, ...]]]
_Bound = dict[str, Term]

_COMPARED: dict[str, Callable[[int, int], bool]] = {"less": lambda x, y: x < y, "atmost": lambda x, y: x <= y}
_ADDED: dict[str, int] = {"plus": 1, "minus": -1}


@dataclass(frozen=True)
class Moment:
    """The state of a market, and the time."""

    state: frozenset[Term]
    time: int = 0


class Interpreter:
    """Answers for a market by the meaning of its rules alone."""

    def __init__(self, market: Market) -> None:
        self.market = market

    @property
    def start(self) -> Moment:
        """How the market begins, before anybody has a type."""
        return Moment(frozenset(fact[0] for fact in self._ask("init", {})))

    def types(self, trader: Term) -> frozenset[Term]:
        """The types that a trader may have, each as likely as any other."""
        return frozenset(kind for who, kind in self._ask("type", {}) if who == trader)

    def dealt(self, types: Mapping[Term, Term]) -> Moment:
        """How the market begins for traders of these types."""
        return Moment(self.start.state | frozenset(types.values()))

    def is_closed(self, moment: Moment) -> bool:
        return moment.time == self.market.last or bool(self._ask("terminal", _given(moment)))

    def messages(self, moment: Moment, trader: Term) -> frozenset[Term]:
        """What a trader may send; it may always stay silent."""
        return frozenset(message for who, message in self._ask("message", _given(moment)) if who == trader)

    def legal(self, moment: Moment, sent: Mapping[Term, Term]) -> frozenset[Term]:
        """What the maker may do when these messages were received."""
        return frozenset(fact[0] for fact in self._ask("legal", _given(moment, sent)))

    def after(self, moment: Moment, sent: Mapping[Term, Term],
              action: Term | None) -> tuple[Moment, dict[Term, frozenset[Term]]]:
        """The next moment, and what every trader is told; raises IllegalMove."""
        legal = self.legal(moment, sent)
        if (action is None) != (not legal) or (action is not None and action not in legal):
            raise IllegalMove(f"the market maker cannot do {action or 'nothing'} at time {moment.time}")
        given = _given(moment, sent)
        if action is not None:
            given["does", 1] = {(action,)}
        told = self._ask("send", given)
        kept = {fluent for fluent in moment.state if fluent in self._all_types}
        state = frozenset(fact[0] for fact in self._ask("next", given)) | kept
        return (Moment(state, moment.time + 1),
                {trader: frozenset(message for who, message in told if who == trader)
                 for trader in self.market.traders})

    def amounts(self, moment: Moment, word: str = "payoff") -> dict[Term, int | None]:
        """Every trader's payoff, or payment, if the market closes now; None where not exactly one holds."""
        found = self._ask(word, _given(moment))
        by_trader = {trader: [int(amount) for who, amount in found if who == trader] for trader in self.market.traders}
        return {trader: amounts[0] if len(amounts) == 1 else None for trader, amounts in by_trader.items()}

    @cached_property
    def _all_types(self) -> frozenset[Term]:
        return frozenset(kind for _, kind in self._ask("type", {}))

    def _ask(self, word: str, given: Facts) -> set[tuple[Term, ...]]:
        """All that holds of a word, stratum by stratum."""
        questions = [relation for relation in self._heads if relation[0] == word]
        if not questions:
            return set()
        facts: Facts = {relation: set(found) for relation, found in given.items()}
        low, high = self.market.prices
        facts["price", 1] = {(Term(str(number)),) for number in range(low, high + 1)}
        for stratum in self._strata(questions[0]):
            _close(stratum, facts)
        return facts.get(questions[0], set())

    @cached_property
    def _heads(self) -> frozenset[Relation]:
        return frozenset(relation_of(clause.head) for clause in self.market.clauses)

    def _strata(self, question: Relation) -> list[list[Clause]]:
        graph = dependencies(self.market.clauses)
        needed = closure([question], graph)
        order = component_numbers(graph)
        by_number: dict[int, list[Clause]] = {}
        for clause in self.market.clauses:
            if relation_of(clause.head) in needed:
                by_number.setdefault(order[relation_of(clause.head)], []).append(clause)
        return [by_number[number] for number in sorted(by_number)]


def _given(moment: Moment, sent: Mapping[Term, Term] | None = None) -> Facts:
    facts: Facts = {("true", 1): {(fluent,) for fluent in moment.state}, ("time", 1): {(Term(str(moment.time)),)}}
    facts["receive", 2] = {(trader, message) for trader, message in (sent or {}).items()}
    return facts


def _close(clauses: list[Clause], facts: Facts) -> None:
    """Add all that follows by some clauses, until nothing more does."""
    grows = True
    while grows:
        grows = False
        for clause in clauses:
            known = facts.setdefault(relation_of(clause.head), set())
            new = {_ground(clause.head, bound) for bound in _solutions(list(clause.positive), {}, facts)
                   if _is_kept(clause, bound, facts)} - known
            if new:
                known |= new
                grows = True


def _is_kept(clause: Clause, bound: _Bound, facts: Facts) -> bool:
    if any(_resolve(left, bound) == _resolve(right, bound) for left, right in clause.distinct):
        return False
    return not any(next(_matches(atom, bound, facts), None) is not None for atom in clause.negative)


def _solutions(atoms: list[Term], bound: _Bound, facts: Facts) -> Iterator[_Bound]:
    if not atoms:
        yield bound
        return
    # What can be counted is counted as soon as it can be.
    number = next((n for n, atom in enumerate(atoms) if _is_countable(atom, bound)), None)
    if number is None:
        number = next((n for n, atom in enumerate(atoms) if atom.name not in _COMPARED and atom.name not in _ADDED), 0)
    for found in _matches(atoms[number], bound, facts):
        yield from _solutions(atoms[:number] + atoms[number + 1:], found, facts)


def _is_countable(atom: Term, bound: _Bound) -> bool:
    known = sum(isinstance(_resolve(argument, bound), Term) for argument in atom.args)
    return (atom.name in _COMPARED and known == 2) or (atom.name in _ADDED and known >= 2)


def _matches(atom: Term, bound: _Bound, facts: Facts) -> Iterator[_Bound]:
    if atom.name in _COMPARED:
        left, right = (_resolve(argument, bound) for argument in atom.args)
        if _COMPARED[atom.name](int(left), int(right)):
            yield bound
    elif atom.name in _ADDED:
        yield from _sums(atom, bound)
    else:
        for fact in facts.get(relation_of(atom), ()):
            found = dict(bound)
            if all(_match(argument, value, found) for argument, value in zip(atom.args, fact, strict=True)):
                yield found


def _sums(atom: Term, bound: _Bound) -> Iterator[_Bound]:
    sign = _ADDED[atom.name]
    left, right, result = (_resolve(argument, bound) for argument in atom.args)
    if isinstance(result, Variable):
        value, open_place = int(left) + sign * int(right), result
    elif isinstance(right, Variable):
        value, open_place = sign * (int(result) - int(left)), right
    elif isinstance(left, Variable):
        value, open_place = int(result) - sign * int(right), left
    else:
        if int(left) + sign * int(right) == int(result):
            yield bound
        return
    yield {**bound, open_place.name: Term(str(value))}


def _match(pattern: Argument, value: Term, bound: _Bound) -> bool:
    if isinstance(pattern, Variable):
        return bound.setdefault(pattern.name, value) == value
    return pattern.name == value.name and len(pattern.args) == len(value.args) and all(
        isinstance(part, Term) and _match(inner, part, bound)
        for inner, part in zip(pattern.args, value.args, strict=True))


def _resolve(argument: Argument, bound: _Bound) -> Argument:
    return bound.get(argument.name, argument) if isinstance(argument, Variable) else argument


def _ground(head: Term, bound: _Bound) -> tuple[Term, ...]:
    return tuple(part for part in _put(head, bound).args if isinstance(part, Term))


def _put(term: Term, bound: _Bound) -> Term:
    return Term(term.name, tuple(_resolve(part, bound) if isinstance(part, Variable) else _put(part, bound)
                                 for part in term.args))
