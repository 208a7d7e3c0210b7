"""Why a player chose a move: what its search found, as engines tell it (`info` in the protocol of chess engines)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from typing import Any, Literal, get_args

from ludorum.move import Move

#: How a move came about: by a search that was finished, because it is proved to be best or because there is no other,
#: as the best that an unfinished search had found, or without any thought.
Origin = Literal["search", "proved", "only move", "best so far", "any legal"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """What a search found out before it chose; what it does not know is left empty.

    Values are expected goals of the role that moves, from 0 to 100.
    """

    #: How often each move was tried.
    visits: dict[Move, int] = field(default_factory=dict)
    values: dict[Move, float] = field(default_factory=dict)
    #: Moves whose value is not an estimate but proved.
    proved: frozenset[Move] = frozenset()
    #: The joint moves that it expects, this one first.
    principal_variation: tuple[dict[str, Move], ...] = ()
    #: How the move was found, in the words of the player: its name, or that of the method that won.
    method: str = ""
    playouts: int = 0
    states: int = 0
    depth: int = 0
    seconds: float = 0.0
    #: How the move came about, if that is known.
    origin: Origin | None = None


def move_origin(move: Move, choices: int, info: SearchInfo | None) -> Origin:
    """How a move came about that a player chose among so many."""
    if choices == 1:
        return "only move"
    return "proved" if info is not None and move in info.proved else "search"


def as_origin(text: str | None) -> Origin | None:
    """The origin that somebody tells, None if it is none that we know."""
    return next((origin for origin in ORIGINS if origin == text), None)


def as_search_info(told: object) -> SearchInfo | None:
    """What somebody's player says of its thinking, as far as it can be understood; None if it cannot.

    A mapping with the names of the fields will do, and texts for moves. It raises nothing: a player may say what it
    likes, and its match goes on.
    """
    try:
        if isinstance(told, Mapping):
            said: dict[str, Any] = dict(told)
        elif is_dataclass(told) and not isinstance(told, type):
            said = {entry.name: getattr(told, entry.name) for entry in fields(told)}
        else:
            return None
        return SearchInfo(**{name: _READERS[name](value) for name, value in said.items() if name in _READERS})
    except Exception:
        return None


def _move(move: Any) -> Move:
    return move if isinstance(move, Move) else Move(move)


def _number(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{value} is no number to write down")
    return number


_READERS: dict[str, Any] = {
    "visits": lambda told: {_move(move): int(count) for move, count in told.items()},
    "values": lambda told: {_move(move): _number(value) for move, value in told.items()},
    "proved": lambda told: frozenset(map(_move, told)),
    "principal_variation": lambda told: tuple(
        {role: _move(move) for role, move in joint.items()} for joint in told),
    "method": str, "playouts": int, "states": int, "depth": int, "seconds": _number,
    "origin": lambda told: as_origin(told),
}
