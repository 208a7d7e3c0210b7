"""How small games with secrets are solved: values, what best replies gain, and regret matching beside OpenSpiel's.

OpenSpiel's solver is the one in C++, on its own game of the same rules; ours has the game from its text. Both make as
many iterations in the same process, and both are asked how much all players together could gain. Times are of the
processor, growing the tree included.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from experiments.plan import Plan
from experiments.tables import markdown
from ludorum import load
from ludorum._core import RegretMatching
from ludorum.belief import Belief
from ludorum.equilibrium import GameTree, solve_small
from ludorum.move import Move

ITERATIONS = 1_000
#: After so many of them it is asked how much could be gained, for the picture.
MOMENTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
SOLVED = ("kuhnpoker", "leducpoker", "liarsdice3", "liarsdice4", "spyvsspy", "bankerandthief", "explodingbomb",
          "montyhall", "meier")


@dataclass(frozen=True)
class Rival:
    """A game of ours and OpenSpiel's of the same rules; what a point of its results is worth in goals."""

    game: str
    theirs: str
    points: float


RIVALS = (
    Rival("kuhnpoker", "kuhn_poker", 25),
    Rival("leducpoker", "leduc_poker(suit_isomorphism=true)", 3),
    Rival("liarsdice4", "liars_dice(numdice=1,dice_sides=4)", 50),
)
#: Whose belief is followed, and what it is told turn by turn: nothing that others could not have been told.
BELIEFS = (("kriegtictactoe", 9), ("blindbreakthrough", 10), ("phantomtictactoe", 12), ("battleshipsinfog", 12))


def run(plan: Plan) -> None:
    done = {(noted["what"], noted["game"]) for noted in plan.noted("equilibrium")}
    parts: list[tuple[str, str, Callable[[], dict[str, Any]]]] = [
        *(("solved", name, lambda name=name: _solved(name)) for name in SOLVED),
        *(("iterated", rival.game, lambda rival=rival: _iterated(rival)) for rival in RIVALS),
        *(("belief", name, lambda name=name, turns=turns: _sizes(name, turns)) for name, turns in BELIEFS)]
    with plan.notes("equilibrium") as note:
        for what, name, measured in parts:
            if plan.wants(name) and (what, name) not in done:
                plan.tell(f"{name}: {what}")
                note({"what": what, "game": name, **measured()})


def _solved(name: str) -> dict[str, Any]:
    start = time.process_time()
    found = solve_small(load(name))
    return {"values": list(found.values.values()), "nodes": found.nodes, "method": found.method,
            "nash_conv": found.nash_conv, "seconds": time.process_time() - start}


def _iterated(rival: Rival) -> dict[str, Any]:
    """What is left to gain by the number of iterations, for every kind; and what all of them took."""
    start = time.process_time()
    tree = GameTree.grow(load(rival.game))
    growing = time.process_time() - start
    found: dict[str, Any] = {}
    for name, is_predictive in (("CFR+", False), ("PCFR+", True)):
        regrets, spent, gains = RegretMatching(tree.core, is_predictive), growing, []
        for moment in MOMENTS:
            start = time.process_time()
            regrets.run(moment - regrets.rounds)
            spent += time.process_time() - start
            gains.append(tree.nash_conv(regrets.average()))
        found[name] = {"gains": gains, "seconds": spent}
    return {"kinds": found | _open_spiel(rival)}


def _open_spiel(rival: Rival) -> dict[str, Any]:
    try:
        import pyspiel
    except ImportError:
        return {}
    start = time.process_time()
    game = pyspiel.load_game(rival.theirs)
    solver = pyspiel.CFRPlusSolver(game)
    spent, gains, made = time.process_time() - start, [], 0
    for moment in MOMENTS:
        start = time.process_time()
        for _ in range(moment - made):
            solver.evaluate_and_update_policy()
        made, spent = moment, spent + time.process_time() - start
        gains.append(rival.points * pyspiel.nash_conv(game, solver.average_policy()))
    return {"OpenSpiel CFR+": {"gains": gains, "seconds": spent}}


def _sizes(name: str, turns: int) -> dict[str, Any]:
    """How many states are possible for the first role after each turn of a match in which everybody's move is first."""
    game = load(name)
    role, state = game.roles[0], game.initial
    belief, sizes = Belief(game, role, seed=0), []
    for turn in range(turns):
        if state.is_terminal:
            break
        joint: dict[str, Move] = {each: state.legal(each)[turn % len(state.legal(each))] for each in game.roles}
        state = state.after(joint)
        belief.perceived(joint[role], state.percepts[role])
        if not belief.is_exact:
            break
        sizes.append(len(belief))
    return {"sizes": sizes}


def table(plan: Plan) -> str:
    """Values; regret matching by kind; sizes of beliefs."""
    noted = list(plan.noted("equilibrium"))
    solved = [[found["game"], ", ".join(f"{value:.6f}" for value in found["values"]), f"{found['nodes']:,}",
               found["method"], f"{found['nash_conv']:.1g}", f"{found['seconds']:.2f}"]
              for found in noted if found["what"] == "solved"]
    iterated = [[found["game"], kind, *(f"{gain:.2g}" for gain in of_kind["gains"]), f"{of_kind['seconds']:.3f}"]
                for found in noted if found["what"] == "iterated" for kind, of_kind in found["kinds"].items()]
    sizes = [[found["game"], ", ".join(f"{size:,}" for size in found["sizes"])]
             for found in noted if found["what"] == "belief"]
    moments = [f"{moment:,}" for moment in MOMENTS]
    return "\n".join([
        "Values by role, and what all roles together could gain (`nash_conv`, in points of 100):\n",
        markdown(["game", "values", "nodes", "by", "`nash_conv`", "CPU s"], solved),
        "`nash_conv` after so many iterations, and CPU seconds for all of them from the text of the rules:\n",
        markdown(["game", "by", *moments, "CPU s"], iterated),
        "States possible for the first role after each turn, where all make their moves in order:\n",
        markdown(["game", "states"], sizes)])
