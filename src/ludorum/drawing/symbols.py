"""Short signs for what cells hold, as people choose them who draw boards with a keyboard."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_BLANK = {"blank", "empty", "none", "nothing", "free", "vacant", "clear", "off", "hole", "gap", "floor"}


def symbols(values: Sequence[str], roles: Sequence[str], empty: Collection[str] = ()) -> dict[str, str]:
    """A short symbol for each content, as short as tells them apart; a point for nothing.

    Nothing is what is known to be `empty`, else what a name says.
    """
    blank = {value for value in values if value in _BLANK}
    # In many a rulesheet b is for blank, unless w is for white.
    if not blank and "b" in values and "w" not in values:
        blank = {"b"}
    blank = blank or set(empty)
    shown = [value for value in values if value not in blank]
    symbols = dict.fromkeys(blank, ".")
    words = [_words(value, roles) for value in shown]
    candidates = [list(map(_picture, shown)), [_initials(said) for said in words]]
    if all(len(value) <= 2 for value in shown):
        candidates.insert(1, shown)
    if all(len(said) == 2 for said in words) and {said[0] for said in words} <= set(roles[:2]):
        candidates.append(_cased(words, roles))
    if all(len(said) > 1 for said in words):
        candidates.append([_initials(said, last=2) for said in words])
    for short in candidates:
        if len(set(short)) == len(shown):
            return symbols | dict(zip(shown, short, strict=True))
    return symbols | _distinct_letters(shown)


def _picture(value: str) -> str:
    """A single sign, as people who draw boards with a keyboard choose it."""
    if value.isdecimal():
        return value
    if value == "wall":
        return "#"
    return value[0].upper() if value.endswith("king") and value != "king" else value[0]


def _words(value: str, roles: Sequence[str]) -> list[str]:
    """The words of a value; `whitepawn` is two words if white is a role."""
    for role in roles:
        if value.startswith(role):
            value = f"{role} {value.removeprefix(role)}"
    return [word for word in re.split(r"[ _-]+", value) if word]


def _initials(words: Sequence[str], last: int = 1) -> str:
    """The first letters of words, of the last one so many."""
    return "".join(word[0] for word in words[:-1]) + "".join(word[:last] for word in words[-1:])


def _cased(words: Sequence[Sequence[str]], roles: Sequence[str]) -> list[str]:
    """A letter for every kind of piece: a capital for the first role, a small one for the second, as in chess."""
    kinds = list(dict.fromkeys(kind for _, kind in words))
    letters = _distinct_letters(kinds)
    return [letters[kind].upper() if role == roles[0] else letters[kind].lower() for role, kind in words]


def _distinct_letters(values: Sequence[str]) -> dict[str, str]:
    """For each value a letter that it has and no other got, or all values in full if letters run out."""
    chosen: dict[str, str] = {}
    for value in values:
        own = [_picture(value), *value] if not value.isdecimal() else [value]
        free = (sign for sign in own if sign not in chosen.values())
        sign = next(free, None)
        if sign is None:
            return dict(zip(values, values, strict=True))
        chosen[value] = sign
    return chosen
