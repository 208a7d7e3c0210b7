"""Which relations of a game the rules of a ground program belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludorum.asp.encoding import decode
from ludorum.gdl.clauses import Clause
from ludorum.gdl.dependencies import Relation, relation_of, users
from ludorum.gdl.names import made


def by_relation(sizes: Mapping[str, int], clauses: Sequence[Clause]) -> dict[str, int]:
    """Numbers of ground rules by name/arity, the largest first.

    They come by clingo's names. The rules of a relation that is not in the rulesheet, such as a part of a rule that was
    split off, are counted for the first relation that is and uses it.
    """
    used_by = users(clauses)
    order = {relation: number for number, relation in enumerate(dict.fromkeys(relation_of(c.head) for c in clauses))}
    found: dict[str, int] = {}
    for text, count in sizes.items():
        name, _, arity = text.rpartition("/")
        relation = _owner((decode(name).name, int(arity)), used_by, order)
        found[f"{relation[0]}/{relation[1]}"] = found.get(f"{relation[0]}/{relation[1]}", 0) + count
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _owner(relation: Relation, used_by: Mapping[Relation, set[Relation]], order: Mapping[Relation, int]) -> Relation:
    """The first relation of the rulesheet that this one serves, which may be itself."""
    seen = {relation}
    level = [relation]
    while level:
        own = [other for other in level if made(other[0]) is None]
        if own:
            return min(own, key=lambda other: order.get(other, len(order)))
        level = [user for other in level for user in used_by.get(other, ()) if user not in seen]
        seen.update(level)
    return relation
