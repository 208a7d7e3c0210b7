"""What kind of game it is, in a few words, each with how that is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludorum.analysis.structures import Structures
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.report.play import Play

# How something is known by the verdict on a property: a match that refutes it shows the contrary.
_HOW = {"proved": "proved", "refuted": "shown by a match"}


@dataclass(frozen=True, slots=True)
class Trait:
    """Something about a game, and how it is known: `rules`, `proved`, `shown by a match` or `observed`."""

    says: str
    known_by: str

    def __str__(self) -> str:
        return f"{self.says} ({self.known_by})"


def kind(game: Game, known: Structures | None, seen: Play | None, verdicts: Mapping[str, str]) -> tuple[Trait, ...]:
    """The traits of a game; `verdicts` are those of properties that somebody tried to prove."""
    players = [role for role in game.roles if role != RANDOM]
    number = {1: "a puzzle for one", 2: "a game for two"}.get(len(players), f"a game for {len(players)}")
    traits = [Trait(number, "rules")]
    heads = {rule.head.name for rule in game.rules.rules}
    if RANDOM in game.roles:
        traits.append(Trait("with chance", "rules"))
    if "sees" in heads:
        traits.append(Trait("with secrets", "rules"))
    if len(players) > 1 and seen is not None:
        if verdicts.get("turn_taking") in ("proved", "refuted"):
            is_turns, how = verdicts["turn_taking"] == "proved", _HOW[verdicts["turn_taking"]]
        else:
            is_turns, how = seen.together == 0, "observed"
        traits.append(Trait("played in turns" if is_turns else "moves are made at the same time", how))
    if len(players) > 1 and verdicts.get("constant_sum") in ("proved", "refuted"):
        is_constant = verdicts["constant_sum"] == "proved"
        traits.append(Trait("one's gain is another's loss" if is_constant else "goals do not add up to a constant",
                            _HOW[verdicts["constant_sum"]]))
    if verdicts.get("terminates") == "proved":
        traits.append(Trait("every match ends", "proved"))
    elif seen is not None and seen.cut:
        traits.append(Trait("matches can be very long", "observed"))
    if known is not None:
        for board in known.boards:
            size = "×".join(map(str, board.extents))
            several = [len(axis.values) for axis in board.axes if axis.is_selector]
            traits.append(Trait((f"{several[0]} boards" if several else "a board") + f" of {size}", "observed"))
        if known.step_counter is not None:
            traits.append(Trait("a step counter", "observed"))
    return tuple(traits)
