"""Symmetries as the core's searches take them: a group small enough to try all images of a state.

In the literature: canonicalization of symmetric states (Emerson, Sistla 1996); in games Schiffel (2010).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludorum._core import Symmetries as Core
    from ludorum.analysis.symmetry import Symmetries, Symmetry

#: A larger group would take longer to try than it saves; of one a part is used that is a group itself.
MAX_GROUP_SIZE = 128
# Numbers of images that are kept, at most: that of fluents times that of symmetries.
_MAX_IMAGES = 1 << 21


def core_symmetries(symmetries: Symmetries | None) -> Core | None:
    """The symmetries of a game for a search, None if there are none."""
    from ludorum._core import Symmetries as Core

    words = None if symmetries is None else symmetries.words
    if symmetries is None or words is None:
        return None
    most = max(1, min(MAX_GROUP_SIZE, _MAX_IMAGES // max(1, len(words.fluents))))
    group = symmetries.for_search(most)
    if len(group) < 2:
        return None
    starts = list(accumulate((len(moves) for moves in words.moves), initial=0))

    def in_a_row(symmetry: Symmetry) -> list[int]:
        return [start + image for start, images in zip(starts, symmetry.moves, strict=False) for image in images]

    return Core(fluents=len(words.fluents), move_counts=[len(moves) for moves in words.moves],
                of_fluents=[list(symmetry.fluents) for symmetry in group],
                of_moves=[in_a_row(symmetry) for symmetry in group])
