"""What a player answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ludorum.errors import InvalidMessage, InvalidTerm
from ludorum.move import Move
from ludorum.protocol.lists import elements, expressions, is_list, shown

READY = "READY"
BUSY = "BUSY"
DONE = "DONE"
ABORTED = "ABORTED"


@dataclass(frozen=True, slots=True)
class Status:
    """The answer to INFO: what the player is called, and whether it would start a match now."""

    name: str
    status: Literal["available", "busy"] = "available"

    def __str__(self) -> str:
        # What would end the list, or start another, is left out.
        name = " ".join(re.split(r'[();|"\s]+', self.name)).strip()
        return f"((name {name}) (status {self.status}))"


def parse_status(reply: str) -> Status:
    """The status in an answer to INFO: a list of pairs, or as older players say it, the status alone."""
    found = list(expressions(reply))
    fields = {"status": reply.strip()}
    if len(found) == 1 and is_list(found[0]):
        pairs = [elements(part) for part in elements(found[0]) if is_list(part)]
        fields = {pair[0].lower(): " ".join(pair[1:]).strip('"|') for pair in pairs if pair}
    status = fields.get("status", "available").lower()
    if status not in ("available", "busy"):
        raise InvalidMessage(f"{shown(reply)} is no answer to INFO")
    return Status(fields.get("name", ""), "busy" if status == "busy" else "available")


def parse_move(reply: str) -> Move:
    """The move in an answer to PLAY; explanations and taunts after it are let pass. Raises InvalidMessage."""
    try:
        first = next(expressions(reply), None)
        if first is None:
            raise InvalidMessage("it is empty")
        return Move(first)
    except (InvalidTerm, InvalidMessage) as error:
        raise InvalidMessage(f"{shown(reply)} is no move: {error}") from error
