"""`ludorum draw`: what a state of a game looks like."""

from __future__ import annotations

from typing import Annotated

import typer

from ludorum.cli.arguments import Engine, GameArgument, Json, load_game
from ludorum.cli.output import print_json, working
from ludorum.draw import clicks, scene
from ludorum.draw import draw as drawn
from ludorum.gdl.natural import natural

Moves = Annotated[list[str] | None, typer.Argument(
    metavar="[MOVE]…", show_default=False,
    help="Such as '(mark 2 2)': the moves of the roles that have a choice, step by step; the initial state if none.")]
Svg = Annotated[bool, typer.Option("--svg", help="Print a picture in SVG instead of text.")]
ShowClicks = Annotated[bool, typer.Option(
    "--clicks", help="Tell which places one clicks for each legal move, beside the board.")]


def draw(game: GameArgument, moves: Moves = None, svg: Svg = False, show_clicks: ShowClicks = False,
         engine: Engine = None, json: Json = False) -> None:
    """Draw the state of a game after some moves. Its boards, and whatever else is true."""
    loaded = load_game(game, engine)
    state = loaded.replay(" ".join(moves or []))
    with working(f"looking for the board of {loaded.name}"):
        text = drawn(state)
        picture = scene(state) if svg or json else None
        ways = {role: clicks(state, role) for role in loaded.roles} if show_clicks else None
    if json:
        assert picture is not None
        print_json({"game": loaded.name, "step": state.step, "text": text,
                    "fluents": sorted(map(str, state.fluents), key=natural), "terminal": state.is_terminal,
                    "goals": state.goals if state.is_terminal else None,
                    "legal": {role: list(map(str, state.legal(role))) for role in loaded.roles},
                    "scene": picture.json()}
                   | ({"svg": picture.svg()} if svg else {})
                   | ({"clicks": {role: way.json()["moves"] for role, way in ways.items()}} if ways else {}))
        return
    print(text if picture is None else picture.svg())
    for role, way in (ways or {}).items():
        for move, path in way.items():
            print(f"{role}  {move}: {', then '.join(map(str, path)) or way.way(move)}")
