"""What tells moves from each other that have the same places: words, and numbers for a slider."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludorum.drawing.scene import Place
from ludorum.move import Move


@dataclass(frozen=True)
class Rest:
    """The arguments of a move that name no place, by column, and how large those are that count."""

    words: Mapping[int, str]
    numbers: Mapping[int, int]


def labels(paths: Mapping[Move, tuple[Place, ...]],
           rests: Mapping[Move, Rest]) -> tuple[dict[Move, str], dict[Move, int]]:
    """For every move a label of its own among those with its path, and a number where it says how many of something."""
    groups: dict[tuple[Place, ...], list[Move]] = defaultdict(list)
    for move, path in paths.items():
        groups[path].append(move)
    told: dict[Move, str] = {}
    numbers: dict[Move, int] = {}
    for path, moves in groups.items():
        told |= _labels(moves, rests, is_placed=bool(path))
        numbers |= _numbers(moves, rests)
    return told, numbers


def _labels(moves: Sequence[Move], rests: Mapping[Move, Rest], *, is_placed: bool) -> dict[Move, str]:
    has_names = len({(move.term.name, len(move.term.args)) for move in moves}) > 1
    found = {}
    for move in moves:
        rest = rests[move].words
        alike = [other for other in moves if other.term.name == move.term.name]
        # An argument that all of them share tells nothing.
        words = [word for column, word in rest.items()
                 if not is_placed or len(alike) == 1 or any(rests[other].words.get(column) != word for other in alike)]
        found[move] = " ".join([move.term.name, *words] if has_names or not is_placed or not words else words)
    return found if len(set(found.values())) == len(moves) else {move: str(move) for move in moves}


def _numbers(moves: Sequence[Move], rests: Mapping[Move, Rest]) -> dict[Move, int]:
    """For moves of one name the argument that counts and differs most."""
    by_name: dict[tuple[str, int], list[Move]] = defaultdict(list)
    for move in moves:
        # Moves that are nothing but a number are of one name.
        is_number = not move.term.args and move.term.name.isdecimal()
        by_name["" if is_number else move.term.name, len(move.term.args)].append(move)
    found: dict[Move, int] = {}
    for alike in by_name.values():
        columns = set.intersection(*(set(rests[move].numbers) for move in alike))
        values = {column: {rests[move].numbers[column] for move in alike} for column in columns}
        best = max(sorted(columns), key=lambda column: len(values[column]), default=None)
        if best is not None and len(values[best]) > 1:
            found |= {move: rests[move].numbers[best] for move in alike}
    return found
