"""Letters for contents that shapes and colours leave alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile


def letters(values: Sequence[str]) -> dict[str, str]:
    """For each of these a letter that no other has, or a few where letters run out.

    What all of them begin or end with tells nothing and is left out: of `wp` and `wk` the `w`.
    """
    short = _trimmed(values)
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for value in values:
        word = short[value]
        signs = [word] if len(word) == 1 or word.isdecimal() else [
            *(letter.upper() for letter in word if letter.isalnum()),
            *(word[0].upper() + letter for letter in word[1:] if letter.isalnum()), word]
        sign = next((sign for sign in signs if sign not in taken), value)
        chosen[value] = sign
        taken.add(sign)
    return chosen


def _trimmed(values: Sequence[str]) -> Mapping[str, str]:
    if len(values) < 2:
        return {value: value for value in values}
    words = [value.split() for value in values]
    first = {said[0] for said in words}
    if all(len(said) > 1 for said in words):
        if len(first) == 1:
            return dict(zip(values, _trimmed_words([" ".join(said[1:]) for said in words]), strict=True))
        if len({said[-1] for said in words}) == 1:
            return dict(zip(values, _trimmed_words([" ".join(said[:-1]) for said in words]), strict=True))
    return dict(zip(values, _trimmed_words(list(values)), strict=True))


def _trimmed_words(values: list[str]) -> list[str]:
    columns = zip(*values, strict=False)
    start = sum(1 for _ in takewhile(lambda signs: len(set(signs)) == 1, columns))
    return [value[start:] for value in values] if all(len(value) > start for value in values) else values
