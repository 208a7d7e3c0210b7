"""`ludorum tournament`: many matches, a table and a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ludorum.cli.arguments import Json, can_be_written
from ludorum.cli.output import console, print_json, table
from ludorum.cli.verb import Failure
from ludorum.grammar import agree
from ludorum.match import tournament as tournaments
from ludorum.match.archive import Archive
from ludorum.match.plan import TournamentPlan
from ludorum.match.tournament import Progress, Standings

File = Annotated[Path, typer.Argument(metavar="FILE", help="The plan of the tournament, in TOML.")]
Workers = Annotated[int | None, typer.Option(
    metavar="N", min=1, help="How many matches at once; one a core if not given.")]
CrewOption = Annotated[str, typer.Option(
    "--crew", metavar="CREW", help="Who plays: local, pool, ray or ray://HOST:PORT.")]
ArchiveOption = Annotated[str | None, typer.Option(
    "--archive", metavar="ARCHIVE", help="Where matches are kept, a file or postgresql://USER@HOST/NAME; beside the "
    "plan, under its name with .db, if not given.")]
Html = Annotated[Path | None, typer.Option(
    "--html", callback=can_be_written,
    help="Where the page goes; beside the plan, under its name with .html, if not given.")]


def tournament(file: File, workers: Workers = None, crew: CrewOption = "pool", archive: ArchiveOption = None,
               html: Html = None, json: Json = False) -> None:
    """Play a tournament, or go on with it, and show the standings. Fails if a match could not be played."""
    plan = TournamentPlan.read(file)
    html = html or file.with_suffix(".html")
    with Archive(archive or file.with_suffix(".db")) as matches, _progress(plan) as progress:
        standings = tournaments.run(plan, matches, workers=workers, crew=crew, progress=progress)
    from ludorum.match.page import page

    html.write_text(page(standings), encoding="utf-8")
    if json:
        print_json(standings.as_dict())
    else:
        _show(standings, html)
    if standings.failures:
        count = len(standings.failures)
        raise Failure(f"{count} {agree(count, 'match', 'matches')} could not be played: {standings.failures[0]}")


@contextmanager
def _progress(plan: TournamentPlan) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error, where a person is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    err = Console(stderr=True, markup=False, emoji=False)
    with Bar(TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
             TextColumn("{task.fields[last]}", markup=False), console=err) as bar:
        task = bar.add_task(plan.name, total=None, last="loading games")
        yield lambda progress: bar.update(task, completed=progress.played, total=progress.planned,
                                          last=progress.last)


def _show(standings: Standings, html: Path) -> None:
    out = console()
    # Matches without a goal are left out of the mean, and so they are counted beside it.
    lacking = any(standing.undefined_goals for standing in standings.standings)
    made = table("player", "rating", "95 % interval", "matches", "mean goal", *(["no goal"] if lacking else []),
                 "errors")
    for standing in standings.standings:
        made.add_row(standing.player, f"{standing.elo:+.0f}", f"{standing.low:+.0f} to {standing.high:+.0f}",
                     str(standing.matches), "none" if standing.mean_goal is None else f"{standing.mean_goal:.1f}",
                     *([str(standing.undefined_goals)] if lacking else []), str(standing.errors))
    out.print(made)
    if lacking:
        out.print("Ratings count an end without a goal as 0.")
    for test in standings.tests:
        out.print(str(test))
    for failure in standings.failures:
        out.print(f"not played: {failure}")
    matches = len(standings.records)
    out.print(f"{matches} {agree(matches, 'match', 'matches')}; the page is {html}")
