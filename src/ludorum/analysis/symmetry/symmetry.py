"""One symmetry of a game, tabulated: which fluent, move and role takes the place of which."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludorum.analysis.symmetry.automorphisms import Permutation
from ludorum.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class Words:
    """What the numbers of a symmetry stand for."""

    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A permutation under which every game becomes a game that is worth the same (Definition 8.1)."""

    fluents: Permutation
    #: For every role its moves: their numbers among the moves of the role that takes its place.
    moves: tuple[Permutation, ...]
    roles: Permutation

    @property
    def is_identity(self) -> bool:
        return self.keeps_roles and all(_is_identity(images) for images in (self.fluents, *self.moves))

    @property
    def keeps_roles(self) -> bool:
        """Whether it is a state symmetry (Definition 8.2)."""
        return _is_identity(self.roles)

    def keeps(self, fluents: Iterable[int]) -> bool:
        """Whether a state stays the same."""
        held = set(fluents)
        return {self.fluents[fluent] for fluent in held} == held

    def then(self, other: Symmetry) -> Symmetry:
        """This symmetry and after it another one."""
        return Symmetry(
            tuple(other.fluents[image] for image in self.fluents),
            tuple(tuple(other.moves[self.roles[role]][image] for image in images)
                  for role, images in enumerate(self.moves)),
            tuple(other.roles[image] for image in self.roles))

    def described(self, words: Words) -> dict[str, Any]:
        """What moves, in the words of the game, for JSON."""
        moves = {str(role): _moved(of_role, words.moves[image], images) for role, of_role, image, images in
                 zip(words.roles, words.moves, self.roles, self.moves, strict=True)}
        return {"fluents": _moved(words.fluents, words.fluents, self.fluents),
                "moves": {role: moved for role, moved in moves.items() if moved},
                "roles": _moved(words.roles, words.roles, self.roles)}


def identity(words: Words) -> Symmetry:
    return Symmetry(tuple(range(len(words.fluents))), tuple(tuple(range(len(of_role))) for of_role in words.moves),
                    tuple(range(len(words.roles))))


def _whole(symmetry: Symmetry) -> Hashable:
    return symmetry


def generated(generators: Iterable[Symmetry], start: Symmetry, most: int,
              effect: Callable[[Symmetry], Hashable] = _whole) -> tuple[Symmetry, ...] | None:
    """All symmetries that follow from some, the identity `start` first; None if there are more than `most`.

    Of those that have the same effect there is only one.
    """
    generators = tuple(generators)
    group = {effect(start): start}
    new = [start]
    while new:
        element = new.pop()
        for generator in generators:
            product = element.then(generator)
            if (does := effect(product)) not in group:
                if len(group) >= most:
                    return None
                group[does] = product
                new.append(product)
    return tuple(group.values())


def small_group(generators: Iterable[Symmetry], words: Words, most: int,
                effect: Callable[[Symmetry], Hashable] = _whole) -> tuple[Symmetry, ...]:
    """All products of as many of the generators as have no more than `most` effects; the identity is the first."""
    used: list[Symmetry] = []
    group: tuple[Symmetry, ...] = (identity(words),)
    for generator in generators:
        larger = generated([*used, generator], identity(words), most, effect)
        if larger is not None:
            group = larger
            used.append(generator)
    return group


def _is_identity(images: Permutation) -> bool:
    return all(image == number for number, image in enumerate(images))


def _moved(before: Sequence[Term], after: Sequence[Term], images: Permutation) -> Mapping[str, str]:
    pairs = ((str(term), str(after[image])) for term, image in zip(before, images, strict=True))
    return {term: image for term, image in pairs if term != image}
