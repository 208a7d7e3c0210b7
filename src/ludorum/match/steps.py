"""Matches to step through on a page: their states as text, each picture once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludorum.draw import draw
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.loading import load
from ludorum.match.record import Record

#: A page with more states than that is slow to load.
MOST_STATES = 5_000


def stepped(records: Sequence[Record]) -> dict[str, Any]:
    """The first matches that fit on a page: `pictures`, and `matches` whose states are numbers of pictures."""
    pictures: dict[str, int] = {}
    games: dict[str, Game | None] = {}
    drawn: dict[tuple[str, str], int] = {}
    matches = []
    left = MOST_STATES
    for record in records:
        left -= len(record.states)
        if left < 0:
            break
        if record.rules_hash not in games:
            games[record.rules_hash] = _game(record)
        states = []
        for state in record.states:
            key = record.rules_hash, state
            if key not in drawn:
                picture = _picture(games[record.rules_hash], state)
                drawn[key] = pictures.setdefault(picture, len(pictures))
            states.append(drawn[key])
        matches.append({
            "title": f"{record.game}: {', '.join(f'{role} {player}' for role, player in record.players.items())}",
            "moves": [", ".join(f"{role} {move}" for role, move in joint.items()) for joint in record.moves],
            "states": states,
            "end": str(record),
        })
    return {"pictures": list(pictures), "matches": matches}


def _game(record: Record) -> Game | None:
    try:
        return load(record.text, name=record.game)
    except LudorumError:
        return None


def _picture(game: Game | None, state: str) -> str:
    """A state as it is drawn; its fluents, one a line, where the game cannot be loaded any more."""
    if game is None:
        return state.replace(") (", ")\n(")
    return draw(game.state(state), brief=True)
