"""Nested Monte-Carlo search: random play that remembers the best series of moves, at several levels."""

from __future__ import annotations

from ludorum import _core
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.search.puzzle.problem import Problem
from ludorum.search.puzzle.solution import Plan

_NO_PLAYOUT_LIMIT = 2**64 - 1


class NestedMonteCarlo:
    """Plays rounds of nested Monte-Carlo search, up to `rounds` if given; the same seed plays the same ones."""

    name = "nested Monte-Carlo"

    def __init__(self, problem: Problem, *, level: int = 3, seed: int = 0, max_steps: int = 1000,
                 rounds: int | None = None) -> None:
        self._problem = problem
        self._rounds = _NO_PLAYOUT_LIMIT if rounds is None else rounds
        self._search = _core.Nested(problem.simulator, problem.start, problem.target, problem.distance, level,
                                    seed & (2**64 - 1), max_steps)

    def advance(self, seconds: float) -> None:
        self._search.run(seconds, self._rounds)

    @property
    def best(self) -> Plan | None:
        return self._problem.plan(self._search.value, self._search.plan)

    @property
    def moves(self) -> tuple[Term, ...]:
        """The best moves so far, even if they come to no end."""
        return self._problem.moves(self._search.plan)

    @property
    def bound(self) -> int:
        return self._problem.target

    @property
    def is_over(self) -> bool:
        return self._search.value >= self._problem.target or self._search.rounds >= self._rounds

    @property
    def outcome(self) -> str:
        playouts, rounds = self._search.playouts, self._search.rounds
        return f"{playouts:,} {agree(playouts, 'playout')} in {rounds:,} {agree(rounds, 'round')}"

    def close(self) -> None:
        """Nothing goes on between slices."""
