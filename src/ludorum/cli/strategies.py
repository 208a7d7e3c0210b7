"""What `ludorum solve` says of a game with secrets: its values, and how to play so that nobody can gain."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ludorum.cli.output import console, print_json, working
from ludorum.clock import Deadline
from ludorum.game import Game, Role

if TYPE_CHECKING:
    from ludorum.equilibrium import Equilibrium

# Moves that are less likely than this are not shown, and more information sets of a role than this only with --json.
_LEAST, _MOST_SHOWN = 5e-4, 40


def show_equilibrium(game: Game, deadline: Deadline, *, json: bool) -> None:
    """Solve a game with secrets and print what it is worth, the strategies, and what can be gained against them."""
    from ludorum.equilibrium import solve_small

    start = time.perf_counter()
    with working("solving"):
        found = solve_small(game, deadline)
    seconds = time.perf_counter() - start
    stages = found.parts
    if json:
        print_json({
            "game": game.name, "values": found.values, "best_reply": found.best_replies,
            "strategies": {role: [info for stage, (_, part) in enumerate(stages)
                                  for info in _strategy(part, role, stage if len(stages) > 1 else None)]
                           for role in found.values},
            **({"stages": [sorted(map(str, state.fluents)) for state, _ in stages]} if len(stages) > 1 else {}),
            "nash_conv": found.nash_conv, "exploitability": found.exploitability, "optimal": found.is_optimal,
            "constant_sum": found.constant_sum, "method": found.method, "nodes": found.nodes,
            "seconds": seconds,
        })
        return
    out = console()
    for stage, (state, part) in enumerate(stages):
        if len(stages) > 1:
            out.print(f"from {' '.join(sorted(map(str, state.fluents)))}" if stage else "from the beginning")
        for role in part.tree.players:
            _print_strategy(part, role)
    values = ", ".join(f"{role} {value:.6g}" for role, value in found.values.items())
    sense = "" if found.is_optimal else "; an equilibrium only if nothing can be gained, and there may be others"
    out.print(f"{values}; by {found.method}; a best reply gains {found.exploitability:.2g}{sense}")


def _strategy(found: Equilibrium, role: Role, stage: int | None) -> list[dict[str, Any]]:
    plan = found.plans[found.tree.players.index(role)]
    return [{**({} if stage is None else {"stage": stage}),
             "history": [{"move": str(move), "percepts": sorted(map(str, told))} for move, told in info.history],
             "moves": {str(move): part for move, part in parts.items()}}
            for info, parts in zip(found.tree.information_sets(role), found.tree.choices(role, plan), strict=True)]


def _print_strategy(found: Equilibrium, role: Role) -> None:
    out = console()
    plan = found.plans[found.tree.players.index(role)]
    sets = found.tree.information_sets(role)
    if len(sets) > _MOST_SHOWN:
        out.print(f"{role} has {len(sets)} information sets; --json lists them")
        return
    out.print(f"{role}")
    for info, parts, comes in zip(sets, found.tree.choices(role, plan), found.tree.reach(role, plan), strict=True):
        if not comes:
            continue
        likely = ", ".join(f"{move} {part:.3g}" for move, part in parts.items() if part >= _LEAST)
        out.print(f"  {info}: {likely}")
