"""Names of a game as symbols of GDL, which knows no capital letters and has words of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludorum.gdl.terms import Variable
from ludorum.gdl.words import CONNECTIVES, HINTS, KEYWORDS

_UNFIT = re.compile(r"[^a-z0-9_]")
_NUMBERED = re.compile(r"_\d+$")
# The variables that the rules of moves have in every game.
_RESERVED = ("p", "m", "t", "l", "to", "x", "y")


def fit(name: str) -> str:
    """A name as letters that GDL can read."""
    return _UNFIT.sub("_", name.lower()) or "x"


def variables_for(names: Iterable[str], reserved: Iterable[str] = _RESERVED) -> dict[str, Variable]:
    """A variable for each name, none of them one that is made up elsewhere."""
    found: dict[str, Variable] = {}
    taken = set(reserved)
    for name in names:
        wanted = _NUMBERED.sub("", fit(name)) or "x"
        while wanted in taken:
            wanted += "e"
        taken.add(wanted)
        found[name] = Variable(wanted)
    return found


class Symbols:
    """Gives every name a symbol of its own: the name in small letters where that is free."""

    def __init__(self) -> None:
        self._taken = {*KEYWORDS, *CONNECTIVES, *HINTS}

    def symbol(self, name: str) -> str:
        """A symbol that was not given out before."""
        wanted = fit(name)
        found, number = wanted, 1
        while found in self._taken:
            number += 1
            found = f"{wanted}_{number}"
        self._taken.add(found)
        return found

    def symbols(self, *names: str) -> dict[str, str]:
        return {name: self.symbol(name) for name in names}
