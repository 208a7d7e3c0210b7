"""`ludorum play`: a person against the engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludorum.belief import hides
from ludorum.cli.arguments import Engine, Json, Seed, load_game
from ludorum.cli.completion import complete_game
from ludorum.cli.goals import say_without_goals
from ludorum.cli.onlooker import Insider, Onlooker
from ludorum.cli.opponent import LEVELS, Opponent
from ludorum.cli.output import console, print_json, working
from ludorum.cli.person import Command, Left, Person
from ludorum.cli.session import PERSON, Session
from ludorum.cli.stuck import say_stuck
from ludorum.cli.verb import Failure
from ludorum.draw import draw, scene
from ludorum.engines.playouts import Outcome
from ludorum.errors import InvalidRecord, LudorumError
from ludorum.game import Game, Role
from ludorum.grammar import agree
from ludorum.loading import load
from ludorum.match import Match, Record
from ludorum.match import record as records
from ludorum.match.referee import RANDOM, contenders

What = Annotated[str, typer.Argument(
    metavar="GAME", autocompletion=complete_game,
    help="A rulesheet's path, the text of rules, or a name of the library.")]
RoleOption = Annotated[str | None, typer.Option("--role", help="The role you play; the first if not given.")]
Seconds = Annotated[float | None, typer.Option(
    metavar="SECONDS", min=0.01, help="How long the engine thinks about a move; 1, or 0.2 in a demonstration.")]
Level = Annotated[int | None, typer.Option(
    metavar="N", min=1, max=LEVELS,
    help="How strong the engine is, whatever the time; as strong as it can be if not given.")]
Resume = Annotated[Path | None, typer.Option(
    metavar="FILE", help="Go on with a game that you saved; no other game is named then.")]
Demo = Annotated[bool, typer.Option("--demo", help="Watch the engine play against itself.")]


def play(game: What = "connectfour", role: RoleOption = None, seconds: Seconds = None, level: Level = None,
         resume: Resume = None, engine: Engine = None, seed: Seed = 0, demo: Demo = False, json: Json = False) -> None:
    """Play a game against the engine. Without a terminal, watch a demonstration."""
    saved = None if resume is None else records.read(resume)
    loaded = load_game(game, engine) if saved is None else _loaded(saved, engine)
    mine = _whose(loaded, role, saved)
    is_demo = demo or json or not (sys.stdin.isatty() and sys.stdout.isatty())
    thinks = seconds or (0.2 if is_demo else 1)
    seats = {other: Opponent(loaded, other, thinks, seed + number, level)
             for number, other in enumerate(contenders(loaded))}
    onlooker = None if json else Insider(loaded, mine) if not is_demo and hides(loaded) else Onlooker()
    if saved is not None and isinstance(onlooker, Insider):
        raise LudorumError("a game with secrets cannot be gone on with: what the roles knew is not kept")
    session = Session(loaded, seats, seed=seed, watch=onlooker)
    if saved is not None:
        session.follow(saved)
    if not is_demo:
        session.seat(mine, _person(session, mine, seats, onlooker))
        console().print(f"You play {mine} in {loaded.name}.\n")
    try:
        played = session.run()
    except Left:
        console().print("You left the game.")
        return
    if json:
        print_json(_describe(played))
    else:
        if isinstance(onlooker, Insider):
            onlooker.reveal(played)
        console().print(_verdict(played, None if is_demo else mine))
    if played.outcome == Outcome.STUCK:
        raise Failure(say_stuck(played.states[-1]))


def _loaded(saved: Record, engine: str | None) -> Game:
    with working(f"loading {saved.game}"):
        return load(saved.text, name=saved.game, engine=engine)


def _person(session: Session, mine: Role, seats: dict[Role, Opponent], onlooker: Insider | Onlooker | None) -> Person:
    """The person at this terminal, with the commands that the game allows."""
    with working(f"looking for the board of {session.game.name}"):
        scene(session.game.initial)
    if isinstance(onlooker, Insider):
        knows = Command("with a formula, such as knows (terminal or K you …): whether you know that",
                        lambda _, argument: console().print(onlooker.knows(argument)))
        return Person({"knows": knows}, onlooker.doubts)
    return Person(_commands(session, mine, seats))


def _whose(game: Game, role: str | None, saved: Record | None) -> Role:
    """Who the person is: as told, as in the saved game, or the first."""
    if role is not None:
        return game.role(role)
    if saved is not None:
        for name, who in saved.players.items():
            if who == PERSON:
                return game.role(name)
        raise InvalidRecord(f"{saved.id} is no game that a person played; say who you are by --role")
    return next(iter(contenders(game)), game.role(RANDOM) if RANDOM in game.roles else game.roles[0])


def _commands(session: Session, mine: Role, seats: dict[Role, Opponent]) -> dict[str, Command]:
    """What a person can say beside moves; nothing in a game with secrets, where it would tell too much."""
    game, out = session.game, console()
    others = [seats[role] for role in seats if role != mine]
    if hides(game):
        return {}

    def save(argument: str) -> None:
        path = Path(argument or f"{game.name}.json")
        session.save(path, {role: PERSON if role == mine else "ludorum" for role in seats})
        out.print(f"Saved: ludorum play --resume {path} goes on with it.")

    def set_level(argument: str) -> None:
        if not argument.isdecimal() or not 1 <= int(argument) <= LEVELS:
            raise LudorumError(f"a level is a number from 1 to {LEVELS}")
        for other in others:
            other.set_level(int(argument))
        out.print(f"The engine plays at level {argument}.")

    return {
        "undo": Command("takes back your last move", lambda _, __: session.take_back(mine)),
        # Nobody thinks for chance.
        **({"hint": Command("tells what the engine would play", lambda state, _: out.print(
            f"The engine would play {seats[mine].move(state, mine)}."))} if mine in seats else {}),
        "level": Command(f"with a number from 1 to {LEVELS}: makes the engine weaker or stronger",
                         lambda _, argument: set_level(argument)),
        "save": Command("keeps the game in a file, with its name if you like", lambda _, argument: save(argument)),
        "draw": Command("shows the board again", lambda state, _: out.print(f"\n{draw(state)}\n")),
        "all": Command("shows everything that is true", lambda state, _: out.print(str(state))),
    }


def _verdict(played: Match, mine: Role | None) -> str:
    goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in played.goals.items())
    verdict = f"After {len(played.moves)} {agree(len(played.moves), 'step')} the goals are: {goals}."
    if played.outcome:
        verdict = f"The game is {played.outcome.name.lower()}. {verdict}"
    elif sentence := say_without_goals(played.goals):
        verdict = f"{verdict} {sentence}"
    others = [played.goals[role] for role in contenders(played.game) if role != mine]
    told = [goal for goal in others if goal is not None]
    yours = None if mine is None or mine == RANDOM else played.goals[mine]
    # Without all of the goals nobody knows who won.
    if played.outcome or yours is None or not told or len(told) < len(others):
        return verdict
    if yours == max(told):
        return f"{verdict} A draw."
    return f"{verdict} You {'win!' if yours > max(told) else 'lose.'}"


def _describe(played: Match) -> dict[str, Any]:
    return {
        "game": played.game.name,
        "roles": list(played.game.roles),
        "moves": [{role: str(move) for role, move in joint.items()} for joint in played.moves],
        "outcome": played.outcome.name.lower(),
        "goals": played.goals,
    }
