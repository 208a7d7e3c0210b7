"""How many rows a condition gives, and what it costs: from what random play met with."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from ludorum.gdl.dependencies import Relation
from ludorum.gdl.terms import Argument, Term
from ludorum.relations.finiteness import Finiteness
from ludorum.relations.forms import Form, leaves_of

#: A relation, a form of its arguments, and which of the leaves are bound.
Pattern = tuple[Relation, tuple[Form, ...], tuple[bool, ...]]
Row = tuple[Term, ...]

# What is assumed of a condition that nobody has seen: values of a free leaf, and steps of a call.
_VALUES = 4.0
_CALL = 30.0
# Nobody knows where a recursion ends that is asked for everything.
_ENDLESS = 1e6
# Steps of a test and of a scan of an index.
_STEP = 1.0
# What never changes is looked up once and kept (see native/relations/code.h); then a row of it takes but so much.
_KEPT = 0.25


@dataclass(frozen=True)
class Estimate:
    """The rows that a condition is expected to give for each row before it, and the steps it takes."""

    rows: float
    cost: float
    #: Steps for each of the rows.
    of_row: float = 1.0
    #: Whether random play met with it.
    is_measured: bool = True


def kept(estimate: Estimate) -> Estimate:
    """The same of a condition on what never changes; what nobody has seen may be too much to be kept."""
    return Estimate(estimate.rows, min(_KEPT, estimate.cost), _KEPT) if estimate.is_measured else estimate


@dataclass
class Estimates:
    """What is known of relations that were computed whole, and of calls."""

    #: Of a set the rows in some states (one list for those that never change).
    extents: Mapping[Relation, Sequence[Sequence[Row]]] = field(default_factory=dict)
    #: Of a call how often it was made, how often computed, the answers it gave and the steps it took.
    calls: Mapping[Pattern, tuple[int, int, int, int]] = field(default_factory=dict)
    #: The calls that the present plans make.
    latest: Container[Pattern] = ()
    #: Of a set that was not kept row by row its mean number of rows.
    sizes: Mapping[Relation, float] = field(default_factory=dict)
    #: Relations that depend on themselves, and which questions are known to end.
    recursive: Container[Relation] = ()
    finiteness: Finiteness | None = None
    _leaves: dict[tuple[Relation, tuple[Form, ...]], list[list[Row]]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], Estimate] = field(default_factory=dict)

    def of_set(self, relation: Relation, form: tuple[Form, ...], leaves: Sequence[Argument],
               bound: tuple[bool, ...]) -> Estimate:
        """A condition on a relation that is computed whole."""
        constants = tuple(leaf if isinstance(leaf, Term) and not leaf.args else None for leaf in leaves)
        key = (relation, form, constants, bound)
        if key not in self._known:
            self._known[key] = self._of_set(relation, form, constants, bound)
        return self._known[key]

    def _of_set(self, relation: Relation, form: tuple[Form, ...], constants: Sequence[Term | None],
                bound: tuple[bool, ...]) -> Estimate:
        states = self._rows(relation, form)
        if states is None:
            size = self.sizes.get(relation, _VALUES ** bound.count(False))
            return Estimate(max(0.1, size / _VALUES ** sum(bound)), 2 * _STEP)
        matching = [[row for row in rows if all(c is None or c == v for c, v in zip(constants, row, strict=True))]
                    for rows in states]
        mean = sum(map(len, matching)) / max(1, len(matching))
        keys = [i for i, is_bound in enumerate(bound) if is_bound and constants[i] is None]
        values = [len({row[i] for rows in states for row in rows}) for i in keys]
        return Estimate(mean / max(1.0, prod(values)), _STEP if all(bound) else 2 * _STEP)

    def of_call(self, pattern: Pattern) -> Estimate:
        """A condition on a relation that is asked with what is bound."""
        if pattern not in self._known:
            self._known[pattern] = self._of_call(pattern)
        return self._known[pattern]

    def _of_call(self, pattern: Pattern) -> Estimate:
        relation, form, bound = pattern
        known = self.calls.get(pattern)
        if known is None or not known[1]:
            similar = [work / calls for (other, _, _), (calls, evaluations, _, work) in self.calls.items()
                       if other == relation and evaluations]
            free = bound.count(False)
            is_endless = free == len(bound) and relation in self.recursive
            if free and (is_endless or not self._is_sure(relation, form, bound)):
                return Estimate(_VALUES ** free, _ENDLESS, is_measured=False)
            return Estimate(_VALUES ** free if free else 0.5, max(min(similar, default=_CALL), _CALL),
                            is_measured=not free)
        calls, evaluations, answers, work = known
        rows = answers / evaluations
        # What it gives is true for ever; what it costs depends on plans that may have become better since.
        cost = work / calls if pattern in self.latest else min(work / calls, _CALL + 3 * rows)
        return Estimate(rows, 2 * _STEP + cost)

    def _is_sure(self, relation: Relation, form: tuple[Form, ...], bound: tuple[bool, ...]) -> bool:
        known, leaf = [], 0
        for part in form:
            width = leaves_of([part])
            known.append(all(bound[leaf:leaf + width]))
            leaf += width
        return self.finiteness is None or self.finiteness.is_sure(relation, tuple(known))

    def _rows(self, relation: Relation, form: tuple[Form, ...]) -> list[list[Row]] | None:
        if relation not in self.extents:
            return None
        if (relation, form) not in self._leaves:
            states = [[leaves for row in rows if (leaves := _leaves(row, form)) is not None]
                      for rows in self.extents[relation]]
            self._leaves[relation, form] = states
        return self._leaves[relation, form]


def _leaves(row: Row, form: Sequence[Form]) -> Row | None:
    """The leaves of a row of this form, None if it has another."""
    found: list[Term] = []
    stack = list(zip(row, form, strict=True))[::-1]
    while stack:
        term, part = stack.pop()
        if part is None:
            found.append(term)
        elif term.name != part[0] or len(term.args) != len(part[1]):
            return None
        else:
            inner = [argument for argument in term.args if isinstance(argument, Term)]
            stack.extend(list(zip(inner, part[1], strict=True))[::-1])
    return tuple(found)
