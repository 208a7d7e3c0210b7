"""What is known of the symmetries of a game, by three ways of looking for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from ludorum.analysis.symmetry.in_play import InPlay
from ludorum.analysis.symmetry.symmetry import Symmetry, Words, generated, identity, small_group
from ludorum.grammar import agree
from ludorum.move import Move
from ludorum.state import State


@dataclass(frozen=True, slots=True)
class Findings:
    """What one way found. Counts are of symmetries other than the identity, and None if they were not found in time."""

    #: "rule graph", "ground program" or "polynomials".
    way: str
    #: Those that keep every role.
    count: int | None = None
    #: Those of them that keep the initial state, too.
    keeping_initial: int | None = None
    #: Those that move roles.
    moving_roles: int | None = None
    #: All that keep roles are made of these.
    generators: tuple[Symmetry, ...] = ()
    #: Together with those, all that move roles are made of these.
    role_generators: tuple[Symmetry, ...] = ()
    #: How many different things those that keep roles do to fluents that make a difference in play, and those of which
    #: they are made.
    in_play: int | None = None
    players: tuple[Symmetry, ...] = ()
    seconds: float = 0.0
    #: What went wrong or was left out, in a few words.
    remark: str = ""

    def __str__(self) -> str:
        if self.count is None:
            return f"{self.way}: {self.remark}"
        return f"{self.way}: {_told(self.count)}" + (f" ({self.remark})" if self.remark else "")


def _told(count: int) -> str:
    # Nobody reads more digits; and the numbers may be too large for a float.
    return f"{count:,}" if count < 10**12 else f"{Decimal(count):.2e}"


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of a game; generators are tabulated on fluents and moves where these are known beforehand."""

    words: Words | None
    by_rules: Findings
    by_ground: Findings
    by_polynomials: Findings
    #: Of every fluent why it makes no difference in play, None if it may make one.
    reasons: InPlay = ()

    @property
    def ways(self) -> tuple[Findings, ...]:
        return self.by_rules, self.by_ground, self.by_polynomials

    @cached_property
    def best(self) -> Findings:
        """What the way found that found most."""
        # The ground program first: of ways that found as many it tells most about what else there is.
        return max((self.by_ground, self.by_polynomials, self.by_rules),
                   key=lambda found: (-1 if found.count is None else found.count, found.moving_roles or 0))

    @property
    def count(self) -> int:
        """How many symmetries keep every role, the identity apart; as far as they were found."""
        return self.best.count or 0

    @property
    def generators(self) -> tuple[Symmetry, ...]:
        return self.best.generators

    @property
    def in_play(self) -> int | None:
        """How many different things they do to what makes a difference in play; None if that is not known."""
        return self.best.in_play

    def for_search(self, most: int, kept: Iterable[int] = ()) -> tuple[Symmetry, ...]:
        """As many as together do no more than `most` different things in play, the identity first.

        What they do in play is a group, unless they are cut: then a part of it that is one. These fluents are kept.
        """
        if self.words is None:
            return ()
        best, kept = self.best, list(kept)
        is_known = best.in_play is not None
        usable = [symmetry for symmetry in (best.players if is_known else best.generators)
                  if all(symmetry.fluents[fluent] == fluent for fluent in kept)]
        matter = [fluent for fluent in range(len(self.words.fluents)) if not (is_known and self.reasons[fluent])]
        return small_group(usable, self.words, most, lambda symmetry: tuple(symmetry.fluents[i] for i in matter))

    def group(self, most: int = 10_000) -> tuple[Symmetry, ...] | None:
        """Every symmetry that keeps the roles, the identity first; None if there are more than `most`."""
        if self.words is None or self.count >= most:
            return None
        return generated(self.generators, identity(self.words), most)

    def of_state(self, state: State, most: int = 10_000) -> tuple[Symmetry, ...] | None:
        """Every symmetry that keeps the roles and leaves this state as it is, the identity first; None if the game has
        more than `most`."""
        group = self.group(most)
        if group is None or self.words is None:
            return None
        numbers = {fluent: number for number, fluent in enumerate(self.words.fluents)}
        held = [numbers[fluent] for fluent in state.fluents]
        return tuple(symmetry for symmetry in group if symmetry.keeps(held))

    def alike_moves(self, state: State, role: str, most: int = 10_000) -> tuple[tuple[Move, ...], ...] | None:
        """The legal moves of a role, those together that symmetries of the state make of each other: one of each is
        enough to be looked at, as the others lead to images of where it leads. None if the game has more than `most`
        symmetries."""
        found = self.of_state(state, most)
        if found is None or self.words is None:
            return None
        number = [str(name) for name in self.words.roles].index(str(role))
        numbers = {Move(name): move for move, name in enumerate(self.words.moves[number])}
        classes: dict[int, list[Move]] = {}
        for move in state.legal(role):
            # Of all images the one with the least number stands for them.
            least = min(symmetry.moves[number][numbers[move]] for symmetry in found)
            classes.setdefault(least, []).append(move)
        return tuple(map(tuple, classes.values()))

    def to_json(self) -> dict[str, Any]:
        def generators(found: tuple[Symmetry, ...]) -> list[dict[str, Any]]:
            return [] if self.words is None else [symmetry.described(self.words) for symmetry in found]

        ways = {found.way.replace(" ", "_"): {"count": found.count, "keeping_initial": found.keeping_initial,
                                              "moving_roles": found.moving_roles, "in_play": found.in_play,
                                              "seconds": round(found.seconds, 3),
                                              "remark": found.remark}
                for found in self.ways}
        return {"count": self.count, "in_play": self.in_play, "keeping_initial": self.best.keeping_initial,
                "moving_roles": self.best.moving_roles, "generators": generators(self.generators),
                "role_generators": generators(self.best.role_generators), "ways": ways}

    def __str__(self) -> str:
        best = self.best
        ways = "; ".join(map(str, self.ways))
        if best.count is None:
            return f"symmetries: {ways}"
        # What counts is what they do to fluents that make a difference; where stones nobody can move change places,
        # there are as many as there are orders of stones.
        counted = best.count if best.in_play is None else best.in_play
        lines = [f"{_told(counted)} {agree(counted, 'symmetry', 'symmetries')} ({ways})"]
        if counted != best.count:
            lines[0] = (f"{_told(counted)} {agree(counted, 'symmetry', 'symmetries')} in play; "
                        f"{_told(best.count)} with what makes no difference there ({ways})")
        if (keeping := best.keeping_initial) is not None:
            lines.append(f"{_told(keeping)} of them {agree(keeping, 'keeps', 'keep')} the initial state")
        if best.moving_roles:
            lines.append(f"{_told(best.moving_roles)} more {agree(best.moving_roles, 'exchanges', 'exchange')} roles")
        return "; ".join(lines)
