"""`ludorum bench`: how fast random matches are played."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from ludorum.cli.arguments import WHAT_IS_A_GAME, Engine, Json, Seed, load_game
from ludorum.cli.comparing import show_comparisons
from ludorum.cli.completion import complete_game
from ludorum.cli.output import console, print_json, table, working
from ludorum.cli.verb import Failure
from ludorum.compare.memory import forget_peak, peak_mb
from ludorum.engines.abilities import RunsInLanes
from ludorum.engines.playouts import Outcome, Playouts
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.grammar import agree

# One call of the engine takes about this long: long enough to amortise its start, short enough to keep to the
# time.
_CALL_SECONDS = 0.5
# The results of a call are arrays; this many rows are a few dozen megabytes.
_MOST_PLAYOUTS = 4_000_000

Games = Annotated[list[str] | None, typer.Argument(
    metavar="GAME", help=WHAT_IS_A_GAME, autocompletion=complete_game)]
Seconds = Annotated[float | None, typer.Option(
    metavar="SECONDS", min=0.01,
    help="How long to play each game: 3 if nothing is said; of a comparison, how long each search takes: 5.")]
Threads = Annotated[int, typer.Option(metavar="N", min=1, help="How many threads play.")]
Lanes = Annotated[int | None, typer.Option(help="64, 256 or 512 games in a machine word.")]
MaxSteps = Annotated[int, typer.Option(metavar="N", min=1, help="Cut matches that are longer.")]
Compare = Annotated[bool, typer.Option(
    "--compare", help="Search along recorded matches with every engine instead, and compare.")]
Signature = Annotated[bool, typer.Option(
    "--signature", help="Instead: one number over fixed games and seeds, which a change of no answer leaves alone.")]
Matches = Annotated[int, typer.Option(metavar="N", min=1, help="Of a comparison: along how many matches.")]


def bench(games: Games = None, seconds: Seconds = None, threads: Threads = 1, engine: Engine = None,
          lanes: Lanes = None, seed: Seed = 0, max_steps: MaxSteps = 10_000, compare: Compare = False,
          matches: Matches = 3, signature: Signature = False, json: Json = False) -> None:
    """Measure playouts and states a second. In wall time, and without loading."""
    if signature:
        _sign(games, json=json)
        return
    if not games:
        raise typer.BadParameter("name a game, or ask for --signature", param_hint="GAME")
    if compare:
        show_comparisons(games, engine, seconds=seconds or 5.0, matches=matches, seed=seed, json=json)
        return
    if lanes not in (None, 64, 256, 512):
        raise typer.BadParameter("there are 64, 256 or 512 lanes", param_hint="--lanes")
    results, failures = [], []
    for what in games:
        try:
            results.append(_measure(what, engine, seconds or 3.0, threads=threads, lanes=lanes, seed=seed,
                                    max_steps=max_steps))
        except LudorumError as error:
            # The other games still count.
            if len(games) == 1:
                raise
            failures.append(f"{what}: {error}")
    if json:
        print_json({"results": results, "failures": failures})
    elif results:
        _show(results)
    if failures:
        raise Failure("; ".join(failures))


def _sign(games: list[str] | None, *, json: bool) -> None:
    from ludorum.cli.signature import signature

    if games:
        raise typer.BadParameter("it is taken over fixed games; name none", param_hint="--signature")
    with working("counting"):
        counted = signature()
    if json:
        print_json(counted)
    else:
        console().print(counted["signature"])


def _measure(what: str, engine: str | None, seconds: float, **options: Any) -> dict[str, Any]:
    forget_peak()
    game = load_game(what, engine)
    with working(f"playing {game.name}"):
        elapsed, runs = _play(game, seconds, **options)
    roles = [str(role) for role in game.roles]
    playouts = sum(map(len, runs))
    states = sum(run.states for run in runs)
    return {
        "game": game.name,
        "engine": game.engine,
        "lanes": options["lanes"] or _lanes(game),
        "threads": options["threads"],
        "playouts": playouts,
        "seconds": elapsed,
        "playouts_per_second": playouts / elapsed,
        "states_per_second": states / elapsed,
        "mean_length": states / playouts,
        "mean_goals": {role: _mean_goal(runs, role) for role in roles},
        "finished": sum(run.count(Outcome.FINISHED) for run in runs),
        "stuck": sum(run.count(Outcome.STUCK) for run in runs),
        "cut": sum(run.count(Outcome.CUT) for run in runs),
        "undefined_goals": sum(sum(run.undefined_goals.values()) for run in runs),
        "load_seconds": game.report["load_seconds"],
        "peak_memory_mb": peak_mb(),
    }


def _play(game: Game, seconds: float, *, seed: int, **options: Any) -> tuple[float, list[Playouts]]:
    """Play for about so many seconds, after a warm-up that finds out how many playouts a call should make."""
    wanted = min(_CALL_SECONDS, seconds)

    def call(n: int) -> float:
        start = time.perf_counter()
        game.playouts(n, seed=seed, **options)
        return time.perf_counter() - start

    n = 1
    # What takes long is asked again: the first call does what is done once for all, and a busy machine may hold up any.
    while n < _MOST_PLAYOUTS and ((took := call(n)) < wanted / 2 or (took := call(n)) < wanted / 2):
        n *= 4
    n = max(1, min(_MOST_PLAYOUTS, int(n * min(1.0, wanted / took))))

    runs: list[Playouts] = []
    start = time.perf_counter()
    elapsed = 0.0
    while elapsed < seconds:
        runs.append(game.playouts(n, seed=seed + len(runs), **options))
        elapsed = time.perf_counter() - start
    return elapsed, runs


def _lanes(game: Game) -> int | None:
    reasoner = game.reasoner
    return reasoner.lanes(reasoner.initial) if isinstance(reasoner, RunsInLanes) else None


def _mean_goal(runs: list[Playouts], role: str) -> float | None:
    defined = [(run.mean_goals[role], len(run) - run.undefined_goals[role]) for run in runs]
    count = sum(number for _, number in defined)
    return sum(mean * number for mean, number in defined if mean is not None) / count if count else None


def _show(results: list[dict[str, Any]]) -> None:
    measured = table("game", "engine", "lanes", "playouts/s", "states/s", "length", "goals", "load s", "MB",
                     left=2)
    for result in results:
        goals = " ".join("–" if mean is None else f"{mean:.1f}" for mean in result["mean_goals"].values())
        measured.add_row(
            result["game"], result["engine"], str(result["lanes"] or "–"),
            f"{result['playouts_per_second']:,.0f}", f"{result['states_per_second']:,.0f}",
            f"{result['mean_length']:.1f}", goals, f"{result['load_seconds']:.2f}",
            f"{result['peak_memory_mb']:.0f}")
    out = console()
    out.print(measured)
    for result in results:
        odd = [f"{result[what]:,} {what}" for what in ("stuck", "cut") if result[what]]
        if undefined := result["undefined_goals"]:
            odd.append(f"{undefined:,} undefined {agree(undefined, 'goal')}")
        if odd:
            playouts = f"{result['playouts']:,} {agree(result['playouts'], 'playout')}"
            out.print(f"{result['game']}: of {playouts}, {', '.join(odd)}")
