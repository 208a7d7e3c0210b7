"""What symmetries and factors save, counted in states and not in seconds, so that a busy machine makes no difference.

    python bench/symmetry.py thesis     Table 8.1 of Schiffel's thesis, its 13 games as far as the corpora have them
    python bench/symmetry.py found      symmetries of some games by graphs and with polynomials, and those in play
    python bench/symmetry.py solving    states that minimax and tree search need with symmetries and without
    python bench/symmetry.py strength   matches of tree searches with symmetries and without
    python bench/symmetry.py factors    states that solving by parts needs, and solving the whole

Each prints a table in Markdown, as docs/symmetry.md and docs/factors.md show it; with --only, the rows of one game. The
games are looked for in CORPUS/games, or where --games says.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import collection
import ludorum
from ludorum import Game
from ludorum._core import Simulator
from ludorum._core import Symmetries as CoreSymmetries
from ludorum.analysis.factors import Factors, decompose
from ludorum.analysis.symmetry import Symmetries, find_symmetries
from ludorum.clock import Budget
from ludorum.engines.circuit import CircuitReasoner
from ludorum.players import MCTS
from ludorum.search.canonicalization import core_symmetries
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.puzzle.breadth import BreadthFirst
from ludorum.search.puzzle.factored import Factored
from ludorum.search.puzzle.problem import Problem
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeSearch
from ludorum.sequential import interval

#: Matches between players with symmetries and without, and how long they think.
MATCHES, PLAYOUTS = 60, 1000
#: No search looks at more states than these, so that all of them together take minutes.
MOST_STATES = 60_000


@dataclass(frozen=True)
class Row:
    """A game of Table 8.1: its name there, a sheet of it, the depth of the thesis, and the symmetries found there."""

    name: str
    sheet: str
    depth: int
    symmetries: int


TABLE = [
    Row("8puzzle", "dresden/8puzzle", 15, 1), Row("asteroidsparallel", "dresden/asteroidsparallel", 7, 127),
    Row("asteroids", "dresden/asteroids", 15, 7), Row("chinesecheckers1", "ggp.org/chineseCheckers1", 11, 1),
    Row("chinesecheckers2", "ggp.org/chineseCheckers2", 7, 1), Row("connect4", "ggp.org/connect4", 6, 1),
    Row("knightmove", "ggp.org/knightmove", 7, 7), Row("knightthrough", "dresden/knightthrough", 4, 1),
    Row("peg", "ggp.org/peg", 7, 7), Row("pentago", "dresden/pentago_2008", 5, 7),
    Row("tictactoeparallel", "ggp.org/ticTacToeParallel", 4, 127), Row("tictactoe", "ggp.org/ticTacToe", 9, 7),
    Row("tictictoe", "dresden/tictictoe", 9, 7),
]


def visited(game: Game, depth: int, core: CoreSymmetries | None, most: int = MOST_STATES) -> list[int]:
    """How many different states there are within 0, 1, 2 … moves, images counted as one if symmetries are given."""
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    simulator = reasoner.simulator()
    seen: set[bytes] = set()
    rows: NDArray[np.uint64] = reasoner.row(game.initial.position)[None, :]
    counts = []
    for _ in range(depth + 1):
        images = rows if core is None else core.canonical(np.ascontiguousarray(rows))
        fresh = {image.tobytes(): number for number, image in enumerate(images) if image.tobytes() not in seen}
        seen.update(fresh)
        counts.append(len(seen))
        if not fresh or len(seen) > most:
            break
        rows = successors(simulator, rows[sorted(fresh.values())])
        if not len(rows):
            break
    return counts


def successors(simulator: Simulator, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    terminal, _ = simulator.terminal_and_legal(np.ascontiguousarray(rows))
    found = [np.zeros((0, rows.shape[1]), dtype=np.uint64)]
    for row in rows[terminal == 0]:
        joint = simulator.joint_moves(row, 2**63)
        if len(joint):
            found.append(simulator.step(np.repeat(row[None, :], len(joint), axis=0), joint))
    return np.unique(np.concatenate(found), axis=0)


def thesis(games: Path, only: str | None) -> None:
    print("| game | sheet | in the thesis | rule graph | ground program | keep the initial state | exchange roles | "
          "depth | states | with symmetries | saved |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in TABLE:
        if only not in (None, row.name):
            continue
        path = games / f"{row.sheet}.kif"
        if not path.exists():
            print(f"| {row.name} | not in the corpora |{' |' * 9}")
            continue
        game = ludorum.load(path)
        symmetries = find_symmetries(game, budget=Budget(60))
        plain = visited(game, row.depth, None)
        merged = visited(game, len(plain) - 1, core_symmetries(symmetries), most=2 * MOST_STATES)
        depth = min(len(plain), len(merged)) - 1
        best = symmetries.best
        print(f"| {row.name} | {row.sheet} | {row.symmetries} | {_said(symmetries.by_rules.count)} | "
              f"{_said(symmetries.by_ground.count)} | {_said(best.keeping_initial)} | {_said(best.moving_roles)} | "
              f"{depth} of {row.depth} | {plain[depth]:,} | {merged[depth]:,} | "
              f"{1 - merged[depth] / plain[depth]:.0%} |", flush=True)


#: Games that count, games in which much cannot matter, and some that are neither.
FOUND = ("othello", "reversi", "reversiSuicide", "queens", "god", "battlebrushes", "cephalopodMicro", "checkers",
         "checkersTiny", "sheepAndWolf", "mummymaze2p", "wallmaze", "twisty-passages", "lightsOnSimultaneous",
         "futoshiki5", "point_grab", "incredible", "firefighter", "slidingpieces", "ticTacToe", "connectFour",
         "breakthrough", "peg", "pentago", "chinook")


def found(games: Path, only: str | None) -> None:
    print("| game | by graphs | by all | in play | keep the initial state | graphs s | polynomials s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in FOUND:
        path = games / "ggp.org" / f"{name}.kif"
        if only not in (None, name) or (name != "othello" and not path.exists()):
            continue
        symmetries = find_symmetries(ludorum.load("othello" if name == "othello" else path), budget=Budget(60))
        rules, graph, polynomials = symmetries.ways
        by_graphs = max((way.count for way in (rules, graph) if way.count is not None), default=None)
        counts = (by_graphs, symmetries.count, symmetries.in_play, symmetries.best.keeping_initial)
        print(f"| {name} | {' | '.join(map(_said, counts))} | {rules.seconds + graph.seconds:.1f} | "
              f"{polynomials.seconds:.1f} |", flush=True)


def _said(count: int | None) -> str:
    return "–" if count is None else f"{count:,}" if count < 10**12 else f"{Decimal(count):.2e}"


def solving(games: Path, only: str | None) -> None:
    print("| game | search | without | with | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for name, sheet in [("tictactoe", "tictactoe"), ("tictictoe", str(games / "dresden/tictictoe.kif")),
                        ("smallconnectfour", "smallconnectfour")]:
        if only not in (None, name) or ("/" in sheet and not Path(sheet).exists()):
            continue
        game = ludorum.load(sheet)
        symmetries = find_symmetries(game, budget=Budget(60))
        for search, constant_sum in (("alpha-beta", True), ("max^n", False)):
            _print(name, f"{search}, states to solve it", *(
                MinimaxSearch(game, constant_sum=constant_sum, goals=0, mobility=0, symmetries=known).search().states
                for known in (None, symmetries)))
        _print(name, "tree search, nodes to solve it", *(_nodes(game, known) for known in (None, symmetries)))
    for name in ("connectfour", "pegsolitaire", "breakthrough", "othello"):
        if only not in (None, name):
            continue
        game = ludorum.load(name)
        symmetries = find_symmetries(game, budget=Budget(60))
        states = [_to_depth(game, known) for known in (None, symmetries)]
        depth = min(len(counts) for counts in states)
        _print(name, f"minimax, states to depth {depth}", *(counts[depth - 1] for counts in states))


def _nodes(game: Game, symmetries: Symmetries | None) -> int:
    with TreeSearch(game, TreeSettings(seed=1, in_flight=64), symmetries=symmetries) as search:
        found = search.think(game.initial, playouts=5_000_000)
    return found.nodes if found.is_solved else -1


def strength(games: Path, only: str | None) -> None:
    print(f"| game | symmetries | won–drawn–lost of {MATCHES} | score | 95 % |")
    print("| --- | --- | --- | --- | --- |")
    for name, sheet in [("connect four", "connectfour"),
                        ("tictactoe3d", str(games / "ggp.org/tictactoe_3d_2player.kif")),
                        ("pentago", str(games / "dresden/pentago_2008.kif"))]:
        if only not in (None, name) or ("/" in sheet and not Path(sheet).exists()):
            continue
        game = ludorum.load(sheet)
        shares = []
        for seed in range(MATCHES):
            using = MCTS(None, playouts=PLAYOUTS, symmetries=True, seed=seed)
            without = MCTS(None, playouts=PLAYOUTS, seed=MATCHES + seed)
            seats = (using, without) if seed % 2 == 0 else (without, using)
            goals = ludorum.play(game, dict(zip(game.roles, seats, strict=True)), start_clock=60).goals
            mine, other = (goals[game.roles[seat]] or 0 for seat in (seed % 2, 1 - seed % 2))
            shares.append(0.5 + (mine - other) / 200)
        counts = "–".join(str(sum(share in kind for share in shares)) for kind in ({1.0}, {0.5}, {0.0}))
        low, high = interval([sum(pair) / 2 for pair in zip(shares[::2], shares[1::2], strict=True)])
        print(f"| {name} | {find_symmetries(game).count} | {counts} | {sum(shares) / len(shares):.1%} | "
              f"{low:.0%} to {high:.0%} |", flush=True)


def _to_depth(game: Game, symmetries: Symmetries | None) -> list[int]:
    """States that searches to depth 1, 2, 3 … look at, while they are no more than the most."""
    counts: list[int] = []
    while not counts or counts[-1] * 4 < 20 * MOST_STATES:
        found = MinimaxSearch(game, symmetries=symmetries).search(depth=len(counts) + 1, states=40 * MOST_STATES)
        if found.depth <= len(counts):
            break
        counts.append(found.states)
        if len(counts) == 12:
            break
    return counts


def _print(game: str, search: str, without: int, using: int) -> None:
    if without < 0 or using < 0:
        print(f"| {game} | {search} | {_tried(without)} | {_tried(using)} | |", flush=True)
        return
    print(f"| {game} | {search} | {without:,} | {using:,} | {without / using:.1f} |", flush=True)


def _tried(count: int) -> str:
    return "not solved" if count < 0 else f"{count:,}"


def factors(games: Path, only: str | None) -> None:
    print("| puzzle | parts | moves | states of the parts | states of the whole, breadth-first |")
    print("| --- | --- | --- | --- | --- |")
    for name in ("lightsOnParallel", "snakeParallel", "blocksWorldParallel", "blocksWorldSerial", "asteroidsParallel"):
        path = games / "ggp.org" / f"{name}.kif"
        if only not in (None, name) or not path.exists():
            continue
        game = ludorum.load(path)
        parts = decompose(game, budget=Budget(60))
        problem = Problem.of(game.initial)
        if isinstance(parts, Factors) or problem is None:
            print(f"| {name} | {parts} | | | |")
            continue
        apart, whole = Factored(game.initial, problem, parts), BreadthFirst(problem, memory_mb=1024)
        apart.advance(60)
        whole.advance(20)
        solved = whole.best is not None and whole.best.goal == problem.target
        print(f"| {name} | {len(parts.factors.factors)}, {parts.factors.combination} | "
              f"{len(apart.best.moves) if apart.best else 'none found'} | {apart.states:,} | {whole.outcome}"
              f"{'' if solved else ', not solved'} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["thesis", "found", "solving", "strength", "factors"])
    parser.add_argument("--only", help="the game whose rows are wanted, as the table calls it")
    parser.add_argument("--games", type=Path, default=collection.GAMES)
    chosen = parser.parse_args()
    tables = {"thesis": thesis, "found": found, "solving": solving, "strength": strength, "factors": factors}
    tables[chosen.what](chosen.games, chosen.only)


if __name__ == "__main__":
    main()
