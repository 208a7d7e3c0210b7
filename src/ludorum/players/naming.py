"""Players by name: `mcts:seconds=2,threads=2` is a name with options, as people type it.

Anybody's player has a name too, that of its module and class: `bots:Bouton`, and with options `bots:Bouton:seed=3`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import os
import re
import sys
from collections.abc import Callable
from typing import Any, cast, get_args, get_type_hints

from ludorum.errors import UnknownPlayer
from ludorum.players.equilibrium import Equilibrium
from ludorum.players.flux import Flux
from ludorum.players.greedy import Greedy
from ludorum.players.hyperplay import HyperPlay
from ludorum.players.hyperplay2 import HyperPlay2
from ludorum.players.ismcts import ISMCTS
from ludorum.players.legal import Legal
from ludorum.players.legal2 import Legal2
from ludorum.players.ludorum import Ludorum
from ludorum.players.mcts import MCTS, Cadia
from ludorum.players.minimax import Minimax
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.pimc import PIMC
from ludorum.players.player import AnyPlayer
from ludorum.players.random import Random
from ludorum.players.solver import Solver
from ludorum.players.toss import Toss
from ludorum.players.traders import ZI, Truthful

#: Every player that has a name. Its options are the arguments of its constructor.
NAMED: dict[str, Callable[..., AnyPlayer]] = {
    "random": Random,
    "legal": Legal,
    "legal2": Legal2,
    "greedy": Greedy,
    "minimax": Minimax,
    "flux": Flux,
    "toss": Toss,
    "montecarlo": MonteCarlo,
    "mcts": MCTS,
    "cadia": Cadia,
    "solver": Solver,
    "equilibrium": Equilibrium,
    "hyperplay": HyperPlay,
    "hyperplay2": HyperPlay2,
    "pimc": PIMC,
    "ismcts": ISMCTS,
    "truthful": Truthful,
    "zi": ZI,
    "ludorum": Ludorum,
}

_NOUNS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text",
                          type(None): "none"}
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def named(text: str, **defaults: Any) -> AnyPlayer:
    """The player meant by a text such as `mcts:seconds=2,threads=2`; raises UnknownPlayer.

    `defaults` hold for options that the text does not set and the player has.
    """
    name, _, rest = text.partition(":")
    if name in NAMED:
        maker = NAMED[name]
    elif re.fullmatch(r"[A-Za-z_]\w*(:.*)?", rest):
        attribute, _, rest = rest.partition(":")
        maker, name = _imported(name, attribute), f"{name}:{attribute}"
    else:
        raise UnknownPlayer(f"there is no player {name!r}, only {', '.join(NAMED)}, or yours as module:Class")
    types = _options(maker)
    chosen = {key: value for key, value in defaults.items() if key in types}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in types:
            known = f"its options are {', '.join(types)}" if types else "it has no options"
            raise UnknownPlayer(f"{name} has no option {key!r}; {known}" if equals else
                                f"{part!r} is no option of {name}: write OPTION=VALUE; {known}")
        chosen[key] = _value(name, key, value, types[key])
    try:
        return maker(**chosen)
    except (ValueError, TypeError) as error:
        raise UnknownPlayer(f"{text}: {error}") from error


def options(name: str) -> dict[str, Any]:
    """The options of a named player with their types."""
    return _options(NAMED[name])


def _options(maker: Callable[..., AnyPlayer]) -> dict[str, Any]:
    # A class that has no constructor of its own inherits one that takes anything.
    if inspect.isclass(maker) and maker.__init__ is object.__init__:
        return {}
    if inspect.isclass(maker):
        # The constructor of a dataclass has the fields of its ancestors, whose types are named as in their modules.
        names = {name: value for kind in reversed(maker.__mro__)
                 for name, value in vars(sys.modules[kind.__module__]).items()}
        hints = get_type_hints(maker.__init__, names)
    else:
        hints = get_type_hints(maker)
    types: dict[str, Any] = {}
    for name, parameter in inspect.signature(maker).parameters.items():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            # What has no type is taken as it is written.
            types[name] = hints.get(name, str)
        elif (settings := getattr(maker, "SETTINGS", None)) is not None:
            types |= get_type_hints(settings)
    return types


def _imported(module: str, attribute: str) -> Callable[..., AnyPlayer]:
    """What makes a player of somebody else's; modules in the working folder are found too."""
    here = os.getcwd()
    # At the end, so that nothing there hides a module that others need; to stay, for what it imports later.
    if here not in sys.path:
        sys.path.append(here)
    try:
        made = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        # Not if it is something else that is missing inside that module.
        missing = f"there is no player {module!r}, and no module of this name" if error.name == module else str(error)
        raise UnknownPlayer(f"{module}:{attribute}: {missing}") from error
    except AttributeError as error:
        raise UnknownPlayer(f"the module {module} has no {attribute}") from error
    except Exception as error:
        raise UnknownPlayer(f"the module {module} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(made) or (inspect.isclass(made) and not (hasattr(made, "move") or hasattr(made, "join"))):
        raise UnknownPlayer(f"{module}:{attribute} is no player: it has no method move, and none to join")
    return cast("Callable[..., AnyPlayer]", made)


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
            if isinstance(kind, str):  # one of the words that are allowed
                if text == kind:
                    return text
                continue
            value = kind(text)
            # Neither a time nor a weight can be `nan` or `inf`; where there is no limit, that is `none`.
            if not isinstance(value, float) or math.isfinite(value):
                return value
        except (ValueError, KeyError):
            continue
    raise UnknownPlayer(f"{name} cannot have {key}={text}: {key} is {_described(wanted)}")


def _described(wanted: Any) -> str:
    """What a value of a type is, for people."""
    kinds = get_args(wanted) or (wanted,)
    return " or ".join(kind if isinstance(kind, str) else _NOUNS.get(kind, "something else") for kind in kinds)
