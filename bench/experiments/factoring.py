"""Searching by parts against searching the whole, in games that are really several games.

Both have the same number of playouts a move, or of states, which the parts share. A fixed number of states makes the
same moves every time, so matches of `minimax` begin with two random ones. Puzzles have no opponent: there it is
counted how often the highest goal is reached.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import ludorum
from experiments.games import Source
from experiments.meetings import Meeting, play_all
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents, wilson
from ludorum.players import MCTS

#: The games of the corpora whose parts are played all at once and each for its own sake, one of each kind: bunk_t and
#: two Dresden sheets are doubletictactoe by other names.
GAMES = tuple(Source(name, f"ggp.org/{name}") for name in (
    "doubletictactoe", "ticTacToeParallel", "connectFourSimultaneous", "blockerParallel", "chinook"))
#: Who searches, with how much work a move.
SEARCHES = (("mcts", "playouts", 200), ("mcts", "playouts", 2_000), ("minimax", "states", 2_000))
OPENINGS = {"minimax": ",openings=2"}
MATCHES = 40

PUZZLES = tuple(Source(name, f"ggp.org/{name}") for name in (
    "lightsOnParallel", "snakeParallel", "blocksWorldParallel", "blocksWorldSerial", "asteroidsParallel"))
PLAYOUTS = (500, 5_000, 50_000)
#: Matches of a puzzle with each setting.
ATTEMPTS = 10


def run(plan: Plan) -> None:
    play_all(plan, "factoring", _meetings(plan))
    known = {(line["puzzle"], line["playouts"], line["factors"], line["seed"]) for line in plan.noted("factoring")}
    with plan.notes("factoring") as note:
        for source in PUZZLES:
            if not plan.wants(source.title) or not source.is_here:
                continue
            for playouts in _playouts(plan):
                for seed in range(_attempts(plan)):
                    for factors in (False, True):
                        if (source.title, playouts, factors, seed) not in known:
                            note(_attempt(source, playouts, factors, seed))
                plan.tell(f"{source.title}: attempts with {playouts:,} playouts a move")


def table(plan: Plan) -> str:
    """The score of searching by parts in every game, and how often puzzles are solved with it and without."""
    spent, found = 0.0, dict[str, list[str]]()
    with plan.archive("factoring") as archive:
        for meeting in _meetings(plan):
            result = meeting.result(archive)
            spent += result.comparison.cpu_seconds
            found.setdefault(meeting.source.title, []).append(result.score)
    heads = ["game", *(f"`{name}`, {work:,} {unit}" for name, unit, work in _searches(plan))]
    text = ("Score of searching by parts against searching the whole, in per cent, with its 95 % interval; the same "
            f"work a move:\n\n{markdown(heads, ([title, *cells] for title, cells in found.items()))}\n")
    lines = [line for line in plan.noted("factoring") if line["seed"] < _attempts(plan)]
    spent += sum(line["cpu_seconds"] for line in lines)
    rows = []
    for source in PUZZLES:
        cells = [_share([line for line in lines if (line["puzzle"], line["playouts"], line["factors"]) ==
                         (source.title, playouts, factors)])
                 for playouts in _playouts(plan) for factors in (False, True)]
        if any(cell != "–" for cell in cells):
            rows.append([source.title, *cells])
    heads = [f"{playouts:,}, {how}" for playouts in _playouts(plan) for how in ("whole", "by parts")]
    return (f"{text}Attempts of `mcts` at puzzles that reach the highest goal, in per cent, with the 95 % interval; by "
            f"playouts a move:\n\n{markdown(['puzzle', *heads], rows)}\nCPU time spent: {spent / 60:,.0f} minutes.\n")


def _searches(plan: Plan) -> list[tuple[str, str, int]]:
    return [(name, unit, plan.playouts or work) for name, unit, work in SEARCHES]


def _meetings(plan: Plan) -> Iterator[Meeting]:
    for name, unit, work in _searches(plan):
        for source in GAMES:
            if plan.wants(source.title) and source.is_here:
                limit = f"{unit}={work}{OPENINGS.get(name, '')}"
                yield Meeting("factoring", source, (f"{name} {work} by parts", f"{name}:{limit},factors=on"),
                              (f"{name} {work}", f"{name}:{limit}"), plan.matches or MATCHES)


# ---- puzzles ----


def _playouts(plan: Plan) -> tuple[int, ...]:
    return PLAYOUTS if plan.playouts is None else (plan.playouts,)


def _attempts(plan: Plan) -> int:
    return min(plan.matches or ATTEMPTS, ATTEMPTS)


def _attempt(source: Source, playouts: int, factors: bool, seed: int) -> dict[str, Any]:
    start = time.process_time()
    game = source.load()
    player = MCTS(None, playouts=playouts, factors=factors, seed=seed)
    match = ludorum.play(game, {game.roles[0]: player})
    return {"puzzle": source.title, "playouts": playouts, "factors": factors, "seed": seed,
            "goal": match.goals[game.roles[0]] or 0, "moves": len(match.moves),
            "cpu_seconds": round(time.process_time() - start, 3)}


def _share(lines: list[dict[str, Any]]) -> str:
    if not lines:
        return "–"
    solved = sum(line["goal"] == 100 for line in lines)
    return f"{percent(solved / len(lines))} ({percents(*wilson(solved, len(lines)))})"
