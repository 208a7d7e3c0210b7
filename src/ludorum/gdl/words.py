"""The words that the language itself gives a meaning to."""

from __future__ import annotations

#: What formulas and rules are made of.
CONNECTIVES = frozenset({"not", "and", "or", "<="})

#: The relations of GDL and GDL-II, with their numbers of arguments.
KEYWORDS: dict[str, int] = {
    "role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2, "terminal": 0,
    "distinct": 2, "sees": 2,
}

#: Hints of what fluents and moves there may be; in the wild of any arity, and nothing depends on them.
HINTS = frozenset({"base", "input"})

#: The role that chooses by chance (GDL-II).
RANDOM = "random"
