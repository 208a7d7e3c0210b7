"""Negative cycles: atoms that depend on their own negation, for which the rules say nothing definite."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.gdl.graph import component_numbers, path_to


def negative_cycle(heads: Sequence[int], bodies: Sequence[tuple[int, ...]]) -> list[int] | None:
    """The atoms of a shortest cycle through a negation, in the order of dependence; None if there is none."""
    depends: dict[int, set[int]] = {}
    for head, body in zip(heads, bodies, strict=True):
        depends.setdefault(head, set()).update(literal if literal >= 0 else ~literal for literal in body)
    component = component_numbers(depends)
    for head, body in zip(heads, bodies, strict=True):
        for literal in body:
            if literal < 0 and component.get(~literal) == component[head]:
                path = path_to(depends, ~literal, {head})
                assert path is not None, "both are in one component"
                return [head, *path[:-1]]
    return None
