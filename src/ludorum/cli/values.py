"""What `ludorum solve` says of a game of several roles: its exact values."""

from __future__ import annotations

from ludorum.cli.goals import say_without_goals, without_goals
from ludorum.cli.output import console, print_json, working
from ludorum.cli.verb import Failure
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.grammar import agree


def show_values(game: Game, deadline: Deadline, *, json: bool) -> None:
    """Solve a game and print what it is worth to every role; raises Failure if there was not enough time."""
    from ludorum.search.values import solve_values

    with working("solving"):
        solved = solve_values(game, deadline)
    if solved is None:
        if json:
            print_json({"game": game.name, "values": None})
        raise Failure(f"{game.name} is not solved: there was not enough time to see all that matters")
    end = game.initial
    for joint_move in solved.principal_variation:
        end = end.after(joint_move)
    lacking = without_goals(end.goals) if end.is_terminal else []
    steps = [{role: str(move) for role, move in joint.items()} for joint in solved.principal_variation]
    if json:
        print_json({"game": game.name, "values": solved.values, "undefined_goals": lacking, "moves": steps,
                    "method": solved.method, "assumes": list(solved.assumes), "states": solved.states,
                    "seconds": solved.seconds})
        return
    out = console()
    for number, joint in enumerate(steps, start=1):
        out.print(f"{number:3}  {', '.join(f'{role} {move}' for role, move in joint.items())}")
    out.print(f"{', '.join(f'{role} {value:g}' for role, value in solved.values.items())}; solved by {solved.method}, "
              f"{solved.states:,} {agree(solved.states, 'state')} in {solved.seconds:.2f} s")
    for sentence in solved.assumes:
        out.print(f"assumes that {sentence}")
    if lacking:
        out.print(f"{say_without_goals(end.goals)} That counts as 0.")
