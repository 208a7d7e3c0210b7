"""Symmetries by the ground program: by the graph of it, and by polynomials."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from ludorum.analysis.symmetry.automorphisms import Permutation
from ludorum.analysis.symmetry.counting import COUNTED, LATE, findings, groups_of, in_order, with_initial, with_play
from ludorum.analysis.symmetry.game_graph import GameGraph
from ludorum.analysis.symmetry.ground_graph import GroundGraph
from ludorum.analysis.symmetry.in_play import InPlay, in_play
from ludorum.analysis.symmetry.polynomial_graph import PolynomialGraph
from ludorum.analysis.symmetry.polynomials import Polynomials
from ludorum.analysis.symmetry.strata import Strata
from ludorum.analysis.symmetry.symmetries import Findings
from ludorum.analysis.symmetry.symmetry import Symmetry, Words, generated, identity
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded, TooLargeToGround
from ludorum.game import Game
from ludorum.ground import GroundProgram, ground

# The part of the time for grounding without taking rules apart, which may break symmetries.
_FOR_WHOLE = 0.25
# And the part of what is left then for the graph; it takes that long in large games only, where polynomials do, too.
_FOR_GRAPH = 0.85
# More ground rules than this are not looked at.
_MOST_RULES = 400_000


class GroundWay:
    """The graph of the ground program, and what polynomials show beyond it."""

    way, further = "ground program", "polynomials"

    def __init__(self, game: Game, words: Words, budget: Budget) -> None:
        self._game = game
        self._words = words
        self._budget = budget
        self._initial = [words.fluents.index(fluent) for fluent in game.initial.fluents]
        #: Why fluents make no difference in play, as soon as it is known.
        self.reasons: InPlay = ()

    def findings(self) -> tuple[Findings, Findings]:
        start = time.monotonic()
        try:
            strata = Strata(self._program())
        except BudgetExceeded as error:
            return (Findings(self.way, seconds=time.monotonic() - start, remark=str(error)),
                    Findings(self.further, remark="there is no ground program"))
        graph = self._timed(self.way, lambda: self._by_graph(strata, self._budget.share(_FOR_GRAPH)), start)
        return graph, self._timed(self.further, lambda: self._by_polynomials(strata, graph), time.monotonic())

    def _timed(self, way: str, look: Callable[[], Findings], start: float) -> Findings:
        try:
            found = look()
        except BudgetExceeded as error:
            found = Findings(way, remark=str(error))
        return replace(found, seconds=time.monotonic() - start)

    def _by_graph(self, strata: Strata, budget: Budget) -> Findings:
        return self._shown(self.way, strata, GroundGraph(strata, budget), budget, lambda found: found)

    def _by_polynomials(self, strata: Strata, known: Findings) -> Findings:
        budget = self._budget
        polynomials = Polynomials(strata, budget)

        def proved(found: Findings) -> Findings:
            # Every symmetry that polynomials prove is among those that were found.
            if known.count is not None and ((known.count, known.moving_roles or 0)
                                            >= (found.count or 0, found.moving_roles or 0)):
                return Findings(self.further, remark="no more")
            if not all(map(polynomials.proves, found.generators)):
                return self._proved_one_by_one(polynomials, found)
            if not all(map(polynomials.proves, found.role_generators)):
                return replace(found, moving_roles=None, role_generators=())
            return found

        drawn = PolynomialGraph(strata.program, polynomials, budget)
        return self._shown(self.further, strata, drawn, budget, proved)

    def _proved_one_by_one(self, polynomials: Polynomials, found: Findings) -> Findings:
        group = generated(found.generators, identity(self._words), COUNTED)
        if group is None:
            return Findings(self.further, remark="too many to prove")
        proved = tuple(filter(polynomials.proves, group))
        return Findings(self.further, len(proved) - 1, generators=proved[1:])

    def _shown(self, way: str, strata: Strata, drawn: GameGraph, budget: Budget,
               proved: Callable[[Findings], Findings]) -> Findings:
        """What the automorphisms of a graph say, as far as it is proved."""
        groups = groups_of(drawn.graph, [drawn.colours(keep_roles=True, keep_all=True), drawn.colours(keep_roles=True),
                                         drawn.colours(keep_roles=False)], budget)

        def tabulated(permutation: Permutation) -> Symmetry:
            return Symmetry(*drawn.restricted(permutation))

        found = findings(way, groups, tabulated, self._words)
        if found is None or found.count is None:
            return found or Findings(way, remark=LATE)
        found = with_initial(proved(found), self._initial, self._words)
        if found.count is not None and not self.reasons:
            # No sooner than there are symmetries of which it is asked, and not at their cost.
            with suppress(BudgetExceeded):
                self.reasons = in_play(strata, budget)
        found = with_play(found, self.reasons, self._words)
        if found.count is not None and found.keeping_initial is None:
            kept = groups_of(drawn.graph, [drawn.colours(keep_roles=True, keep_initial=True)], budget)
            found = replace(found, keeping_initial=kept[0].order // groups[0].order - 1 if kept else None)
        if found.count is not None and found.in_play is None and self.reasons:
            alike = groups_of(drawn.graph, [drawn.colours_in_play(self.reasons, keep_all=wanted)
                                            for wanted in (True, False)], budget)
            if len(alike) == 2:
                found = replace(found, in_play=alike[1].order // alike[0].order - 1,
                                players=in_order(map(tabulated, alike[1].generators)))
        return found

    def _program(self) -> GroundProgram:
        """The ground rules as they are written, or taken apart first where they are too many otherwise."""
        rules = self._game.rules
        try:
            program = ground(rules, seconds=min(60.0, max(0.01, _FOR_WHOLE * self._budget.seconds)), split="never")
            if len(program.heads) <= _MOST_RULES:
                return program
        except TooLargeToGround:
            pass
        program = ground(rules, seconds=min(60.0, max(0.01, self._budget.seconds)))
        if len(program.heads) > _MOST_RULES:
            raise BudgetExceeded(f"{len(program.heads):,} ground rules are too many to look at")
        return program
