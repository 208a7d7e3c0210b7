"""How many playouts is knowledge worth? `flux` with a fixed number of states a move against `mcts` with more and more
playouts: where their scores are even, an evaluated state is worth the quotient.

Both count what they do, so that it does not matter what else the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator

from experiments import games
from experiments.meetings import Meeting, by_game, play_all, scores
from experiments.plan import Plan

GAMES = (games.CONNECT_FOUR, games.BREAKTHROUGH, games.PAWN_WHOPPING, games.QUAD, games.OTHELLO)
PLAYOUTS = (100, 1_000, 10_000)

STATES = 10_000
MATCHES = 20
MOST_STEPS = 200


def run(plan: Plan) -> None:
    play_all(plan, "worth", _meetings(plan))


def table(plan: Plan) -> str:
    """The score of `flux` in every game, by the playouts of `mcts`."""
    heads = [f"`mcts` with {playouts:,} playouts" for playouts in PLAYOUTS]
    return (f"Score of `flux` with {plan.playouts or STATES:,} states a move, in per cent, with its 95 % interval:\n\n"
            f"{scores(by_game(plan, 'worth', _meetings(plan)), heads)}")


def _meetings(plan: Plan) -> Iterator[Meeting]:
    for source in GAMES:
        if plan.wants(source.title):
            for playouts in PLAYOUTS:
                yield Meeting("worth", source, ("flux", f"flux:states={plan.playouts or STATES},openings=2"),
                              (f"mcts {playouts}", f"mcts:playouts={playouts}"), plan.matches or MATCHES,
                              max_steps=MOST_STEPS)

