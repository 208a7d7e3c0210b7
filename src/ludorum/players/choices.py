"""What a game once chose: who was best in the trial before its first move, kept with the hash of its rules.

It is the first guess of the next trial, and decides where there is no time for one. The games of the library come with
what they chose when `make choices` was run; later trials in this user's cache come before that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from ludorum.game import Game

# What was won before counts for so many matches at most: the machine, the clock and the version may be others.
_MOST_MATCHES = 12.0


@dataclass(frozen=True)
class Choice:
    """Who was best, if anybody knows, and what each that was tried has won, of how many matches."""

    name: str | None = None
    tried: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def before(self, name: str) -> tuple[float, float]:
        """What somebody has won of how many matches, as far as that counts now."""
        won, matches = self.tried.get(name, (0.0, 0.0))
        part = min(1.0, _MOST_MATCHES / matches) if matches else 0.0
        return part * won, part * matches

    def as_json(self) -> dict[str, Any]:
        return {"choice": self.name, "tried": {name: list(told) for name, told in self.tried.items()}}

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Choice:
        tried = {str(name): (float(won), float(matches)) for name, (won, matches) in told["tried"].items()}
        return cls(str(told["choice"]), tried)


def find_choice(game: Game) -> Choice:
    """What a game chose before; nothing if nobody knows."""
    from ludorum.learn.store import rules_hash

    place = _place(game)
    try:
        if place is not None and place.is_file():
            return Choice.of_json(json.loads(place.read_text(encoding="utf-8")))
        text = files("ludorum.library").joinpath("choices.json").read_text(encoding="utf-8")
        shipped: dict[str, Any] = json.loads(text)
        told = shipped.get(rules_hash(game))
        return Choice() if told is None else Choice.of_json(told)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Choice()


def keep_choice(game: Game, choice: Choice) -> None:
    """Remembers who was best; what cannot be kept is not."""
    from ludorum.learn.store import write

    place = _place(game)
    if place is None:
        return
    try:
        write(place, json.dumps({"game": game.name, **choice.as_json()}, indent=1).encode())
    except OSError:
        return


def _place(game: Game) -> Any:
    from ludorum.circuit.cache import folder
    from ludorum.learn.store import rules_hash

    base = folder()
    return None if base is None else base / "choices" / f"{rules_hash(game)}.json"
