"""Everything that is known of a game, found with a budget: each part with its work, and why if it is missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ludorum.analysis.factors import Factors, find_factors
from ludorum.analysis.proofs import Proof
from ludorum.analysis.structures import Structures, structures
from ludorum.analysis.structures.structures import Standing
from ludorum.analysis.symmetry import Symmetries, find_symmetries
from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.report.first_moves import FirstMove, first_moves
from ludorum.report.kind import Trait, kind
from ludorum.report.play import Play, play
from ludorum.report.reach import Reach, reach
from ludorum.report.skilled_play import SkilledPlay, skilled_play
from ludorum.verify import prove

_T = TypeVar("_T")

#: The work for everything unless another budget is told.
WORK = 30.0
# What share of the budget each part may take; the last two of what is left after the others, which is much where the
# proofs are easy.
_SHARES = {"structures": 0.12, "play": 0.06, "symmetries": 0.16, "factors": 0.1, "distances": 0.14, "first_moves": 0.1,
           "proofs": 0.65, "skilled_play": 0.95}
_OF_WHAT_IS_LEFT = ("proofs", "skilled_play")


@dataclass(frozen=True)
class Section(Generic[_T]):
    """One part of an analysis."""

    value: _T | None
    #: The time that it took, the work that it did, and the work that it was given.
    seconds: float
    work: float
    budget: float
    #: Why there is no value, or what the budget did not suffice for.
    note: str = ""
    #: Whether the clock ended it early.
    is_late: bool = False


@dataclass(frozen=True)
class Analysis:
    game: Game
    structures: Section[Structures]
    play: Section[Play]
    symmetries: Section[Symmetries]
    factors: Section[Factors]
    distances: Section[Reach]
    first_moves: Section[tuple[FirstMove, ...]]
    skilled_play: Section[SkilledPlay]
    proofs: Section[tuple[Proof, ...]]
    seconds: float

    @property
    def sections(self) -> dict[str, Section[Any]]:
        return {name: getattr(self, name) for name in _SHARES}

    @property
    def verdicts(self) -> dict[str, str]:
        """What became of every property."""
        return {proof.property: proof.verdict for proof in self.proofs.value or ()}

    @property
    def traits(self) -> tuple[Trait, ...]:
        """What kind of game it is."""
        return kind(self.game, self.structures.value, self.play.value, self.verdicts)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "roles": list(self.game.roles),
            "engine": self.game.engine,
            "kind": [{"says": trait.says, "known_by": trait.known_by} for trait in self.traits],
            "structures": _json(self.structures),
            "play": _json(self.play),
            "symmetries": _json(self.symmetries),
            "factors": _json(self.factors),
            "distances": _json(self.distances),
            "first_moves": [move.to_json() for move in self.first_moves.value or ()],
            "skilled_play": _json(self.skilled_play),
            "proofs": [proof.to_json() for proof in self.proofs.value or ()],
            "times": {name: {"seconds": round(section.seconds, 3), "work": round(section.work, 3),
                             "budget": round(section.budget, 3), "note": section.note}
                      for name, section in self.sections.items()},
            "seconds": round(self.seconds, 3),
        }


def analyse(game: Game, *, budget: Budget | None = None, seed: int = 0,
            tell: Callable[[str], None] = lambda part: None) -> Analysis:
    """Finds out what there is to know about a game with a budget.

    What is found depends on the game, the work and the seed, unless the deadline of the budget ends a part early.
    `tell` is told the name of each part as it begins.
    """
    start = time.perf_counter()
    whole = budget or Budget(WORK)
    shares = {name: share * whole.remaining for name, share in _SHARES.items()}

    def section(name: str, find: Callable[[Budget], _T]) -> Section[_T]:
        tell(name.replace("_", " "))
        began, done = time.perf_counter(), whole.done
        part = whole.share(_SHARES[name]) if name in _OF_WHAT_IS_LEFT else whole.at_most(shares[name])
        given = part.remaining
        note = ""
        found = None
        try:
            found = find(part)
        except LudorumError as error:
            note = " ".join(str(error).split())
        return Section(found, time.perf_counter() - began, whole.done - done, given, note, part.is_late)

    known = section("structures", lambda part: structures(game, part))
    seen = section("play", lambda part: play(game, seed=seed, budget=part))
    symmetries = section("symmetries", lambda part: find_symmetries(game, part))
    factors = section("factors", lambda part: find_factors(game, part))
    distances = section("distances", lambda part: reach(game, part))
    moves = section("first_moves", lambda part: first_moves(game, seed=seed, budget=part))
    proofs = section("proofs", lambda part: tuple(prove(game, budget=part, seed=seed)))
    skilled = section("skilled_play", lambda part: skilled_play(game, seed=seed, budget=part))
    if known.value is not None and proofs.value is not None:
        known = replace(known, value=_settled(known.value, proofs.value))
    if known.value is not None and not known.value.is_complete:
        known = replace(known, note="not everything was looked at within the budget")
    return Analysis(game, known, seen, symmetries, factors, distances, moves, skilled, proofs,
                    time.perf_counter() - start)


def _settled(known: Structures, proofs: tuple[Proof, ...]) -> Structures:
    """The structures with what the prover says of input arguments."""
    verdicts: dict[str, Standing] = {proof.property: proof.verdict for proof in proofs}
    standings: dict[tuple[str, int, tuple[str, ...]], Standing] = {}
    for fluent in known.fluents:
        numbers = list(map(str, range(1, fluent.arity + 1)))
        for inputs in fluent.inputs:
            mode = " ".join("+" if number in inputs.arguments else "-" for number in numbers)
            verdict = verdicts.get(f"input ({fluent.name} {mode})")
            if verdict is not None and set(inputs.arguments) <= set(numbers):
                standings[fluent.name, fluent.arity, inputs.arguments] = verdict
    return known.with_standings(standings)


def _json(section: Section[Any]) -> Any:
    return None if section.value is None else section.value.to_json()
