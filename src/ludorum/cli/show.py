"""`ludorum show`: a match step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludorum.cli.arguments import Json
from ludorum.cli.output import console, print_json, working
from ludorum.draw import draw
from ludorum.errors import LudorumError
from ludorum.game import State
from ludorum.loading import load
from ludorum.match import Record
from ludorum.match.foreign import read_record

File = Annotated[Path, typer.Argument(
    metavar="RECORD", help="A match record: ours, or one of GGP-Base or the Tiltyard.")]
GameOption = Annotated[str | None, typer.Option(
    "--game", metavar="GAME", help="The game of a record that does not hold its rules.")]
Step = Annotated[int | None, typer.Option(
    "--step", metavar="N", min=0, help="Only the state after so many steps; all of them if not given.")]


def show(record: File, game: GameOption = None, step: Step = None, json: Json = False) -> None:
    """Show a match step by step. The page steps through it by keys: ludorum web, then Matches."""
    found = read_record(record, game)
    if step is not None and step > len(found.moves):
        raise LudorumError(f"{record} has {len(found.moves)} steps, and no step {step}")
    if json:
        print_json(_described(found, step))
        return
    with working(f"loading {found.game}"):
        loaded = load(found.text, name=found.game)
    states = [loaded.state(state) for state in found.states]
    out = console()
    out.print(f"{found.game}: " + ", ".join(f"{role} {player}" for role, player in found.players.items()))
    for number in range(len(states)) if step is None else [step]:
        _show(found, number, states)
    out.print(f"\n{found}")


def _show(found: Record, number: int, states: list[State]) -> None:
    joint = "" if not number else ": " + ", ".join(f"{role} {move}" for role, move in found.moves[number - 1].items())
    before = states[number - 1] if number else None
    console().print(f"\nstep {number}{joint}\n\n{draw(states[number], since=before, brief=before is not None)}")


def _described(found: Record, step: int | None) -> dict[str, object]:
    steps = range(len(found.states)) if step is None else [step]
    return {"game": found.game, "roles": found.roles, "players": found.players, "outcome": found.outcome,
            "goals": found.goals,
            "steps": [{"step": number, "moves": found.moves[number - 1] if number else None,
                       "state": found.states[number]} for number in steps]}
