"""What the groups of a graph say about the symmetries of a game: how many there are, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ludorum.analysis.symmetry.automorphisms import Graph, Group, Permutation, automorphisms
from ludorum.analysis.symmetry.in_play import InPlay
from ludorum.analysis.symmetry.symmetries import Findings
from ludorum.analysis.symmetry.symmetry import Symmetry, Words, generated, identity
from ludorum.clock import Budget

LATE = "not found within the budget"
#: A group up to this size is counted one by one.
COUNTED = 2_000


def groups_of(graph: Graph, colourings: list[list[object]], budget: Budget) -> list[Group]:
    return automorphisms(graph, colourings, budget)


def findings(way: str, groups: list[Group], tabulate: Callable[[Permutation], Symmetry | None] | None,
             words: Words | None) -> Findings | None:
    """What groups say: of what nobody can see, of the symmetries that keep roles, and of all.

    None if a symmetry leads out of the fluents and moves that there are.
    """
    if len(groups) < 2:
        return Findings(way, remark=LATE)
    hidden, keeping, *rest = groups
    count = keeping.order // hidden.order - 1
    moving = rest[0].order // hidden.order - 1 - count if rest else None
    if tabulate is None or words is None:
        return Findings(way, count, moving_roles=moving)
    generators = {tabulate(permutation) for permutation in keeping.generators}
    of_roles = {tabulate(permutation) for permutation in (rest[0].generators if rest else ())}
    if None in generators | of_roles:
        return None
    kept = in_order(symmetry for symmetry in generators if symmetry and not symmetry.is_identity)
    moved = in_order(symmetry for symmetry in of_roles if symmetry and not symmetry.keeps_roles)
    if count < COUNTED:
        group = generated(kept, identity(words), count + 1)
        if group is not None and len(group) <= count:
            # Some automorphisms exchange symbols without any fluent or move being touched by it.
            moving = None if moving is None else (moving // (count + 1)) * len(group)
            count = len(group) - 1
    return Findings(way, count, moving_roles=moving, generators=kept, role_generators=moved)


def with_initial(found: Findings, held: list[int], words: Words) -> Findings:
    """The findings with how many keep the fluents of the initial state, where that can be told without a graph."""
    if found.count is None:
        return found
    if all(symmetry.keeps(held) for symmetry in found.generators):
        return replace(found, keeping_initial=found.count)
    group = generated(found.generators, identity(words), COUNTED) if found.count < COUNTED else None
    return found if group is None else replace(found, keeping_initial=sum(map(_keeping(held), group)) - 1)


def with_play(found: Findings, reasons: InPlay, words: Words) -> Findings:
    """The findings with what the symmetries do in play, where that can be told without a graph."""
    if found.count is None or not reasons:
        return found

    def is_alike(symmetry: Symmetry) -> bool:
        return all(reasons[image] == reason for image, reason in zip(symmetry.fluents, reasons, strict=True))

    usable = found.generators
    if not all(map(is_alike, usable)):
        group = generated(usable, identity(words), COUNTED) if found.count < COUNTED else None
        if group is None:
            return found
        usable = tuple(filter(is_alike, group))
    matter = [fluent for fluent, reason in enumerate(reasons) if reason is None]

    def effect(symmetry: Symmetry) -> Permutation:
        return tuple(symmetry.fluents[fluent] for fluent in matter)

    different = {effect(symmetry): symmetry for symmetry in usable}
    different.pop(tuple(matter), None)
    players = in_order(different.values())
    effects = generated(players, identity(words), COUNTED, effect)
    return found if effects is None else replace(found, in_play=len(effects) - 1, players=players)


def in_order(symmetries: Iterable[Symmetry]) -> tuple[Symmetry, ...]:
    return tuple(sorted(symmetries, key=lambda symmetry: (symmetry.fluents, symmetry.moves)))


def _keeping(held: list[int]) -> Callable[[Symmetry], bool]:
    return lambda symmetry: symmetry.keeps(held)
