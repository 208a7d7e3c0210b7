"""Whose the contents of cells are: who makes them appear, as play shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludorum.analysis.samples import Samples

# So many steps of play tell.
_STEPS = 4096
# A content that comes by one role's moves so often is that role's.
_NEARLY_ALWAYS = 0.85


def owners(samples: Samples, fluents: Mapping[str, Sequence[int]], roles: Sequence[str]) -> dict[str, str]:
    """For contents, given the numbers of the fluents that tell of each, the role whose they are, where one is.

    A content that has a role's name in it is that role's, for roles are no mere names. Else it is the one's who had a
    choice, and no other had, nearly whenever the content came to a cell.
    """
    named = {words: role for words in fluents for role in roles if role in words.split()}
    if len(roles) < 2:
        return named
    chosen = np.arange(1, len(samples), max(1, -(-len(samples) // _STEPS)))
    if not len(chosen):
        return named
    parents = samples.parents[chosen]
    choices = samples.choices[parents] > 1
    alone = choices.sum(axis=1) == 1
    chosen, parents, mover = chosen[alone], parents[alone], np.argmax(choices[alone], axis=1)
    found: dict[str, str] = {}
    for words, numbers in fluents.items():
        columns = list(numbers)
        came = ((samples.bits[chosen][:, columns] > samples.bits[parents][:, columns]).any(axis=1)
                if len(chosen) else np.zeros(0, dtype=bool))
        counts = np.bincount(mover[came], minlength=len(roles))
        if counts.sum() and counts.max() >= _NEARLY_ALWAYS * counts.sum():
            found[words] = roles[int(counts.argmax())]
    return found | named
