"""What a search found out: of a move, and of a game."""

from __future__ import annotations

from dataclasses import dataclass

from ludorum.move import Move


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What a search knows of a move, in expected goals of the role that makes it, from 0 to 100."""

    value: float
    #: What is proved: whatever others do, the value is between these.
    lower: float
    upper: float
    #: How often a tree search tried it.
    visits: int = 0
    #: Whether alpha-beta found the value itself; else the move is no better than this.
    is_exact: bool = True

    @property
    def is_proved(self) -> bool:
        return self.lower == self.upper


@dataclass(frozen=True, slots=True)
class GameValues:
    """What a state is worth to every role if all play as well as can be.

    In the literature: the game-theoretic value; a state is then weakly solved (Allis 1994).
    """

    #: Not of `random`, which wants nothing.
    values: dict[str, float]
    #: Joint moves to the end of the game that bring these values.
    principal_variation: tuple[dict[str, Move], ...]
    #: "alpha-beta", "single-player", "max^n", or "factors" where the parts of a game were solved apart.
    method: str
    states: int
    #: What the values rest on beside the rules, in sentences; empty where they are beyond doubt.
    assumes: tuple[str, ...] = ()
    seconds: float = 0.0
