"""How often the winning move is found, against playouts (Gudmundsson and Björnsson: Sufficiency-Based Selection).

UCT, the sufficiency threshold in its plain form and in its adaptive one, in the position that `position` tells of.
A search is asked after 100 playouts, then after more; it would play the move that it tried most, or the one whose value
is highest: both are counted.
"""

from __future__ import annotations

import time
from typing import Any

from experiments import position
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents, wilson
from ludorum import Game
from ludorum.search import TreeSearch, TreeSettings

SETTINGS: dict[str, dict[str, Any]] = {
    "UCT": {},
    "ST": {"sufficiency": "fixed", "sufficient": 0.6},
    "adaptive ST": {"sufficiency": "adaptive"},
}
#: One playout after the other and a node for each, as in the paper, and nothing proved: a search that proves values
#: solves this position within a few thousand playouts, whatever its selection.
OPTIONS: dict[str, Any] = {"in_flight": 1, "expand_at": 1, "exploration": 0.4, "proofs": False}

ASKED_AT = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
#: Searches from each position with each setting.
SEARCHES = 8


def run(plan: Plan) -> None:
    game = position.load()
    known = {(line["picture"], line["setting"], line["seed"])
             for line in plan.noted("sufficiency") if _reaches(plan, line)}
    with plan.notes("sufficiency") as note:
        for seed in range(plan.matches or SEARCHES):
            for picture in position.POSITIONS:
                for setting in SETTINGS:
                    if (picture, setting, seed) in known:
                        continue
                    note(_search(plan, game, picture, setting, seed))
            plan.tell(f"sufficiency: {seed + 1} searches of each kind")


def table(plan: Plan) -> str:
    """How often the winning move is chosen."""
    lines = [line for line in plan.noted("sufficiency") if line["seed"] < (plan.matches or SEARCHES)]
    text = ""
    for title, key in (("the move tried most", "tried"), ("the move with the highest value", "valued")):
        rows = []
        for place, asked in enumerate(ASKED_AT):
            row, count = [f"{asked:,}"], 0
            for setting in SETTINGS:
                chosen = [line[key][place] for line in lines
                          if line["setting"] == setting and len(line[key]) > place]
                count = len(chosen)
                if chosen:
                    found = chosen.count(position.WINNING)
                    fooled = sum(move in position.OPTIMISTIC for move in chosen)
                    row.append(f"{percent(found / len(chosen))} ({percents(*wilson(found, len(chosen)))}); "
                               f"{percent(fooled / len(chosen))}")
            if count:
                rows.append([*row, f"{count}"])
        text += (f"Playing {title}: per cent of searches that play a5a6 (95 % interval); that play a capture on a7 or "
                 f"c7:\n\n{markdown(['playouts', *SETTINGS, 'searches'], rows)}\n")
    spent = sum(line["cpu_seconds"] for line in lines)
    return text + f"CPU time spent: {spent / 60:,.1f} minutes.\n"


def _search(plan: Plan, game: Game, picture: str, setting: str, seed: int) -> dict[str, Any]:
    start, asked = time.process_time(), 0
    state = position.state(game, picture)
    tried, valued = [], []
    with TreeSearch(game, TreeSettings(seed=seed, **OPTIONS, **SETTINGS[setting])) as search:
        for point in _points(plan):
            moves = search.think(state, playouts=point - asked).moves[game.role("white")]
            asked = point
            tried.append(str(max(moves, key=lambda move: (moves[move].visits, moves[move].value))))
            valued.append(str(max(moves, key=lambda move: (moves[move].value, moves[move].visits))))
    return {"picture": picture, "setting": setting, "seed": seed, "tried": tried, "valued": valued,
            "cpu_seconds": round(time.process_time() - start, 4)}


def _points(plan: Plan) -> list[int]:
    return [point for point in ASKED_AT if point <= (plan.playouts or ASKED_AT[-1])]


def _reaches(plan: Plan, line: dict[str, Any]) -> bool:
    return len(line["tried"]) >= len(_points(plan))
