"""Which fluents are meant by `control` and `board`, by the structures of the game."""

from __future__ import annotations

from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.analysis.structures import FluentStructure, Inputs, Structures
from ludorum.game import Game


def control(game: Game, known: Structures) -> list[Mode]:
    """The fluents that tell whose turn it is.

    Where the structures know none, because a role may have no choice in its turn or two may have one, it is meant by
    fluents of one argument, never two of them at once, which are called `control` or whose arguments are roles.
    """
    if known.control is not None and known.control.arity:
        return [Mode(known.control.name, known.control.arity, ())]
    roles = set(game.rules.roles)
    found = [fluent for fluent in known.fluents
             if fluent.arity == fluent.table.width == 1 and len(fluent.table.values[0]) > 1
             and (fluent.table.values[0] <= roles or fluent.name == "control")
             and any(not claim.arguments for claim in fluent.inputs)]
    named = [fluent for fluent in found if fluent.name == "control"]
    return [Mode(fluent.name, 1, ()) for fluent in named or found]


def boards(known: Structures) -> list[Mode]:
    """Fluents of three or more arguments, of which at least two are coordinates and determine the contents.

    The coordinates are input arguments that the structures found. Where they found none, because some state has two
    contents in a cell, they are all arguments but one: the one whose values no other argument has.
    """
    found = []
    for fluent in known.fluents:
        if fluent.arity < 3:
            continue
        proper = [mode for mode in (_mode(fluent, claim) for claim in fluent.inputs) if len(mode.inputs) < fluent.arity]
        if not proper:
            contents = _contents(fluent)
            proper = [Mode(fluent.name, fluent.arity, tuple(i for i in range(fluent.arity) if i != contents))]
        found += [mode for mode in proper if len(mode.inputs) >= 2][:1]
    return found


def _mode(fluent: FluentStructure, claim: Inputs) -> Mode:
    """Input arguments of a fluent, whole ones: `2.1`, a part of the second, makes an input of all of it."""
    return Mode(fluent.name, fluent.arity,
                tuple(sorted({int(label.partition(".")[0]) - 1 for label in claim.arguments})))


def _contents(fluent: FluentStructure) -> int:
    """The last argument whose values no other argument has, else the last of all."""
    values = fluent.table.values
    alone = [column for column in range(len(values))
             if not any(values[column] & other for i, other in enumerate(values) if i != column)]
    return fluent.table.paths[alone[-1]][0] - 1 if alone else fluent.arity - 1
