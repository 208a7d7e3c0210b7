"""Players by name: `mcts:seconds=2,threads=2` is a name with options, as people type it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

from ludorum.errors import UnknownPlayer
from ludorum.players.legal import Legal
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.player import Player
from ludorum.players.random import Random

#: Every player that has a name. Its options are the arguments of its constructor.
NAMED: dict[str, Callable[..., Player]] = {
    "random": Random,
    "legal": Legal,
    "montecarlo": MonteCarlo,
}

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def named(text: str, **defaults: Any) -> Player:
    """The player meant by a text such as `mcts:seconds=2,threads=2`; raises UnknownPlayer.

    `defaults` hold for options that the text does not set and the player has.
    """
    name, _, rest = text.partition(":")
    if name not in NAMED:
        raise UnknownPlayer(f"there is no player {name!r}, only {', '.join(NAMED)}")
    types = options(name)
    chosen = {key: value for key, value in defaults.items() if key in types}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in types:
            known = f"its options are {', '.join(types)}" if types else "it has no options"
            raise UnknownPlayer(f"{name} has no option {key!r}; {known}" if equals else
                                f"{part!r} is no option of {name}: write OPTION=VALUE; {known}")
        chosen[key] = _value(name, key, value, types[key])
    try:
        return NAMED[name](**chosen)
    except ValueError as error:
        raise UnknownPlayer(f"{text}: {error}") from error


def options(name: str) -> dict[str, Any]:
    """The options of a named player with their types."""
    maker = NAMED[name]
    # A class that has no constructor of its own inherits one that takes anything.
    if inspect.isclass(maker) and maker.__init__ is object.__init__:
        return {}
    hints = get_type_hints(maker.__init__ if inspect.isclass(maker) else maker)
    return {parameter: hints[parameter] for parameter in inspect.signature(maker).parameters}


def _value(name: str, key: str, text: str, wanted: Any) -> Any:
    """What a text means as a value of a type; a union is tried from left to right."""
    for kind in get_args(wanted) or (wanted,):
        try:
            if kind is bool:
                return _TRUTHS[text.lower()]
            if kind is type(None):
                if text.lower() == "none":
                    return None
                continue
            return kind(text)
        except (ValueError, KeyError):
            continue
    raise UnknownPlayer(f"{name} cannot have {key}={text}")
