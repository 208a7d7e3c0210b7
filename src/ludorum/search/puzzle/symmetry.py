"""Symmetries by which states of a puzzle are merged."""

from __future__ import annotations

from ludorum.analysis.symmetry import find_symmetries
from ludorum.clock import Budget, Deadline
from ludorum.game import Game
from ludorum.search.puzzle.problem import Permutations, Problem

# A larger group would take longer to try than it saves.
_MAX_GROUP_SIZE = 48
# The share of the time that is left for looking, and the most seconds.
_SYMMETRY_SHARE, _SYMMETRY_MAX_S = 0.1, 5.0


def permutations(game: Game, problem: Problem, deadline: Deadline) -> Permutations:
    """Permutations of the fluents that leave the step counter alone, without the identity; none if none are found."""
    symmetries = find_symmetries(
        game, Budget.within(min(_SYMMETRY_MAX_S, max(0.1, _SYMMETRY_SHARE * deadline.remaining))))
    if symmetries.words is None:
        return ()
    group = symmetries.for_search(_MAX_GROUP_SIZE, kept=problem.counter)
    return tuple(sorted({symmetry.fluents for symmetry in group} - {tuple(range(len(symmetries.words.fluents)))}))
