"""Everything that is known of a game, found within a budget: each part with its seconds, and why if it is missing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ludorum.analysis.factors import Factors, find_factors
from ludorum.analysis.proofs import Proof, prove
from ludorum.analysis.structures import Structures, structures
from ludorum.analysis.structures.structures import Standing
from ludorum.analysis.symmetry import Symmetries, find_symmetries
from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.report.first_moves import FirstMove, first_moves
from ludorum.report.kind import Trait, kind
from ludorum.report.play import Play, play
from ludorum.report.reach import Reach, reach

_T = TypeVar("_T")

#: How long everything may take unless another time is told.
SECONDS = 30.0
# What share of the time each part may take; the proofs get most of what is left after all others.
_SHARES = {"structures": 0.12, "play": 0.06, "symmetries": 0.16, "factors": 0.1, "distances": 0.14, "first_moves": 0.1,
           "proofs": 0.8}


@dataclass(frozen=True)
class Section(Generic[_T]):
    """One part of an analysis."""

    value: _T | None
    seconds: float
    budget: float
    #: Why there is no value, or what the time did not suffice for.
    note: str = ""

    @property
    def is_late(self) -> bool:
        """Whether it took clearly longer than it was given."""
        return self.seconds > 1.25 * self.budget


@dataclass(frozen=True)
class Analysis:
    game: Game
    structures: Section[Structures]
    play: Section[Play]
    symmetries: Section[Symmetries]
    factors: Section[Factors]
    distances: Section[Reach]
    first_moves: Section[tuple[FirstMove, ...]]
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
            "proofs": [proof.to_json() for proof in self.proofs.value or ()],
            "times": {name: {"seconds": round(section.seconds, 3), "budget": section.budget, "note": section.note}
                      for name, section in self.sections.items()},
            "seconds": round(self.seconds, 3),
        }


def analyse(game: Game, *, seconds: float = SECONDS, seed: int = 0) -> Analysis:
    """Finds out what there is to know about a game, within about so many seconds."""
    start = time.perf_counter()

    def section(name: str, find: Callable[[Deadline], _T]) -> Section[_T]:
        began = time.perf_counter()
        whole = seconds - (began - start) if name == "proofs" else seconds
        budget = _SHARES[name] * max(1.0, whole)
        note = ""
        found = None
        try:
            found = find(Deadline.within(budget))
        except LudorumError as error:
            note = " ".join(str(error).split())
        taken = time.perf_counter() - began
        return Section(found, taken, budget, note)

    known = section("structures", lambda deadline: structures(game, deadline))
    seen = section("play", lambda deadline: play(game, seed=seed, deadline=deadline))
    symmetries = section("symmetries", lambda deadline: find_symmetries(game, seconds=None, deadline=deadline))
    factors = section("factors", lambda deadline: find_factors(game, seconds=None, deadline=deadline))
    distances = section("distances", lambda deadline: reach(game, deadline))
    moves = section("first_moves", lambda deadline: first_moves(game, seed=seed, deadline=deadline))
    proofs = section("proofs", lambda deadline: tuple(prove(game, seconds=deadline.remaining, seed=seed)))
    if known.value is not None and proofs.value is not None:
        known = Section(_settled(known.value, proofs.value), known.seconds, known.budget, known.note)
    if known.value is not None and not known.value.is_complete:
        known = Section(known.value, known.seconds, known.budget, "not everything was looked at in time")
    return Analysis(game, known, seen, symmetries, factors, distances, moves, proofs, time.perf_counter() - start)


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
