"""Which relation puts the values of an argument in order."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.analysis.statics import StaticRelation
from ludorum.analysis.structures.tables import Table
from ludorum.gdl.domains import Domains, Place
from ludorum.gdl.terms import Term


def orders(table: Table, relations: Sequence[StaticRelation], domains: Domains) -> tuple[StaticRelation | None, ...]:
    """For every column the relation that counts or compares its values, if variables lead from one to the other."""
    return tuple(_best(table.values[column], [
        relation for relation in relations
        if domains.link(place) in {domains.link(Place("relation", relation.name, 2, i)) for i in (1, 2)}
    ]) for column, place in enumerate(table.places))


def loose_orders(table: Table, relations: Sequence[StaticRelation],
                 domains: Domains) -> tuple[StaticRelation | None, ...]:
    """The same where the values need only be of one domain.

    Coordinates are often written as numbers that no variable takes to the relation that counts them; but then any
    numbers are, and only of coordinates is it worth believing.
    """
    return tuple(_best(table.values[column], [
        relation for relation in relations if domains.same(place, Place("relation", relation.name, 2, 1))
    ]) for column, place in enumerate(table.places))


def _best(values: frozenset[Term], relations: Sequence[StaticRelation]) -> StaticRelation | None:
    fitting = [relation for relation in relations if len(values) > 1 and values <= relation.things]
    # In line before in branches and in circles, by counting before by comparing, and as little else as possible; what
    # is left is decided by the order of the source, never by names.
    return min(fitting, default=None, key=lambda relation: (
        relation.in_order(values) is None, relation.is_cyclic, not relation.is_successor,
        len(relation.things - values)))
