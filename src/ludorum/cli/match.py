"""`ludorum match`: players meet, ours and those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludorum.cli.arguments import Engine, Json, Seed, load_game
from ludorum.cli.commentary import Commentary
from ludorum.cli.completion import complete_game, complete_player
from ludorum.cli.goals import say_without_goals, without_goals
from ludorum.cli.onlooker import Onlooker
from ludorum.cli.output import console, print_json, table, working
from ludorum.cli.stuck import say_stuck
from ludorum.cli.verb import Failure
from ludorum.clock import ALL_DAY
from ludorum.draw import draw
from ludorum.errors import LudorumError
from ludorum.game import Game, State
from ludorum.grammar import agree
from ludorum.loading import load
from ludorum.match import Clocks, Record, conduct
from ludorum.match import record as records
from ludorum.match import resume as go_on_with
from ludorum.match.player_spec import assign, introduce, seat_for
from ludorum.match.referee import new_id, seed_for
from ludorum.match.seat import Seat

What = Annotated[str | None, typer.Argument(
    metavar="GAME", autocompletion=complete_game,
    help="A rulesheet's path, the text of rules, or a name of the library.")]
Players = Annotated[list[str] | None, typer.Argument(
    metavar="PLAYER", autocompletion=complete_player,
    help="A name with options, module:Class, or an address; in the order of the roles or as role=PLAYER.")]
StartClock = Annotated[float, typer.Option(metavar="SECONDS", min=0, max=ALL_DAY, help="Seconds to prepare.")]
PlayClock = Annotated[float, typer.Option(
    metavar="SECONDS", min=0.001, max=ALL_DAY, help="Seconds a move; fractions are allowed.")]
Grace = Annotated[float, typer.Option(
    metavar="SECONDS", min=0, max=ALL_DAY, help="Seconds that an answer may take beyond its clock, for the way.")]
Games = Annotated[int, typer.Option(
    metavar="N", min=1, help="How many matches; each has a seed of its own, one more each time.")]
RecordTo = Annotated[Path | None, typer.Option("--record", metavar="DIR", help="Keep the records in this folder.")]
Resume = Annotated[Path | None, typer.Option(
    metavar="DIR|FILE", help="Go on with the matches of these records that were interrupted.")]
Watched = Annotated[bool, typer.Option("--watch", help="Draw every state.")]
ZeroForFaults = Annotated[bool, typer.Option(
    "--zero-for-faults", help="In the table, a player has 0 for a match in which it did something wrong.")]
MaxSteps = Annotated[int, typer.Option(metavar="N", min=1, help="Where to cut a match.")]

# Who is gone fails at every step; the record has it all.
_SHOWN = 5


def match(game: What = None, players: Players = None, start_clock: StartClock = 10, play_clock: PlayClock = 1,
          grace: Grace = 0.5, games: Games = 1, seed: Seed = 0, record: RecordTo = None, resume: Resume = None,
          watch: Watched = False, engine: Engine = None, max_steps: MaxSteps = 10_000,
          zero_for_faults: ZeroForFaults = False, json: Json = False) -> None:
    """Play matches between players, here and elsewhere."""
    if (game is None) == (resume is None):
        raise typer.BadParameter("name a game and its players, or records to --resume")
    failures: list[str] = []
    if resume is not None:
        played = _go_on(resume, engine, max_steps, failures, quiet=json)
    else:
        loaded = load_game(str(game), engine)
        texts = assign(loaded, players or [])
        for text in texts.values():
            seat_for(text)  # who is not there should be told before the first match, not in the middle
        clocks = Clocks(start_clock, play_clock, grace)
        played = []
        for number in range(games):
            its_seed = seed + number
            name = new_id(loaded)
            seats = _seats(texts, its_seed)
            _announce(loaded, seats, quiet=json)
            with working(f"match {number + 1} of {games}"):
                played.append(conduct(
                    loaded, seats, clocks=clocks, seed=its_seed, match=name, max_steps=max_steps,
                    path=None if record is None else record / f"{name}.json",
                    watch=None if json else Onlooker() if watch else None if games > 1 else Commentary(_show)))
            _conclude(played[-1], loaded if games == 1 else None, drawn=not watch, quiet=json)
    if json:
        print_json({"matches": [_describe(record) for record in played]})
    elif len(played) > 1:
        console().print(_summary(played, zero_for_faults))
    if failures:
        raise Failure("; ".join(failures))


def _go_on(place: Path, engine: str | None, max_steps: int, failures: list[str], *, quiet: bool) -> list[Record]:
    """Plays the matches that were interrupted to their ends; in a folder, one that cannot be stops no other."""
    played = []
    for path in records.records(place):
        try:
            record = records.read(path)
            if not record.is_over:
                _resume(record, path, engine, max_steps, quiet=quiet)
                played.append(record)
        except LudorumError as error:
            if not place.is_dir():
                raise
            failures.append(str(error))
    if not played and not failures and not quiet:
        console().print(f"{place}: nothing was interrupted")
    return played


def _resume(record: Record, path: Path, engine: str | None, max_steps: int, *, quiet: bool) -> None:
    game = load(record.text, name=record.game, engine=engine)
    # Another seed than at the start: the same choices again would not be those that were left to make.
    seats = _seats({game.role(role): spec for role, spec in record.seats.items()}, record.seed, len(record.moves))
    _announce(game, seats, quiet=quiet)
    with working(f"going on with {record.id}"):
        go_on_with(game, seats, record, path=path, max_steps=max_steps)
    _conclude(record, None, quiet=quiet)


def _seats(texts: dict[str, str], *seed: int) -> dict[str, Seat]:
    seats = {role: seat_for(text, seed=seed_for(*seed, role)) for role, text in texts.items()}
    introduce(seats)
    return seats


def _show(state: State, moves: str) -> None:
    if moves:
        console().print(f"{state.step:>4}  {moves}")


def _announce(game: Game, seats: dict[str, Seat], *, quiet: bool) -> None:
    if not quiet:
        console().print(f"{game.name}: {', '.join(f'{role} {seat.name}' for role, seat in seats.items())}")


def _conclude(record: Record, game: Game | None, *, drawn: bool = True, quiet: bool) -> None:
    if quiet:
        return
    out = console()
    if game is not None and drawn:
        out.print(f"\n{draw(game.state(record.states[-1]))}\n")
    for error in record.errors[:_SHOWN]:
        where = "at the start" if error.during == "start" else f"at step {error.step}"
        instead = f"; {error.instead} was played" if error.instead else ""
        out.print(f"error of {error.role} {where}: {error.kind}: {error.message}{instead}")
    if (more := len(record.errors) - _SHOWN) > 0:
        out.print(f"… and {more} more {agree(more, 'error')}")
    out.print(str(record))
    if record.outcome == "stuck" and game is not None:
        out.print(say_stuck(game.state(record.states[-1])))
    if record.outcome == "finished" and (sentence := say_without_goals(record.goals)):
        out.print(sentence)


def _summary(played: list[Record], zero_for_faults: bool) -> Any:
    # Matches without a goal are left out of the mean, and so they are counted beside it.
    lacking = {role for record in played for role in without_goals(record.goals)}
    made = table("role", "player", "matches", "mean goal", *(["no goal"] if lacking else []), "errors", left=2)
    for role in played[0].roles:
        scores = [record.scores(zero_for_faults=zero_for_faults).get(role) for record in played]
        goals = [goal for goal in scores if goal is not None]
        wrong = sum(error.role == role for record in played for error in record.errors)
        made.add_row(role, played[0].players[role], str(len(played)),
                     f"{sum(goals) / len(goals):.1f}" if goals else "none",
                     *([str(len(played) - len(goals))] if lacking else []), str(wrong))
    return made


def _describe(record: Record) -> dict[str, Any]:
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(record)
    # Whoever wants the rules and the states asks for a record.
    for key in ("format", "rules", "states", "software"):
        del told[key]
    return told
