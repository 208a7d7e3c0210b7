"""The command's verbs, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

from ludorum.cli.analyse import analyse
from ludorum.cli.bench import bench
from ludorum.cli.check import check
from ludorum.cli.draw import draw
from ludorum.cli.exploit import exploit
from ludorum.cli.export import export
from ludorum.cli.games import games
from ludorum.cli.info import info
from ludorum.cli.learn import learn
from ludorum.cli.market import market
from ludorum.cli.markets import markets
from ludorum.cli.match import match
from ludorum.cli.perft import perft
from ludorum.cli.play import play
from ludorum.cli.prove import prove
from ludorum.cli.replay import replay
from ludorum.cli.scramble import scramble
from ludorum.cli.serve import serve
from ludorum.cli.show import show
from ludorum.cli.solve import solve
from ludorum.cli.tournament import tournament
from ludorum.cli.verb import verb
from ludorum.cli.web import web

app = typer.Typer(
    help="A general game player: rules in, games out.",
    pretty_exceptions_enable=False,
    # Plain help: framing it would take longer than printing it.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        from ludorum.match.record import software

        typer.echo(", ".join(f"{name} {version}" for name, version in software().items()))
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_tell_version, is_eager=True,
                                       help="Show the version and exit.")]


@app.callback(invoke_without_command=True)
def help_is_the_default(context: typer.Context, version: Version = False) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for function in (games, check, info, draw, show, play, match, tournament, serve, market, markets, web, bench, learn,
                 perft, solve, exploit, prove, analyse, replay, scramble, export):
    app.command()(verb(function))
