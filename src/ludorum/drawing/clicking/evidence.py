"""Which of several boards a move speaks of: the one whose cell it changes, as play shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludorum.analysis.samples import Samples
from ludorum.analysis.structures.tables import Table
from ludorum.drawing.layouts.layout import Coordinates
from ludorum.drawing.plan import BoardPlan

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
        names = (table.name, table.arity)
        wanted = [{number for number, move in enumerate(moves) if (move.name, len(move.args)) == names}
                  for moves in seen.moves]
        fluents = self._of(board)
        met = changed = 0
        for index in range(1, len(seen)):
            for role, numbers in enumerate(wanted):
                number = int(seen.joints[index, role])
                if number not in numbers or not table.fits(seen.moves[role][number]):
                    continue
                row = table.read(seen.moves[role][number])
                cell = fluents.get(tuple(str(row[column]) for column in columns), [])
                met += 1
                changed += bool((seen.bits[index][cell] != seen.bits[seen.parents[index]][cell]).any())
            if met >= _MOVES:
                break
        return changed / met if met else 0.0

    def _of(self, board: BoardPlan) -> dict[Coordinates, list[int]]:
        if board.name not in self._fluents:
            found: dict[Coordinates, list[int]] = defaultdict(list)
            for number, fluent in enumerate(self._samples.fluents):
                told = board.face.read(fluent)
                if told is not None:
                    found[told[0]].append(number)
            self._fluents[board.name] = found
        return self._fluents[board.name]
