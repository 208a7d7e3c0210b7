"""RAVE never, always and adaptive at games where it helps and where it harms (Méhat and Vittaut: adaptive RAVE).

Two equal players meet; what counts is how many of their matches are drawn without a mistake of either. The paper does
not say whether its players keep their trees from move to move; both ways are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import ludorum
from experiments.checks import BLIND, STALE_DATED, CashingChecks
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents, wilson
from ludorum.match import tasks
from ludorum.match.record import Record
from ludorum.match.tasks import GameSheet, MatchTask
from ludorum.players import Clocks

PLAYOUTS = 2_000
MATCHES = 500

#: As in the paper: one playout after the other, a node for each, values of 0 to 1, and nothing proved.
OPTIONS = "in_flight=1,expand_at=1,proofs=false,exploration=0.4,rave_equivalence=700,rave_margin=0"


#: Who plays, by what becomes of the tree between moves.
PLAYERS = {"from scratch": "experiments.scratch:FromScratch", "kept": "mcts"}


@dataclass(frozen=True)
class Cell:
    """A game and a use of RAVE, and what the paper found."""

    title: str
    game: str
    solved: CashingChecks
    rave: str
    paper: str


CELLS = (
    Cell("Blind", "cashingchecks", BLIND, "never", "over 50"),
    Cell("Blind", "cashingchecks", BLIND, "always", "93.39"),
    Cell("Blind", "cashingchecks", BLIND, "adaptive", "91.40"),
    Cell("Stale-dated", "staledatedchecks", STALE_DATED, "never", "49.10"),
    Cell("Stale-dated", "staledatedchecks", STALE_DATED, "always", "–"),
    Cell("Stale-dated", "staledatedchecks", STALE_DATED, "adaptive", "47.20"),
)


def run(plan: Plan) -> None:
    with plan.archive("rave") as archive:
        # In turn, so that a run that ends early has something of each.
        queue = [task for tree in PLAYERS
                 for group in zip(*(_tasks(plan, cell, tree) for cell in _wanted(plan)), strict=True) for task in group]
        missing = [task for task in queue if task.id not in archive]
        plan.tell(f"rave: {len(queue) - len(missing)} of {len(queue)} matches are there")
        for number, (_, result) in enumerate(tasks.run(missing, workers=plan.workers, crew=plan.crew),
                                                 start=1):
            if isinstance(result, Record):
                archive.add(result)
            else:
                plan.tell(f"rave: {result.why}")
            if number % 60 == 0:
                plan.tell(f"rave: {number} of {len(missing)} matches")


def table(plan: Plan) -> str:
    """Percentages of optimal draws beside the paper's."""
    rows, spent = [], 0.0
    with plan.archive("rave") as archive:
        for tree in PLAYERS:
            for cell in _wanted(plan):
                records = [record for task in _tasks(plan, cell, tree)
                           if (record := archive.get(task.id)) and record.is_over]
                if not records:
                    continue
                taken = [cashed(record) for record in records]
                optimal = sum(map(cell.solved.is_optimal, taken))
                largest = sum(map(cell.solved.takes_the_largest, taken))
                spent += sum(record.cpu_seconds or 0 for record in records)
                rows.append([f"{cell.title}, {cell.rave}", tree, percent(optimal / len(records)),
                             percents(*wilson(optimal, len(records))), cell.paper, percent(largest / len(records)),
                             len(records)])
    return (markdown(["game, RAVE", "tree", "optimal draws, %", "95 %", "the paper", "by the largest check alone, %",
                      "matches"], rows)
            + f"\n{plan.playouts or PLAYOUTS:,} playouts a move. CPU time spent: {spent / 60:,.0f} minutes.\n")


def cashed(record: Record) -> list[int]:
    """The checks that were taken, in order."""
    return [int(number) for joint in record.moves for move in joint.values() for number in re.findall(r"\d+", move)]


def _wanted(plan: Plan) -> list[Cell]:
    return [cell for cell in CELLS if plan.wants(cell.title)]


def _tasks(plan: Plan, cell: Cell, tree: str) -> Iterator[MatchTask]:
    sheet = GameSheet.of(ludorum.load(cell.game))
    player = f"{PLAYERS[tree]}:playouts={plan.playouts or PLAYOUTS},rave={cell.rave},{OPTIONS}"
    for number in range(plan.matches or MATCHES):
        yield tasks.task(sheet, [(role, f"{role}, {cell.rave}", player) for role in ("left", "right")], Clocks(),
                         tournament="rave", number=number, seed=0)
