"""Who sits where, from what the page says: people, engines of a level or with seconds, and HTTP players."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ludorum.errors import LudorumError, Refusal
from ludorum.gdl.words import RANDOM
from ludorum.players import NAMED, named
from ludorum.protocol.client import is_address

#: What the seat of a person is called in a record.
PERSON = "person"
#: How many levels there are; at each the engine looks at four times as much as at the one below.
LEVELS = 9
_LONGEST_THINKING_S = 60.0
# By level; there is no level 0.
_PLAYOUTS = [4**level for level in range(LEVELS + 1)]
_LEVEL = re.compile(r"mcts:playouts=(\d+)")
_SECONDS = re.compile(r"ludorum:seconds=([\d.]+)")


def seat_spec(told: Any, *, allows_remote: bool) -> str:
    """How records write a seat: `{"kind": "level", "level": 4}` is `mcts:playouts=256`; raises Refusal."""
    match told:
        case {"kind": "person"}:
            return PERSON
        case {"kind": "level", "level": int(level)} if 1 <= level <= LEVELS:
            return f"mcts:playouts={4**level}"
        case {"kind": "seconds", "seconds": int(seconds) | float(seconds)} if 0 < seconds <= _LONGEST_THINKING_S:
            return f"ludorum:seconds={seconds:g}"
        case {"kind": "player", "player": str(text)}:
            return _named(text)
        case {"kind": "http", "address": str(address)} if is_address(address) and len(address) < 500:
            if not allows_remote:
                raise Refusal(403, "no-remote-players", "this server does not speak to players elsewhere")
            return address
    raise Refusal(400, "bad-seat", "a seat is for a person, an engine with a level from 1 to "
                                   f"{LEVELS} or up to {_LONGEST_THINKING_S:g} seconds, or the address of a player")


def seat_described(role: str, spec: str | None) -> dict[str, Any]:
    """A seat as the page shows it: the other way round."""
    if spec is None or role == RANDOM:
        return {"kind": "chance", "name": "chance"}
    if spec == PERSON:
        return {"kind": "person", "name": "person"}
    if (found := _LEVEL.fullmatch(spec)) and int(found[1]) in _PLAYOUTS:
        level = _PLAYOUTS.index(int(found[1]))
        return {"kind": "level", "level": level, "name": f"engine, level {level}"}
    if found := _SECONDS.fullmatch(spec):
        return {"kind": "seconds", "seconds": float(found[1]), "name": f"engine, {found[1]} s"}
    if is_address(spec):
        return {"kind": "http", "address": spec, "name": spec}
    return {"kind": "player", "player": spec, "name": spec}


def seating(roles: list[str], told: Any, *, allows_remote: bool) -> dict[str, str]:
    """By role the seats of a new match.

    `told` names a seat by role, or says in a word who plays: the person the `first` role and the engine all others, the
    `second`, people `all` of them, or `none`.
    """
    people = [role for role in roles if role != RANDOM]
    engine = seat_spec({"kind": "seconds", "seconds": 1}, allows_remote=False)
    if isinstance(told, Mapping):
        strange = [str(role)[:50] for role in told if role not in people]
        if strange:
            raise Refusal(400, "bad-seat", f"there is no seat for {strange[0]}")
        return {role: seat_spec(told.get(role, {"kind": "person"}), allows_remote=allows_remote) for role in people}
    match told:
        case None | "first":
            seated = {0}
        case "second":
            seated = {min(1, len(people) - 1)}
        case "all":
            seated = set(range(len(people)))
        case "none":
            seated = set()
        case _:
            raise Refusal(400, "bad-seat", "who plays is first, second, all, none, or a seat for every role")
    return {role: PERSON if number in seated else engine for number, role in enumerate(people)}


def _named(text: str) -> str:
    """A player by its name with options; never one of somebody's module, which would be imported."""
    if text.partition(":")[0] not in NAMED:
        raise Refusal(400, "bad-seat", f"there is no such player, only {', '.join(NAMED)}")
    if re.search(r"[^a-z0-9_:=.,]", text) or len(text) > 200:
        raise Refusal(400, "bad-seat", "that is no player with options")
    try:
        named(text)
    except LudorumError as error:
        raise Refusal(400, "bad-seat", str(error)) from error
    return text
