"""What can ever stand at the arguments of relations and functions: what rules put there, and nothing else.

In the literature: the directed domain graph (Schiffel's thesis, section 7.4.2). Every answer is an upper bound, so that
what is called impossible is impossible in every match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludorum.gdl.guards import ROLE, Position, places
from ludorum.gdl.rulesheet import And, Formula, Or, Rule
from ludorum.gdl.terms import Term, Variable

#: A constant, or a function by its number of arguments.
Symbol = tuple[str, int]

#: Each of these positions, or where a set of them is told, these together, have every value that a variable can take.
Bounds = Sequence[Position | frozenset[Position]]


def symbol(term: Term) -> Symbol:
    return term.name, len(term.args)


@dataclass(frozen=True, slots=True)
class _Flow:
    """What a variable carries from the body of a rule to its head."""

    target: Position
    bounds: Bounds


class Possible:
    """The values of every argument position, by the symbols they start with."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._values: dict[Position, set[Symbol]] = defaultdict(set)
        self._open: set[Position] = set()
        flows: dict[Position, list[_Flow]] = defaultdict(list)
        for rule in rules:
            bounds = bounds_of(rule.body)
            for position, value in places(rule.head):
                if position == ROLE and rule.head.name != "role":
                    # Whoever is said to have a move is no role for that.
                    continue
                if isinstance(value, Term):
                    self._values[position].add(symbol(value))
                elif value.name in bounds:
                    flow = _Flow(position, bounds[value.name])
                    for source in flow.bounds:
                        for single in source if isinstance(source, frozenset) else (source,):
                            flows[single].append(flow)
                else:
                    self._open.add(position)
        self._propagate(flows)

    def _propagate(self, flows: dict[Position, list[_Flow]]) -> None:
        changed = dict.fromkeys([*self._values, *self._open])
        while changed:
            source, _ = changed.popitem()
            for flow in flows.get(source, ()):
                if flow.target in self._open:
                    continue
                values = self.common(flow.bounds)
                if values is None:
                    self._open.add(flow.target)
                elif values <= self._values[flow.target]:
                    continue
                else:
                    self._values[flow.target] |= values
                changed[flow.target] = None

    def of(self, position: Position) -> frozenset[Symbol] | None:
        """What can stand there; None if that can be anything."""
        return None if position in self._open else frozenset(self._values.get(position, ()))

    def common(self, bounds: Bounds) -> set[Symbol] | None:
        """What every one of the bounds allows; None if that can be anything."""
        limits = []
        for bound in bounds:
            if not isinstance(bound, frozenset):
                if bound not in self._open:
                    limits.append(self._values.get(bound, set()))
            elif bound.isdisjoint(self._open):
                limits.append(set[Symbol]().union(*(self._values.get(position, ()) for position in bound)))
        return set.intersection(*limits) if limits else None


def bounds_of(body: Iterable[Formula]) -> dict[str, Bounds]:
    """Where variables get their values from, wherever the conjunction of these formulas holds."""
    found: dict[str, list[Position | frozenset[Position]]] = {}
    for formula in body:
        if isinstance(formula, Term):
            if formula.name == "distinct":
                continue
            for position, value in places(formula):
                if isinstance(value, Variable):
                    found.setdefault(value.name, []).append(position)
        elif isinstance(formula, And):
            for name, bounds in bounds_of(formula.formulas).items():
                found.setdefault(name, []).extend(bounds)
        elif isinstance(formula, Or) and formula.formulas:
            alternatives = [bounds_of([alternative]) for alternative in formula.formulas]
            for name in set.intersection(*map(set, alternatives)):
                found.setdefault(name, []).append(frozenset().union(*(
                    bound if isinstance(bound, frozenset) else [bound]
                    for bound in (bounds[name][0] for bounds in alternatives))))
    return dict(found)
