"""Clicks: for every legal move of a role the places that one clicks to make it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ludorum.drawing.scene import Place, place_json
from ludorum.move import Move

Path = tuple[Place, ...]

#: How a move is told from those with the same places: not at all, from a few that pop up, by a slider of numbers, by
#: buttons where it has no place, and by a list that one filters.
Way = Literal["clicks", "popup", "slider", "button", "list"]

# More choices than that do not fit in a pop-up, and so many buttons are a list.
MOST_CHOICES = 12
MOST_BUTTONS = 8


@dataclass(frozen=True)
class Choice:
    """A move at the end of its path, and what tells it from the others there."""

    move: Move
    label: str
    #: For numbers in order how large it is.
    number: int | None = None


@dataclass(frozen=True)
class Next:
    """What can come after some clicks."""

    #: The places that can be clicked next.
    places: tuple[Place, ...]
    #: The moves that end here, and how one of them is chosen.
    choices: tuple[Choice, ...]
    way: Way


@dataclass(frozen=True)
class Clicks(Mapping[Move, Path]):
    """A mapping from each legal move of a role to its path; those of the same path differ in their labels."""

    role: str
    paths: Mapping[Move, Path]
    labels: Mapping[Move, str]
    #: For moves that say how many of something how many they say.
    numbers: Mapping[Move, int]
    #: Cells that stand for another as the first click: any cell of a column where one drops a disc into the column.
    aliases: Mapping[Place, Place] = field(default_factory=dict)

    def __getitem__(self, move: Move) -> Path:
        return self.paths[move]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def _groups(self) -> dict[Path, list[Move]]:
        groups: dict[Path, list[Move]] = defaultdict(list)
        for move, path in self.paths.items():
            groups[path].append(move)
        return dict(groups)

    @cached_property
    def _trie(self) -> dict[Path, tuple[Place, ...]]:
        """For every beginning of a path the places that come next."""
        following: dict[Path, dict[Place, None]] = defaultdict(dict)
        for path in self._groups:
            for length in range(len(path)):
                following[path[:length]][path[length]] = None
        return {beginning: tuple(places) for beginning, places in following.items()}

    def next(self, clicked: Path = ()) -> Next:
        """What can be clicked or chosen after these clicks; nothing where no move begins with them."""
        moves = self._groups.get(clicked, [])
        choices = tuple(Choice(move, self.labels[move], self.numbers.get(move)) for move in moves)
        return Next(self._trie.get(clicked, ()), choices, self._way(clicked))

    def way(self, move: Move) -> Way:
        """How a move is made after the clicks on its places."""
        return self._way(self.paths[move])

    def _way(self, path: Path) -> Way:
        moves = self._groups.get(path, [])
        if path and len(moves) <= 1:
            return "clicks"
        if len(moves) <= (MOST_CHOICES if path else MOST_BUTTONS):
            return "popup" if path else "button"
        # A slider for every series of numbers, and a button for what has none.
        series: dict[int, int] = Counter(self.numbers[move] for move in moves if move in self.numbers)
        others = sum(move not in self.numbers for move in moves)
        return "slider" if series and max(series.values()) + others <= MOST_BUTTONS else "list"

    def json(self) -> dict[str, Any]:
        """Everything as plain dictionaries and lists."""
        aliases = {place.id: target.id for place, target in self.aliases.items()}
        return {"role": self.role, "aliases": aliases, "moves": [
            {"move": str(move), "path": [place_json(place) for place in path], "label": self.labels[move],
             "way": self.way(move)} | ({"number": self.numbers[move]} if move in self.numbers else {})
            for move, path in self.paths.items()]}
