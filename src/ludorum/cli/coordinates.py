"""Moves by the places that one would click for them: `e2e4`, `e2 e4` or `2,3` for whoever sees the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ludorum.draw import clicks
from ludorum.game import Move, State

#: The places of a move as their labels, each column before row.
_Path = tuple[tuple[str, ...], ...]


class Coordinates:
    """Reads the moves of a role in a state by the places of their clicks."""

    def __init__(self, state: State, role: str, *, has_secrets: bool = False) -> None:
        # What a move would change is not for somebody to see who does not know the state.
        self._clicks = clicks(state, role, by_effects=not has_secrets)

    def matching(self, answer: str, legal: Iterable[Move]) -> list[Move]:
        """The moves whose places an answer names, all of them or the first; words after them choose among the rest."""
        said = [word for word in re.split(r"[^\w]+", answer.lower()) if word]
        found: dict[bool, list[Move]] = {True: [], False: []}
        for move in legal:
            path = self._path(move)
            words = self._words(move, path)
            for is_whole, prefix in ((True, path), (False, path[:1])):
                if path and _names(said, prefix, words):
                    found[is_whole].append(move)
                    break
        return found[True] or found[False]

    def _path(self, move: Move) -> _Path:
        return tuple(place.coordinates for place in self._clicks.get(move, ()))

    def _words(self, move: Move, path: _Path) -> list[str]:
        """The words of a move that are no part of its places."""
        words = re.findall(r"[^\s()]+", str(move))
        for label in (label for place in path for label in place):
            if label in words[1:]:
                words.remove(label)
        return words

    def show(self, move: Move) -> str:
        """A move as one would type it; empty if it has no place."""
        return " ".join("".join(place) if place and place[0].isalpha() else " ".join(place)
                        for place in self._path(move))


def _names(said: Sequence[str], path: _Path, words: Sequence[str]) -> bool:
    """Whether what was said are these places, written together or apart, and then beginnings of these words."""
    wanted = "".join(label for place in path for label in place)
    apart = [label for place in path for label in place]
    for count in range(1, len(said) + 1):
        first, others = said[:count], said[count:]
        # Numbers written together may mean other places; written apart they mean what they say.
        if "".join(first) == wanted and (len(first) == 1 or first == apart or _joined(first, path)):
            return all(any(word.startswith(other) for word in words) for other in others)
    # Promotions are written e7e8q.
    return len(said) == 1 and said[0].startswith(wanted) and any(
        word.startswith(said[0].removeprefix(wanted)) for word in words)


def _joined(said: Sequence[str], path: _Path) -> bool:
    return list(said) == ["".join(place) for place in path]
