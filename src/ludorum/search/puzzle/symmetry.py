"""Symmetries by which states of a puzzle are merged."""

from __future__ import annotations

from ludorum.analysis.symmetry import find_symmetries
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.search.puzzle.problem import Permutations, Problem

# A larger group would take longer to try than it saves.
_LARGEST_GROUP = 48
# The share of the time that is left for looking, and the most seconds.
_SHARE, _SECONDS = 0.1, 5.0


def permutations(game: Game, problem: Problem, deadline: Deadline) -> Permutations:
    """Permutations of the fluents that leave the step counter alone, without the identity; none if none are found."""
    symmetries = find_symmetries(game, seconds=min(_SECONDS, max(0.1, _SHARE * deadline.remaining)))
    if symmetries.words is None:
        return ()
    group = symmetries.for_search(_LARGEST_GROUP, kept=problem.counter)
    return tuple(sorted({symmetry.fluents for symmetry in group} - {tuple(range(len(symmetries.words.fluents)))}))
