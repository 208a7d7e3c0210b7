"""Squares with names of their own, such as `e4`: where two relations count them, one to the right and one upwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ludorum.analysis.statics import StaticRelation
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term


@dataclass(frozen=True, eq=False)
class Crossing:
    """Where names are that two relations count."""

    #: For every name its column and its row, from 0.
    places: Mapping[Term, tuple[int, int]]
    #: The relations that count to the right and upwards.
    sidewards: str
    upwards: str

    @property
    def extents(self) -> tuple[int, int]:
        """How many columns and rows there are."""
        columns, rows = (len(set(numbers)) for numbers in zip(*self.places.values(), strict=True))
        return columns, rows

    def __str__(self) -> str:
        columns, rows = self.extents
        return f"{columns} by {self.sidewards} × {rows} by {self.upwards}"



def crossing(names: Iterable[Term], relations: Sequence[StaticRelation]) -> Crossing | None:
    """Columns and rows of all that two relations count together, these names among it; None if no two do.

    The names that follow each other by how they are written stand above each other, as a1, a2 and a3.
    """
    wanted = frozenset(names)
    counting = [relation for relation in relations
                if relation.is_successor and not relation.is_cyclic and wanted <= relation.things]
    for one, other in combinations(counting, 2):
        if one.things != other.things:
            continue
        first, second = sorted(one.things, key=natural)[:2]
        upwards, sidewards = (one, other) if (first, second) in one.pairs else (other, one)
        found = _crossing(sidewards, upwards)
        if found is not None:
            return found
    return None


def _crossing(sidewards: StaticRelation, upwards: StaticRelation) -> Crossing | None:
    columns, rows = _steps(sidewards), _steps(upwards)
    found = {name: (columns[name], rows[name]) for name in columns}
    # A step in one direction must be none in the other, and no two names may be in one place.
    if (len(set(found.values())) < len(found)
            or any(rows[name] != rows[after] for name, after in sidewards.pairs)
            or any(columns[name] != columns[after] for name, after in upwards.pairs)):
        return None
    return Crossing(found, sidewards.name, upwards.name)


def _steps(relation: StaticRelation) -> dict[Term, int]:
    """For everything how many steps it is from where counting begins."""
    steps = dict.fromkeys(relation.things - {after for _, after in relation.pairs}, 0)
    queue = list(steps)
    for thing in queue:
        for after in relation.hasse.after.get(thing, ()):
            steps[after] = steps[thing] + 1
            queue.append(after)
    return steps
