"""What kind of game it is, in a few words, each with how that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    return (*_by_rules(game), *_by_moves(game, seen, verdicts), *_by_ends(seen, verdicts), *_by_structures(known))


def _players(game: Game) -> int:
    return sum(role != RANDOM for role in game.roles)


def _by_rules(game: Game) -> Iterator[Trait]:
    number = _players(game)
    yield Trait({1: "a puzzle for one", 2: "a game for two"}.get(number, f"a game for {number}"), "rules")
    if RANDOM in game.roles:
        yield Trait("with chance", "rules")
    if any(rule.head.name == "sees" for rule in game.rules.rules):
        yield Trait("with secrets", "rules")


def _by_moves(game: Game, seen: Play | None, verdicts: Mapping[str, str]) -> Iterator[Trait]:
    """Of several players: whether they move in turns, and against each other."""
    if _players(game) <= 1:
        return
    turns, total = verdicts.get("turn_taking"), verdicts.get("constant_sum")
    if seen is not None:
        is_turns = turns == "proved" if turns in _HOW else seen.together == 0
        yield Trait("played in turns" if is_turns else "moves are made at the same time",
                    _HOW.get(turns or "", "observed"))
    if total in _HOW:
        yield Trait("one's gain is another's loss" if total == "proved" else "goals do not add up to a constant",
                    _HOW[total])


def _by_ends(seen: Play | None, verdicts: Mapping[str, str]) -> Iterator[Trait]:
    if verdicts.get("terminates") == "proved":
        yield Trait("every match ends", "proved")
    elif seen is not None and seen.cut:
        yield Trait("matches can be very long", "observed")


def _by_structures(known: Structures | None) -> Iterator[Trait]:
    if known is None:
        return
    for board in known.boards:
        size = "×".join(map(str, board.extents))
        several = [len(axis.values) for axis in board.axes if axis.is_selector]
        yield Trait((f"{several[0]} boards" if several else "a board") + f" of {size}", "observed")
    if known.step_counter is not None:
        yield Trait("a step counter", "observed")
