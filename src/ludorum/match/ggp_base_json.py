"""Our records as the JSON that GGP-Base writes and the Tiltyard published."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from ludorum.match.record import Record


def to_ggp_base(record: Record) -> dict[str, Any]:
    """A record as other people's viewers and statistics read it.

    Clocks are whole seconds there, times are milliseconds since 1970, and everything goes by the order of the roles.
    The names of roles, and why a player was blamed, are not among the field's own; they come along as `gameRoleNames`
    and in the words of `errors`.
    """
    started = datetime.fromisoformat(record.started).timestamp() * 1000
    blamed = {(error.step, error.role): f"{error.kind}: {error.message}" for error in record.errors}
    fields: dict[str, Any] = {
        "matchId": record.id,
        "startTime": int(started),
        "gameName": record.game,
        "gameRulesheetHash": record.rules_hash,
        "gameRoleNames": record.roles,
        "playerNamesFromHost": [record.players[role] for role in record.roles],
        "previewClock": -1,
        "startClock": _whole(record.start_clock),
        "playClock": _whole(record.play_clock),
        "moves": [[joint[role] for role in record.roles] for joint in record.moves],
        "states": [f"({state})" for state in record.states],
        "stateTimes": [int(started + 1000 * seconds) for seconds in record.state_times],
        "errors": [[blamed.get((step, role), "") for role in record.roles]
                   for step in range(1, len(record.moves) + 1)],
        "isCompleted": record.outcome == "finished",
        "isAborted": record.outcome not in ("playing", "finished"),
        "scrambled": False,
    }
    if record.tournament is not None:
        fields["tournamentNameFromHost"] = record.tournament
    if record.outcome == "finished":
        fields["goalValues"] = [record.goals[role] or 0 for role in record.roles]
    return fields


def _whole(seconds: float | None) -> int:
    return 0 if seconds is None else math.ceil(seconds)
