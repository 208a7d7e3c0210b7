"""What is known of the symmetries of a game, by three ways of looking for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludorum.analysis.symmetry.symmetry import Symmetry, Words, generated, identity
from ludorum.grammar import agree


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
    seconds: float = 0.0
    #: What went wrong or was left out, in a few words.
    remark: str = ""

    def __str__(self) -> str:
        if self.count is None:
            return f"{self.way}: {self.remark}"
        return f"{self.way}: {self.count:,}" + (f" ({self.remark})" if self.remark else "")


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of a game; generators are tabulated on fluents and moves where these are known beforehand."""

    words: Words | None
    by_rules: Findings
    by_ground: Findings
    by_polynomials: Findings

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

    def group(self, most: int = 10_000) -> tuple[Symmetry, ...] | None:
        """Every symmetry that keeps the roles, the identity first; None if there are more than `most`."""
        if self.words is None or self.count >= most:
            return None
        return generated(self.generators, identity(self.words), most)

    def to_json(self) -> dict[str, Any]:
        def generators(found: tuple[Symmetry, ...]) -> list[dict[str, Any]]:
            return [] if self.words is None else [symmetry.described(self.words) for symmetry in found]

        ways = {found.way.replace(" ", "_"): {"count": found.count, "keeping_initial": found.keeping_initial,
                                              "moving_roles": found.moving_roles, "seconds": round(found.seconds, 3),
                                              "remark": found.remark}
                for found in self.ways}
        return {"count": self.count, "keeping_initial": self.best.keeping_initial,
                "moving_roles": self.best.moving_roles, "generators": generators(self.generators),
                "role_generators": generators(self.best.role_generators), "ways": ways}

    def __str__(self) -> str:
        best = self.best
        ways = "; ".join(map(str, self.ways))
        if best.count is None:
            return f"symmetries: {ways}"
        lines = [f"{best.count:,} {agree(best.count, 'symmetry', 'symmetries')} ({ways})"]
        if (keeping := best.keeping_initial) is not None:
            lines.append(f"{keeping:,} of them {agree(keeping, 'keeps', 'keep')} the initial state")
        if best.moving_roles:
            lines.append(f"{best.moving_roles:,} more {agree(best.moving_roles, 'exchanges', 'exchange')} roles")
        return "; ".join(lines)
