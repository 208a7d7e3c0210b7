"""`ludorum play`: a person against the engine."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from ludorum import match
from ludorum.cli.arguments import Engine, Json, Seed, load_game
from ludorum.cli.commentary import Commentary
from ludorum.cli.knowledge import Knowledge
from ludorum.cli.onlooker import Insider, show
from ludorum.cli.output import console, print_json, working
from ludorum.cli.person import Left, Person
from ludorum.clock import NEVER, Deadline
from ludorum.game import Game, Move, Role, State
from ludorum.grammar import agree
from ludorum.match import Match
from ludorum.match.referee import RANDOM, contenders
from ludorum.players import Ludorum, Player
from ludorum.players.uncertain import move_in_doubt
from ludorum.search.belief import hides

What = Annotated[str, typer.Argument(
    metavar="GAME", help="A rulesheet's path, the text of rules, or a name of the library.")]
RoleOption = Annotated[str | None, typer.Option("--role", help="The role you play; the first if not given.")]
Seconds = Annotated[float | None, typer.Option(
    min=0.01, help="How long the engine thinks about a move; 1, or 0.2 in a demonstration.")]
Demo = Annotated[bool, typer.Option("--demo", help="Watch the engine play against itself.")]


def play(game: What = "connectfour", role: RoleOption = None, seconds: Seconds = None, engine: Engine = None,
         seed: Seed = 0, demo: Demo = False, json: Json = False) -> None:
    """Play a game against the engine. Without a terminal, watch a demonstration."""
    loaded = load_game(game, engine)
    people = contenders(loaded)
    mine = next(iter(people), RANDOM) if role is None else loaded.role(role)
    is_demo = demo or json or not (sys.stdin.isatty() and sys.stdout.isatty())
    thinks = seconds or (0.2 if is_demo else 1)
    seats: dict[str, Player] = {other: _Engine(loaded, other, thinks, seed + number)
                                for number, other in enumerate(people)}
    insider = None if is_demo or not hides(loaded) else Insider(loaded, mine)
    if not is_demo:
        seats[mine] = Person()
        console().print(f"You play {mine} in {loaded.name}.\n")
    try:
        played = match.play(loaded, seats, seed=seed, watch=None if json else insider or Commentary(show))
    except Left:
        console().print("You left the game.")
        return
    if json:
        print_json(_describe(played))
        return
    if insider is not None:
        insider.reveal(played)
    console().print(_verdict(played, None if is_demo else mine))


class _Engine:
    """The opponent, who shows that it is thinking, and who knows no more of the state than its role can."""

    def __init__(self, game: Game, role: Role, seconds: float, seed: int) -> None:
        self._player = Ludorum(seconds, seed=seed)
        self._seconds = seconds
        self._knowledge = Knowledge(game, role, seed) if hides(game) else None
        self._last: Move | None = None

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        with working(f"{role} is thinking"):
            if self._knowledge is not None and self._last is not None:
                self._knowledge.learn(state, self._last)
            legal = state.legal(role)
            self._last = legal[0] if len(legal) == 1 else self._choose(state, state.game.role(role), deadline)
        return self._last

    def _choose(self, state: State, role: Role, deadline: Deadline) -> Move:
        if self._knowledge is None:
            return self._player.move(state, role, deadline)
        belief, legal = self._knowledge.belief, state.legal(role)
        if belief is None or not belief.legal:
            return legal[0]
        chosen = move_in_doubt(self._player, belief, role, deadline.or_within(self._seconds))
        return chosen if chosen in legal else legal[0]


def _verdict(played: Match, mine: Role | None) -> str:
    goals = ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in played.goals.items())
    verdict = f"After {len(played.moves)} {agree(len(played.moves), 'step')} the goals are: {goals}."
    if played.outcome:
        verdict = f"The game is {played.outcome.name.lower()}. {verdict}"
    others = [played.goals[role] or 0 for role in contenders(played.game) if role != mine]
    if mine is None or mine == RANDOM or not others:
        return verdict
    yours = played.goals[mine] or 0
    if yours == max(others):
        return f"{verdict} A draw."
    return f"{verdict} You {'win!' if yours > max(others) else 'lose.'}"


def _describe(played: Match) -> dict[str, Any]:
    return {
        "game": played.game.name,
        "roles": list(played.game.roles),
        "moves": [{role: str(move) for role, move in joint.items()} for joint in played.moves],
        "outcome": played.outcome.name.lower(),
        "goals": played.goals,
    }
