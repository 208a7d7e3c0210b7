"""Why a player chose a move."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludorum.move import Move, Role


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a search found out before it chose; what it does not know is left empty.

    Values are expected goals of the role that moves, from 0 to 100.
    """

    #: How often each move was tried.
    visits: dict[Move, int] = field(default_factory=dict)
    values: dict[Move, float] = field(default_factory=dict)
    #: Moves whose value is not an estimate but proved.
    proved: frozenset[Move] = frozenset()
    #: The joint moves that it expects, this one first.
    principal_variation: tuple[dict[Role, Move], ...] = ()
    #: How the move was found, in the words of the player: its name, or that of the method that won.
    method: str = ""
    playouts: int = 0
    states: int = 0
    depth: int = 0
    seconds: float = 0.0
