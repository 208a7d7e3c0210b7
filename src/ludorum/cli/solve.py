"""`ludorum solve`: the plan of a puzzle, or the values of a small game of any kind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from ludorum.belief import has_secrets, hides
from ludorum.cli.arguments import GameArgument, Json, Seed, find_rules
from ludorum.cli.goals import say_without_goals, without_goals
from ludorum.cli.output import console, print_json, working
from ludorum.cli.strategies import show_equilibrium
from ludorum.cli.values import show_values
from ludorum.cli.verb import Failure
from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.loading import load_source

if TYPE_CHECKING:
    from ludorum.search.puzzle import Solution

# Of the time for everything, so much may go into compiling the game; planning by answer sets can do without.
_LOADING = 1 / 3

# As typed; the methods' own names have spaces.
_METHODS = {"breadth-first": "breadth-first", "a-star": "a-star", "beam": "beam", "nested": "nested Monte-Carlo",
            "asp": "answer sets", "factors": "factors", "relaxed": "relaxed", "ida-star": "ida-star",
            "lookahead": "lookahead"}


def _known_method(name: str | None) -> str | None:
    if name is not None and name not in _METHODS:
        raise typer.BadParameter(f"there is no method {name!r}, only {', '.join(_METHODS)}")
    return name


Seconds = Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="How long it may take, loading included.")]
MethodOption = Annotated[str | None, typer.Option(
    "--method", callback=_known_method, metavar="|".join(_METHODS),
    help="Use this one alone; all share the time if none is named.")]


def solve(game: GameArgument, seconds: Seconds = 60.0, method: MethodOption = None, seed: Seed = 0,
          json: Json = False) -> None:
    """Find the best that can be reached. The plan of a puzzle, or the value of a small game for every role."""
    start = time.perf_counter()
    deadline = Deadline.within(seconds)
    source = find_rules(game)
    with working(f"loading {source.name}"):
        loaded = load_source(source, seconds=seconds * _LOADING)
    if len(loaded.roles) > 1:
        if method is not None:
            raise LudorumError(f"{loaded.name} has {len(loaded.roles)} roles; --method is for games of one")
        if hides(loaded) and has_secrets(loaded):
            show_equilibrium(loaded, deadline, json=json)
        else:
            show_values(loaded, deadline, json=json)
        return
    with working("solving"):
        solution = _solution(loaded, deadline, method, seed)
    taken = time.perf_counter() - start
    end = loaded.initial if solution.goal is None else loaded.replay(solution.plan)
    lacking = [] if solution.goal is None else without_goals(end.goals)
    if json:
        print_json({
            "game": loaded.name, "goal": solution.goal, "undefined_goals": lacking,
            "plan": [str(move) for move in solution.plan],
            "proved": solution.proved, "method": solution.method, "seconds": taken,
            "tried": [{"method": did.method, "seconds": did.seconds, "goal": did.goal, "outcome": did.outcome}
                      for did in solution.tried],
        })
    else:
        _print(solution, taken)
        if lacking:
            console().print(f"{say_without_goals(end.goals)} That counts as 0.")
    if not solution.proved:
        why = "no plan was found" if solution.goal is None else f"something may be worth more than {solution.goal}"
        raise Failure(f"{loaded.name} is not solved: {why}")


def _solution(game: Game, deadline: Deadline, method: str | None, seed: int) -> Solution:
    from ludorum.search.puzzle import Portfolio

    portfolio = Portfolio(game.initial, method=_METHODS[method] if method else None, seed=seed)
    try:
        return portfolio.solve(deadline)
    finally:
        portfolio.close()


def _print(solution: Solution, seconds: float) -> None:
    out = console()
    for number, move in enumerate(solution.plan, start=1):
        out.print(f"{number:3}  {move}")
    if solution.goal is not None:
        out.print(f"goal {solution.goal}{', the highest that can be reached' if solution.proved else ''}; "
                  f"{len(solution.plan)} {agree(len(solution.plan), 'move')}, replayed; found by {solution.method} "
                  f"in {seconds:.2f} s")
    elif solution.proved:
        out.print(f"no play ever ends: proved by {solution.method} in {seconds:.2f} s")
    for did in solution.tried:
        found = "" if did.goal is None else f", best {did.goal}"
        out.print(f"  {did.method}: {did.outcome}{found}; {did.seconds:.2f} s")
