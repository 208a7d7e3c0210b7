"""Games that travel: what a pickled game is, and how it becomes a game again.

A game is pickled as its rules and the choices made when it was loaded. Where it arrives it is loaded again, a circuit
from the user's cache. In a process that has the same game already, that one is taken: ten thousand states that come one
by one share one engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ludorum import gdl
from ludorum.engines.select_engine import Choice, of_circuit, select_engine, specialize
from ludorum.game import Game
from ludorum.gdl import Rulesheet, Source

if TYPE_CHECKING:
    from ludorum.analysis.invariants import Invariants
    from ludorum.circuit import Circuit

# So many games that came are kept, even if nobody refers to them at the moment: the next state may be one of theirs.
_KEPT_GAMES = 8


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a game is made from."""

    source: Source
    name: str
    origin: str | None
    engine: str
    why: str
    #: The seconds and megabytes that loading was given.
    budget: tuple[float, int]
    invariants: Invariants | None
    #: Of a game that was derived from another; its rules do not tell what it is.
    circuit: Circuit | None

    @classmethod
    def of(cls, game: Game) -> Recipe:
        """The recipe of a game; whoever follows it in this process finds that game."""
        known = game.rules.source
        # Rules that a program made have no text.
        source = Source(known.text, known.name, known.syntax) if known.text else Source(gdl.to_kif(game.rules))
        recipe = cls(source, game.name, game.origin, game.engine, game.why, game.budget, game.invariants,
                     game.circuit if game.is_derived else None)
        _ALIVE.setdefault(recipe, game)
        return recipe

    def game(self) -> Game:
        """The game that this process has, or a new one."""
        found = _ALIVE.get(self)
        return _made(self) if found is None else found


# The games that were pickled or unpickled here and are still in use; it keeps none of them alive.
_ALIVE: WeakValueDictionary[Recipe, Game] = WeakValueDictionary()


def forget_games() -> None:
    """Makes the next game that comes a new one, as in a new process."""
    _ALIVE.clear()
    _made.cache_clear()


@lru_cache(maxsize=_KEPT_GAMES)
def _made(recipe: Recipe) -> Game:
    source = recipe.source
    rules = gdl.parse(source.text, source.name, syntax=source.syntax)
    game = object.__new__(Game)
    game.rules, game.name, game.origin, game.budget = rules, recipe.name, recipe.origin, recipe.budget
    game.invariants, game.is_derived = recipe.invariants, recipe.circuit is not None
    game._answer_with(_choice(recipe, rules))
    _ALIVE[recipe] = game
    return game


def _choice(recipe: Recipe, rules: Rulesheet) -> Choice:
    if recipe.circuit is not None:
        return of_circuit(recipe.circuit, recipe.why)
    seconds, memory_mb = recipe.budget
    choice = replace(select_engine(rules, recipe.engine, seconds=seconds, memory_mb=memory_mb), why=recipe.why)
    known = recipe.invariants
    return choice if known is None else specialize(choice, one_hot=known.one_hot, exclusive=known.exclusive,
                                                   never=known.never, always=known.always)
