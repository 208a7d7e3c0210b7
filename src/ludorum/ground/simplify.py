"""Ground rules without what is already decided.

Where relations depend on each other clingo hands over rules before it knows which atoms are facts and
which head no rule; here both are propagated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable

Rules = list[tuple[int, tuple[int, ...]]]


def simplify(heads: list[int], bodies: list[tuple[int, ...]],
             inputs: Iterable[int]) -> tuple[list[int], list[tuple[int, ...]], set[int]]:
    """The rules without decided literals, and the facts.

    An atom is a fact if a rule without a body heads it, and false if it heads no rule and is no input; a rule with
    a false condition is dropped, a true condition is left out, and a fact heads no rule.
    """
    inputs = set(inputs)
    facts = {head for head, body in zip(heads, bodies, strict=True) if not body}
    while True:
        defined = inputs.union(heads)
        mentioned = {literal if literal >= 0 else ~literal for literal in set().union(*bodies)}
        false = mentioned - defined
        if not false and not facts & mentioned and not facts.intersection(heads):
            return heads, bodies, facts
        true_literals = facts | {~atom for atom in false}
        false_literals = false | {~atom for atom in facts}
        kept_heads: list[int] = []
        kept_bodies: list[tuple[int, ...]] = []
        for head, body in zip(heads, bodies, strict=True):
            if head in facts or not false_literals.isdisjoint(body):
                continue
            if not true_literals.isdisjoint(body):
                body = tuple(literal for literal in body if literal not in true_literals)
                if not body:
                    facts.add(head)
                    continue
            kept_heads.append(head)
            kept_bodies.append(body)
        heads, bodies = kept_heads, kept_bodies
