"""Which of several boards a move speaks of: the one whose cell it changes, as play shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from ludorum.analysis.samples import Samples
from ludorum.analysis.structures.tables import Table
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.drawing.plan import BoardPlan
from ludorum.gdl.terms import Term

# So many moves of a kind tell.
_MOVES = 200


class Evidence:
    """What moves did in the states of random play."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._fluents: dict[str, dict[Coordinates, list[int]]] = {}

    def changes(self, table: Table, columns: Sequence[int], board: BoardPlan) -> float:
        """The share of moves of a table after which the cell that these columns name held something else."""
        seen = self._samples
        fluents = self._of(board)
        met = changed = 0
        for row, index in self._made(table):
            cell = fluents.get(tuple(str(row[column]) for column in columns), [])
            met += 1
            changed += bool((seen.bits[index][cell] != seen.bits[seen.parents[index]][cell]).any())
        return changed / met if met else 0.0

    def contents(self, table: Table, columns: Sequence[int],
                 board: BoardPlan) -> Iterator[tuple[tuple[Term, ...], str, str]]:
        """Moves of a table, and what the cell that these columns name held before and after each."""
        seen = self._samples
        fluents = self._of(board)
        words = {number: content for content, numbers in board.face.fluents.items() for number in numbers}
        for row, index in self._made(table):
            cell = fluents.get(tuple(str(row[column]) for column in columns), [])
            held = [" ".join(words[number] for number in cell if seen.bits[state][number] and number in words)
                    for state in (seen.parents[index], index)]
            yield row, held[0], held[1]

    def _made(self, table: Table) -> Iterator[tuple[tuple[Term, ...], int]]:
        """Some moves of a table that were made, each with the number of the state that came of it."""
        seen = self._samples
        names = (table.name, table.arity)
        wanted = [{number for number, move in enumerate(moves) if (move.name, len(move.args)) == names}
                  for moves in seen.moves]
        met = 0
        for index in range(1, len(seen)):
            for role, numbers in enumerate(wanted):
                number = int(seen.joints[index, role])
                if number in numbers and table.fits(seen.moves[role][number]):
                    met += 1
                    yield table.read(seen.moves[role][number]), index
            if met >= _MOVES:
                break

    def share(self, table: Table) -> float:
        """How often who has a choice makes a move of this table."""
        seen = self._samples
        chosen = made = 0
        for role, moves in enumerate(seen.moves):
            of_table = np.array([(move.name, len(move.args)) == (table.name, table.arity) for move in moves],
                                dtype=bool)
            numbers = seen.joints[1:, role][seen.choices[seen.parents[1:], role] > 1]
            chosen += len(numbers)
            made += int(of_table[numbers].sum())
        return made / chosen if chosen else 0.0

    def _of(self, board: BoardPlan) -> dict[Coordinates, list[int]]:
        if board.name not in self._fluents:
            found: dict[Coordinates, list[int]] = defaultdict(list)
            for number, fluent in enumerate(self._samples.fluents):
                for cell, _ in board.face.told(fluent):
                    found[cell].append(number)
            self._fluents[board.name] = found
        return self._fluents[board.name]
