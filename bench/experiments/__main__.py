"""Runs the experiments, or goes on with them, and writes their tables.

    make experiments                                    all of them, as far as they are wanted
    PYTHONPATH=bench python -m experiments rave         one of them
    PYTHONPATH=bench python -m experiments --tables     only the tables, of what is there

Matches and searches are kept in build/experiments as they are made; an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

from experiments import (
    cadia_against_mcts,
    counting_against_mcts,
    decay,
    distance,
    equilibrium,
    factoring,
    filtering,
    fluents_against_mcts,
    flux_against_mcts,
    hyperplay,
    ludorum_against_mcts,
    modelchecking,
    rave,
    sufficiency,
    toss_against_flux,
    variants,
    worth,
)
from experiments.plan import ROOT, Plan

EXPERIMENTS: dict[str, ModuleType] = {module.__name__.rpartition(".")[2]: module
                                      for module in (rave, sufficiency, variants, cadia_against_mcts, decay,
                                                     flux_against_mcts, fluents_against_mcts, ludorum_against_mcts,
                                                     distance, worth, factoring, filtering, hyperplay, equilibrium,
                                                     toss_against_flux, counting_against_mcts, modelchecking)}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=f"{', '.join(EXPERIMENTS)}; all if none")
    parser.add_argument("--games", nargs="+", default=[], metavar="GAME", help="only these, as the tables call them")
    parser.add_argument("--matches", type=int, help="matches, or searches, of a kind")
    parser.add_argument("--playouts", type=int, help="playouts a move")
    parser.add_argument("--seconds", type=float, help="seconds a move, where both have the same time")
    parser.add_argument("--start-clock", type=float, help="seconds before the first move, where players prepare")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0 plays in this one")
    parser.add_argument("--crew", default="pool", help="who plays: local, pool, ray or ray://HOST:PORT")
    parser.add_argument("--folder", type=Path, default=Plan.folder, help="where results are kept")
    parser.add_argument("--write", type=Path, default=ROOT / "docs" / "lab", help="where tables are written")
    parser.add_argument("--tables", action="store_true", help="play nothing, only write the tables of what is there")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.experiments if name not in EXPERIMENTS]:
        parser.error(f"there is no experiment {unknown[0]!r}, only {', '.join(EXPERIMENTS)}")
    plan = Plan(chosen.folder, tuple(chosen.games), chosen.matches, chosen.playouts, chosen.seconds,
                chosen.start_clock, chosen.workers, chosen.crew)
    chosen.write.mkdir(parents=True, exist_ok=True)
    for name in chosen.experiments or EXPERIMENTS:
        if not chosen.tables:
            EXPERIMENTS[name].run(plan)
        (chosen.write / f"{name}.md").write_text(EXPERIMENTS[name].table(plan), encoding="utf-8")


if __name__ == "__main__":
    main()
