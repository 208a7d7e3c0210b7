"""What a game once chose: who was best in the trial before its first move, kept with the hash of its rules.

It is the first guess of the next trial, and decides where there is no time for one. The games of the library come with
what they chose when `make choices` was run; later trials in this user's cache come before that.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ludorum.game import Game


def find_choice(game: Game) -> str | None:
    """Who was best before; None if nobody knows."""
    from ludorum.learn.store import rules_hash

    place = _place(game)
    try:
        if place is not None and place.is_file():
            return str(json.loads(place.read_text(encoding="utf-8"))["choice"])
        text = files("ludorum.library").joinpath("choices.json").read_text(encoding="utf-8")
        shipped: dict[str, Any] = json.loads(text)
        told = shipped.get(rules_hash(game))
        return None if told is None else str(told["choice"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_choice(game: Game, choice: str, told: list[str]) -> None:
    """Remembers who was best; what cannot be kept is not."""
    from ludorum.learn.store import write

    place = _place(game)
    if place is None:
        return
    try:
        write(place, json.dumps({"game": game.name, "choice": choice, "told": told}, indent=1).encode())
    except OSError:
        return


def _place(game: Game) -> Any:
    from ludorum.circuit.cache import folder
    from ludorum.learn.store import rules_hash

    base = folder()
    return None if base is None else base / "choices" / f"{rules_hash(game)}.json"
