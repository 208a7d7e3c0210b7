"""Coordinates made of two arguments each, as in a sudoku: which arguments make a column, a row and a box.

Rules that look along a line of cells name the arguments that the line shares: in a sudoku the two that make a column,
the two that make a row, and one of each, which make a box.
"""

from __future__ import annotations

from itertools import combinations

from ludorum.drawing.faces import Face
from ludorum.gdl.clauses import flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term, Variable
from ludorum.gdl.words import KEYWORDS

Pair = tuple[int, int]


def composite(face: Face, rules: Rulesheet) -> tuple[Pair, Pair] | None:
    """The axes that make columns and those that make rows, the coarser one first; None if the rules tell of none."""
    if len(face.axes) != 4 or face.board is None:
        return None
    found = _shared(face, rules)
    for one, other in (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))):
        crossing = [pair for pair in combinations(range(4), 2) if pair in found and pair not in (one, other)]
        if one in found and other in found and len(crossing) == 1:
            coarse = crossing[0]
            first, second = ((pair if pair[0] in coarse else (pair[1], pair[0])) for pair in (one, other))
            return first, second
    return None


def _shared(face: Face, rules: Rulesheet) -> set[Pair]:
    """The pairs of axes that relations tell of which look at cells."""
    assert face.board is not None
    base = next(layer for layer in face.board.layers if layer.table.name == face.name)
    found: set[Pair] = set()
    for clause in flatten(rules):
        if clause.head.name in KEYWORDS:
            continue
        told = {arg.name for arg in clause.head.args if isinstance(arg, Variable)}
        for atom in clause.positive:
            fluent = atom.args[0] if atom.name == "true" and atom.args else None
            if not isinstance(fluent, Term) or (fluent.name, len(fluent.args)) != (base.table.name, base.table.arity):
                continue
            axes = [number for number, column in enumerate(base.coordinates)
                    if len(base.table.paths[column]) == 1
                    and isinstance(arg := fluent.args[base.table.paths[column][0] - 1], Variable) and arg.name in told]
            if len(axes) == 2:
                found.add((axes[0], axes[1]))
    return found
