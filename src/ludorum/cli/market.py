"""`ludorum market`: a live market, with traders near and far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludorum.cli.arguments import Json, Seed, can_be_written, find_rules
from ludorum.cli.output import console, print_json, working
from ludorum.clock import ALL_DAY
from ludorum.errors import LudorumError, UnknownPlayer

if TYPE_CHECKING:
    from ludorum.game import Game
    from ludorum.marketplace import Line
    from ludorum.match import Record
    from ludorum.move import Move
    from ludorum.state import State

What = Annotated[str, typer.Argument(metavar="MARKET", help="A market's path, its text, or a name of the library.")]
Traders = Annotated[list[str] | None, typer.Argument(
    metavar="[TRADER]…", help="As role=TRADER: the address of an HTTP player, a name such as zi, or terminal for you. "
                              "Who is not named comes in by the door.")]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Where the door is; 0 for any that is free.")]
Host = Annotated[str, typer.Option(metavar="HOST", help="Which of this machine's addresses the door is at.")]
Tick = Annotated[float, typer.Option(metavar="SECONDS", min=0.01, max=ALL_DAY, help="How long a tick lasts.")]
Opening = Annotated[float, typer.Option(
    metavar="SECONDS", min=0, max=ALL_DAY, help="How long the market waits for its traders before it opens.")]
RecordTo = Annotated[Path | None, typer.Option(
    "--record", metavar="FILE", callback=can_be_written, help="Keep the record here, after every step.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the market of --record, which was interrupted.")]

_DOOR, _TERMINAL = "door", "terminal"


def market(market: What, traders: Traders = None, port: Port = 9149, host: Host = "127.0.0.1", tick: Tick = 1.0,
           opening: Opening = 60.0, record: RecordTo = None, resume: Resume = False, seed: Seed = 0,
           json: Json = False) -> None:
    """Hold a live market. Messages of a tick go out together; late ones wait, and who is gone is silent."""
    from ludorum.game import Game
    from ludorum.market import is_market, parse, translate
    from ludorum.marketplace import DoorLine, door, hold
    from ludorum.marketplace.door import Desk
    from ludorum.match.referee import new_id
    from ludorum.move import Move

    source = find_rules(market)
    if not is_market(source):
        raise LudorumError(f"{source.name} is no market: it has no traders that send messages")
    name = "market" if source.name.startswith("<") else Path(source.name).stem
    kept = _interrupted(record) if resume else None
    if kept is not None:
        tick = kept.play_clock or tick
    elif record is not None and record.exists():
        raise LudorumError(f"{record} is there already; --resume goes on with it")
    with working(f"loading {source.name}"):
        translation = translate(parse(source))
        game = Game(translation.rules, name=name)
    lines = _lines(game, list(traders or ()), kept, tick, seed)
    with door(Desk(name, {role: line for role, line in lines.items() if isinstance(line, DoorLine)}),
              host, port) as address:
        if not json:
            console().print(f"{name}: the door is at {address}; a tick lasts {tick:g} s")
            for role, line in lines.items():
                console().print(f"{role}: {line.name}")
        held = hold(game, lines, silent=Move(translation.silent), tick=tick, opening=opening, seed=seed, path=record,
                    going_on=kept is not None, match=new_id(game), watch=None if json else _show)
    payoffs = {role: translation.units(goal) for role, goal in held.goals.items() if goal is not None}
    if json:
        print_json({"market": held.id, "moves": held.moves, "goals": held.goals, "outcome": held.outcome,
                    "payoffs": payoffs, "errors": len(held.errors)})
        return
    for role in lines:
        if role in payoffs:
            console().print(f"{role}: {payoffs[role]:g}")


def _interrupted(record: Path | None) -> Record:
    """The record of a market that is to go on."""
    from ludorum.match import record as records

    if record is None:
        raise typer.BadParameter("--resume goes on from the file that --record names")
    return records.read(record)


def _lines(game: Game, texts: list[str], kept: Record | None, tick: float, seed: int) -> dict[str, Line]:
    from ludorum.match.referee import contenders, seed_for

    named = dict(kept.seats) if kept is not None else {}
    for text in texts:
        role, equals, trader = text.partition("=")
        if not equals:
            raise UnknownPlayer(f"{text} sits nowhere: write role=TRADER")
        named[game.role(role)] = trader
    return {role: _line(named.get(role, _DOOR), tick, seed_for(seed, role)) for role in contenders(game)}


def _line(text: str, tick: float, seed: int) -> Line:
    from ludorum.marketplace import DoorLine, SeatLine, TerminalLine
    from ludorum.match.player_spec import seat_for

    if text.partition(":")[0] == _DOOR:
        return DoorLine(text.partition(":")[2] or None)
    return TerminalLine() if text == _TERMINAL else SeatLine(seat_for(text, seed=seed), tick)


def _show(state: State, joint: dict[str, Move]) -> None:
    """The market as its maker sees it: what was done, and not who sent what."""
    acted = joint.get("random")
    if acted is not None and str(acted) != "none" and not str(acted).startswith("(deal"):
        console().print(f"{state.step:>4}  {acted}")
