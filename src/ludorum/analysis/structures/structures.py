"""Structures: what the fluents of a game are there for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ludorum.analysis.samples import Samples, samples
from ludorum.analysis.statics import StaticRelation, counting_relations
from ludorum.analysis.structures.boards import Board, Shape, boards, links
from ludorum.analysis.structures.inputs import InputSet, input_sets
from ludorum.analysis.structures.orders import loose_orders, orders
from ludorum.analysis.structures.tables import Table, tables
from ludorum.analysis.structures.turns import clock, control
from ludorum.clock import Budget
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.domains import Domains
from ludorum.gdl.terms import Term
from ludorum.move import Role

#: What fluents are there for; unknown where the budget did not suffice to look at them.
Kind = Literal["board", "marks", "pieces", "quantity", "step counter", "control", "variable", "flag", "unknown"]
#: What is known of a claim: seen to hold in random play, proved, refuted, or neither within the budget.
Standing = Literal["observed", "proved", "refuted", "unknown"]

# A few things with a value each are no board.
_FEWEST_CELLS = 4
# Nobody plays on a board of more; fluents that hold a whole position, to know it again, have that many arguments.
_MOST_DIMENSIONS = 8
#: In so many states hypotheses are tested.
STATES = 50_000
#: The most work that is done to find structures, the same for everybody who asks.
WORK = 6.0


@dataclass(frozen=True, slots=True)
class Inputs:
    """Arguments of a fluent that determine the others: at most one fluent of the name for each of their values."""

    #: Argument numbers from 1; `2.1` is the first argument of the function at the second.
    arguments: tuple[str, ...]
    standing: Standing
    #: Whether there was exactly one in all states that were seen.
    is_total: bool

    def __str__(self) -> str:
        return f"{{{', '.join(self.arguments)}}}"


@dataclass(frozen=True, eq=False)
class FluentStructure:
    """The fluents of one name: which arguments are inputs, which outputs, and what they are there for."""

    table: Table
    kind: Kind
    #: The minimal sets of input arguments; the first is the one that tells the kind.
    inputs: tuple[Inputs, ...]
    #: For every column of the table the relation that counts or compares its values, if there is one.
    orders: tuple[StaticRelation | None, ...]
    #: For a control fluent the role whose turn each value tells, for a step counter its values in order.
    turns: tuple[tuple[Term, Role], ...] = ()
    ticks: tuple[Term, ...] = ()

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def arity(self) -> int:
        return self.table.arity

    @property
    def claims(self) -> tuple[Inputs, ...]:
        """The sets of input arguments that say something: none where the budget did not suffice to look."""
        return self.inputs if self.kind != "unknown" else ()

    @property
    def input_columns(self) -> tuple[int, ...]:
        """The columns of the table that are inputs."""
        return tuple(column for column in range(self.table.width)
                     if self.table.label(column) in self.inputs[0].arguments)

    @property
    def output_columns(self) -> tuple[int, ...]:
        return tuple(column for column in range(self.table.width) if column not in self.input_columns)

    def __str__(self) -> str:
        if self.kind == "unknown":
            return f"{self.name}/{self.arity}: unknown"
        outputs = [self.table.label(column) for column in self.output_columns]
        return (f"{self.name}/{self.arity}: {self.kind}, inputs {self.inputs[0]} ({self.inputs[0].standing})"
                + (f", outputs {{{', '.join(outputs)}}}" if outputs else ""))


@dataclass(frozen=True, eq=False)
class Structures:
    """What was found in the rules and the play of a game."""

    relations: tuple[StaticRelation, ...]
    fluents: tuple[FluentStructure, ...]
    boards: tuple[Board, ...]
    #: In how many states the hypotheses were tested.
    states: int
    seconds: float
    #: Whether everything was looked at within the budget.
    is_complete: bool

    def of_kind(self, kind: Kind) -> tuple[FluentStructure, ...]:
        return tuple(fluent for fluent in self.fluents if fluent.kind == kind)

    @property
    def quantities(self) -> tuple[FluentStructure, ...]:
        """Every fluent that counts or measures: one of its outputs is in order, whatever else it is."""
        return tuple(fluent for fluent in self.fluents if fluent.kind != "control"
                     and any(fluent.orders[column] is not None for column in fluent.output_columns))

    @property
    def step_counter(self) -> FluentStructure | None:
        return next(iter(self.of_kind("step counter")), None)

    @property
    def control(self) -> FluentStructure | None:
        return next(iter(self.of_kind("control")), None)

    def fluent(self, name: str, arity: int) -> FluentStructure | None:
        """The structure of the fluents of a name and number of arguments, None if there are none."""
        return next((known for known in self.fluents if (known.name, known.arity) == (name, arity)), None)

    def with_standings(self, standings: dict[tuple[str, int, tuple[str, ...]], Standing]) -> Structures:
        """The same with what is now known of input arguments, by name, number of arguments and arguments."""
        fluents = tuple(replace(fluent, inputs=tuple(
            replace(inputs, standing=standings.get((fluent.name, fluent.arity, inputs.arguments), inputs.standing))
            for inputs in fluent.inputs)) for fluent in self.fluents)
        return replace(self, fluents=fluents)

    def to_json(self) -> dict[str, Any]:
        return {
            "relations": [{"name": relation.name, "kind": relation.kind, "things": len(relation.things)}
                          for relation in self.relations],
            "fluents": [_fluent_json(fluent) for fluent in self.fluents],
            "boards": [_board_json(board) for board in self.boards],
            "quantities": [fluent.name for fluent in self.quantities],
            "step_counter": self.step_counter.name if self.step_counter else None,
            "control": self.control.name if self.control else None,
            "states": self.states,
            "seconds": self.seconds,
            "complete": self.is_complete,
        }

    def __str__(self) -> str:
        return "\n".join([*map(str, self.relations), *map(str, self.fluents), *map(str, self.boards)])


_STRUCTURES: Slot[Structures] = Slot("structures")


def structures(game: Game, budget: Budget | None = None) -> Structures:
    """The structures of a game; a game remembers them.

    They depend on the game alone, unless the deadline of the budget ends the search early. Then they say so, and are
    looked for once more when there is more time.
    """
    budget = (budget or Budget()).fixed(WORK)

    def find(_: object) -> tuple[Structures, bool]:
        found = _find(game, budget)
        return found, found.is_complete

    return game.findings.find(_STRUCTURES, budget, find)


def _find(game: Game, budget: Budget) -> Structures:
    start = time.perf_counter()
    seen = samples(game, STATES, budget=budget)
    domains = Domains(game.rules)
    relations = counting_relations(game.rules, budget, domains)
    fluents: list[FluentStructure] = []
    shapes: dict[Table, Shape] = {}
    for table in tables(seen.fluents):
        sets = input_sets(table, seen, budget)
        if not sets:
            fluents.append(_unknown(table))
            continue
        counted = orders(table, relations, domains)
        best = max(sets, key=lambda known: _merit(known, table, counted))
        outputs = tuple(column for column in range(table.width) if column not in best.columns)
        loose = loose_orders(table, relations, domains)
        shape = Shape(table, best.columns, outputs, best.is_total, counted, loose, links(table, domains))
        shapes[table] = shape
        kind = _kind(shape)
        if kind == "board":
            counted = tuple(order or (loose[column] if column in best.columns else None)
                            for column, order in enumerate(counted))
        # That all arguments determine the others goes without saying: there are none.
        claims = [Inputs(tuple(map(table.label, known.columns)),
                         "proved" if len(known.columns) == table.width else "observed", known.is_total)
                  for known in [best, *(known for known in sets if known is not best)]]
        fluents.append(FluentStructure(table, kind, tuple(claims), counted))
    fluents = _with_turns(fluents, seen, game.roles)
    bases = [shapes[fluent.table] for fluent in fluents if fluent.kind == "board"]
    others = [shapes[fluent.table] for fluent in fluents if fluent.kind in ("marks", "pieces")]
    return Structures(relations, tuple(fluents), boards(bases, others, seen, relations), len(seen),
                      time.perf_counter() - start, not budget.passed)


def _unknown(table: Table) -> FluentStructure:
    """Fluents of which nothing is known but what goes without saying."""
    every = Inputs(tuple(map(table.label, range(table.width))), "proved", is_total=False)
    return FluentStructure(table, "unknown", (every,), (None,) * table.width)


def _merit(known: InputSet, table: Table, counted: Sequence[StaticRelation | None]) -> tuple[int, ...]:
    """Which of several minimal sets names the cells: one with outputs, in order, of more dimensions, always filled."""
    return (len(known.columns) < table.width, sum(counted[column] is not None for column in known.columns),
            len(known.columns), known.is_total, *(-column for column in known.columns))


def _kind(shape: Shape) -> Kind:
    """What fluents are there for, by their arguments alone."""
    ordered_inputs = [column for column in shape.inputs if shape.orders[column] is not None]
    ordered_outputs = [column for column in shape.outputs if shape.orders[column] is not None]
    cells = len({tuple(row[column] for column in shape.inputs) for row in shape.table.rows})
    if not shape.table.width:
        return "flag"
    if not shape.outputs:
        return "marks"
    if len(ordered_outputs) > 1 and not ordered_inputs:
        return "pieces"
    if ordered_outputs and not ordered_inputs:
        return "quantity"
    if len(shape.inputs) > _MOST_DIMENSIONS:
        return "variable"
    if shape.inputs and (len(shape.inputs) > 1 or ordered_inputs or cells >= _FEWEST_CELLS):
        return "board"
    return "variable"


def _with_turns(fluents: Sequence[FluentStructure], seen: Samples, roles: Sequence[Role]) -> list[FluentStructure]:
    """The fluents with control and step counter told from the others."""
    alone = [fluent for fluent in fluents if fluent.table.width and any(not claim.arguments for claim in fluent.inputs)]
    found: dict[Table, FluentStructure] = {}
    for fluent in alone:
        if fluent.table.width == 1 and (ticks := clock(fluent.table, 0, seen)) is not None:
            found[fluent.table] = replace(fluent, kind="step counter", ticks=ticks)
    turning = [replace(fluent, kind="control", turns=tuple((value, Role(role)) for value, role in turns))
               for fluent in alone if fluent.table not in found
               for column in range(fluent.table.width)
               if (turns := control(fluent.table, column, seen, roles)) is not None]
    if turning:
        best = min(turning, key=lambda fluent: len(fluent.table.rows))
        found[best.table] = best
    return [found.get(fluent.table, fluent) for fluent in fluents]


def _fluent_json(fluent: FluentStructure) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": fluent.name, "arity": fluent.arity, "kind": fluent.kind,
        "inputs": [{"arguments": list(inputs.arguments), "standing": inputs.standing, "total": inputs.is_total}
                   for inputs in fluent.inputs],
        "outputs": [fluent.table.label(column) for column in fluent.output_columns],
        "orders": {fluent.table.label(column): order.name
                   for column, order in enumerate(fluent.orders) if order is not None},
    }
    if fluent.turns:
        described["turns"] = {str(value): role for value, role in fluent.turns}
    if fluent.ticks:
        described["ticks"] = list(map(str, fluent.ticks))
    return described


def _board_json(board: Board) -> dict[str, Any]:
    return {
        "name": board.name, "cells": len(board.cells), "ordered": board.is_ordered, "extents": list(board.extents),
        "axes": [{"values": list(map(str, axis.values)), "order": axis.order, "cyclic": axis.is_cyclic,
                  "selector": axis.is_selector} for axis in board.axes],
        "fluents": [layer.table.name for layer in board.layers],
        "markers": list(map(str, board.markers)), "pieces": list(map(str, board.pieces)),
        "empty": str(board.empty) if board.empty else None,
    }
