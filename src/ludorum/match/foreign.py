"""Records of matches that other systems wrote, made records of ours by playing them again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludorum.errors import InvalidRecord, LudorumError
from ludorum.gdl.printing import kif_rule
from ludorum.loading import load
from ludorum.match import record as records
from ludorum.match.record import Record
from ludorum.match.referee import outcome, written
from ludorum.match.trace import of_ggp_base


def read_record(path: Path, game: str | None = None) -> Record:
    """A record of ours, or of the field if the game is named too; raises InvalidRecord or UnknownGame."""
    try:
        content = path.read_bytes()
        data = json.loads(content)
    except OSError as error:
        raise InvalidRecord(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InvalidRecord(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict) or "matchId" not in data:
        return records.decode(content, str(path))
    return of_field(data, game, str(path))


def of_field(data: dict[str, Any], game: str | None, source: str) -> Record:
    """A match that GGP-Base or the Tiltyard wrote down, played again by the rules; raises InvalidRecord."""
    if game is None:
        raise InvalidRecord(f"{source} does not hold the rules of its match; name the game, too")
    loaded = load(game)
    try:
        (walk,) = of_ggp_base(data).walks
        states = [loaded.initial]
        for step in walk:
            if step.joint is not None:
                states.append(states[-1].after(step.joint))
        names = [str(name) for name in data.get("playerNamesFromHost") or loaded.roles]
        roles = list(map(str, loaded.roles))
        moves = [{role: str(move) for role, move in zip(roles, step.joint, strict=True)}
                 for step in walk if step.joint is not None]
    except (KeyError, TypeError, ValueError, LudorumError) as error:
        raise InvalidRecord(f"{source} cannot be followed by the rules of {loaded.name}: {error}") from error
    last = states[-1]
    return Record(
        id=str(data["matchId"])[:100], game=loaded.name, rules_hash=records.hash_of(loaded.rules), roles=roles,
        players=dict(zip(roles, [*names, *roles][:len(roles)], strict=True)), seats={}, start_clock=None,
        play_clock=None, grace=0.0, seed=0, started=records.now(), ended=records.now(),
        outcome="cut" if (stands := outcome(last, len(moves), 10**9)) == "playing" else stands,
        goals={str(role): goal for role, goal in last.goals.items()}, moves=moves,
        times=[dict.fromkeys(roles) for _ in moves], thoughts=[{} for _ in moves], states=list(map(written, states)),
        state_times=[0.0] * len(states), software=records.software(),
        rules=[" ".join(kif_rule(rule).split()) for rule in loaded.rules.rules])
