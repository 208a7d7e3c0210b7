"""`ludorum learn`: a net learns by self-play what states of a game are worth."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludorum.cli.arguments import GameArgument, Json, Seed, load_game
from ludorum.cli.output import console, print_json, table, working
from ludorum.clock import NEVER, Deadline

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludorum.learn import Learning

_DEFAULT_MINUTES = 10.0

Minutes = Annotated[float | None, typer.Option(
    min=0.001, show_default=False, help=f"How long to learn; {_DEFAULT_MINUTES:g} if no number of games is told.")]
Games = Annotated[int | None, typer.Option(
    min=1, show_default=False, help="How many games to play in all. Then a run comes to the same net every time.")]
Threads = Annotated[int, typer.Option(min=1, max=1024, help="How many threads play.")]
CrewOption = Annotated[str | None, typer.Option(
    "--crew", metavar="CREW", show_default=False,
    help="Who plays: local, pool, ray or ray://HOST:PORT; threads of this process if nobody is named.")]
Workers = Annotated[int | None, typer.Option(min=1, show_default=False, help="How many workers the crew has.")]
Resume = Annotated[Path | None, typer.Option(
    metavar="DIR", file_okay=False, help="Keep the run in this folder, and go on with the one that is there.")]
Keep = Annotated[bool, typer.Option("--keep/--no-keep", help="Whether players find the net from now on.")]


def learn(game: GameArgument, minutes: Minutes = None, games: Games = None, threads: Threads = 1,
          crew: CrewOption = None, workers: Workers = None, resume: Resume = None,
          seed: Seed = 0, keep: Keep = True, json: Json = False) -> None:
    """Learn by self-play what states are worth. Then players go by it: mcts:evaluation=net,prior_visits=64."""
    # Not before it is needed: NumPy takes a while to load.
    from ludorum.crew import select_crew
    from ludorum.learn import LearnSettings
    from ludorum.learn import learn as run_learning
    from ludorum.learn.curve import curve_svg
    from ludorum.learn.store import keep_net

    loaded = load_game(game)
    if minutes is None and games is None:
        minutes = _DEFAULT_MINUTES
    deadline = NEVER if minutes is None else Deadline.within(60 * minutes)
    begin, cpu = time.monotonic(), time.process_time()
    with working("finding out about the game"):
        from ludorum.learn.learning import refuse

        refuse(loaded)
    hands = None if crew is None else select_crew(crew, workers=workers)
    try:
        with _watching(begin) as watch:
            run = run_learning(loaded, LearnSettings(seed=seed), games=games, deadline=deadline, threads=threads,
                               crew=hands, folder=resume, watch=watch)
    finally:
        if hands is not None:
            hands.close(at_once=True)
    picture = None
    if resume is not None:
        picture = resume / "curve.svg"
        picture.write_text(curve_svg(f"{loaded.name}: {run.progress.games:,} games", run.trials), encoding="utf-8")
    place = keep_net(loaded, run.champion, run.told) if keep and run.progress.champion else None
    now = run.progress
    if json:
        print_json({"game": loaded.name, "generations": now.generation, "games": now.games, "states": now.states,
                    "evaluations": now.evaluations, "loss": now.loss, "champion": now.champion, "trials": run.trials,
                    "score": run.trials[-1]["against_first"] if run.trials else None,
                    "net": None if place is None else str(place), "curve": None if picture is None else str(picture),
                    "seconds": time.monotonic() - begin, "cpu_seconds": time.process_time() - cpu})
        return
    shown = table("generation", "games", "loss", "against the best", "95 %", "against the first", "", left=0)
    for trial in run.trials[-12:]:
        shown.add_row(*_told(trial))
    console().print(shown)
    console().print(f"{now.games:,} games, {now.states:,} states, {now.evaluations:,} evaluations in "
                    f"{time.monotonic() - begin:.1f} s")
    console().print(f"the net of generation {now.champion} is kept: {place}" if place is not None else
                    "no net beat the weights of fluents" if not now.champion else "the net is not kept for players")


def _told(trial: dict[str, Any]) -> tuple[str, ...]:
    return (f"{trial['generation']:.0f}", f"{trial['games']:,.0f}", f"{trial['loss']:.4f}", f"{trial['score']:.1%}",
            f"{trial['low']:.0%} to {trial['high']:.0%}", f"{trial['against_first']:.1%}",
            "kept" if trial["is_better"] else "")


@contextmanager
def _watching(begin: float) -> Iterator[Callable[[Learning], None]]:
    """Lines on standard error after every trial; where a person is looking, one that changes."""
    seen = [0]

    def watch(run: Learning) -> None:
        now = run.progress
        if sys.stderr.isatty():
            print(f"\r{time.monotonic() - begin:6.0f} s  generation {now.generation}, {now.games:,} games, "
                  f"loss {now.loss:.4f}, best {now.champion} ", end="", file=sys.stderr, flush=True)
        elif now.gates > seen[0]:
            seen[0] = now.gates
            print("  ".join(_told(run.trials[-1])), file=sys.stderr, flush=True)

    yield watch
    if sys.stderr.isatty():
        print(file=sys.stderr)
