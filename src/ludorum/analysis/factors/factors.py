"""Games that are really several games: what belongs to which, and how they come together again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ludorum.gdl.terms import Term

#: How moves of the parts make a move of the game: one in every part at once, or one in a single part.
Combination = Literal["product", "choice"]

_OF_THEM = {"any": "any of them", "all": "all of them", "mixed": "several of them together"}


@dataclass(frozen=True, slots=True)
class Option:
    """What a role can do to one part of a game while its clock shows something."""

    #: A move that does it, whatever it does elsewhere.
    move: int
    #: All moves that do it.
    moves: frozenset[int]
    #: Literals that hold where it is legal, as far as this part is concerned.
    condition: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """What can be done while the clock shows a certain time: by role and part the options."""

    options: tuple[tuple[tuple[Option, ...], ...], ...]
    combination: Combination


@dataclass(frozen=True, slots=True)
class Factor:
    """A part of a game that no other part has an effect on; fluents and moves by their numbers."""

    fluents: tuple[int, ...]
    #: For every role the moves that matter to this part.
    moves: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Factors:
    """The parts of a game. One part, or none, means that it could not be taken apart; `why` says so in a sentence."""

    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    roles: tuple[Term, ...]
    factors: tuple[Factor, ...]
    #: Fluents that change by themselves, such as whose turn it is, and belong to all parts.
    clock: tuple[int, ...]
    combination: Combination | None
    #: "any", "all" or "mixed": whether the game is over with its first part, with its last, or otherwise.
    terminal: str
    #: For every role likewise, whether its highest goal needs any part or all of them.
    goals: tuple[str, ...]
    why: str
    seconds: float = 0.0
    #: Whether it is known that it is one game, or that it is several.
    is_settled: bool = True

    @property
    def are_several(self) -> bool:
        return len(self.factors) > 1

    def __str__(self) -> str:
        if not self.are_several:
            return f"one game: {self.why}" if self.is_settled else self.why
        together = "all at once" if self.combination == "product" else "one at a time"
        sizes = " + ".join(str(len(factor.fluents)) for factor in self.factors)
        won = f"won by {_OF_THEM[self.goals[0]]}" if len(set(self.goals)) == 1 else ", ".join(
            f"won for {role} by {_OF_THEM[goal]}" for role, goal in zip(self.roles, self.goals, strict=True))
        return (f"{len(self.factors)} games played {together} ({sizes} fluents); "
                f"over with {_OF_THEM[self.terminal]}, {won}")

    def to_json(self) -> dict[str, Any]:
        def words(numbers: Iterable[int]) -> list[str]:
            return [str(self.fluents[number]) for number in numbers]

        return {
            "count": len(self.factors), "combination": self.combination, "terminal": self.terminal,
            "goals": {str(role): goal for role, goal in zip(self.roles, self.goals, strict=True)},
            "clock": words(self.clock), "why": self.why, "seconds": round(self.seconds, 3),
            "factors": [{"fluents": words(factor.fluents),
                         "moves": {str(role): [str(moves[number]) for number in numbers] for role, moves, numbers in
                                   zip(self.roles, self.moves, factor.moves, strict=True)}}
                        for factor in self.factors]}
