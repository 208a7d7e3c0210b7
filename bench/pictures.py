"""The pictures of the documentation, drawn anew: python bench/pictures.py writes them to docs/pictures, or to --folder.

What `ludorum analyse breakthrough --html` draws is taken from that page, by the titles there. The state and the domain
graph are drawn here, by the same means, and so are rows of several pictures with words above them.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random

import ludorum
import secret_pictures
from ludorum.analysis.distances import FluentGraph, Preference, fluent_graph
from ludorum.analysis.factors import find_factors
from ludorum.analysis.symmetry import find_symmetries
from ludorum.draw import grids
from ludorum.drawing.grid import Grid
from ludorum.evaluate import evaluation
from ludorum.gdl.domains import Domains
from ludorum.report import analyse, page, svg
from ludorum.report.board_pictures import board, centres, permuted
from ludorum.report.graph_pictures import ring, web
from ludorum.state import State

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
#: Drawn by what they tell of, which takes long.
ELSEWHERE = {"learning": "ludorum learn breakthrough --games 460000 --resume DIR"}
#: By the names of files what the pictures are called on the page.
ON_THE_PAGE = {
    "breakthrough-symmetry": "generator 1 on cell",
    "breakthrough-distances": "distances to white on cell",
    "breakthrough-fluent-graph": "fluent graph of white",
}
STEPS = 30
PLAYOUTS = 10_000
#: What the words above a picture of a row take.
ABOVE = 14
STEP_COUNTER = """
(role r) (legal r wait) (goal r 100) (<= terminal (true (step 3)))
(succ 0 1) (succ 1 2) (succ 2 3)
(init (step 0))
(<= (next (step ?x)) (true (step ?y)) (succ ?y ?x))
"""
#: In the order in which they stand around the ring.
STEP_COUNTER_NODES = ("step,1", "0/0", "succ,1", "1/0", "2/0", "3/0", "succ,2")


def drawn_here() -> Iterator[tuple[str, str]]:
    """The pictures that are on no page, by the names of files."""
    yield "step-counter-domain", on_white(step_counter())
    yield "breakthrough-board", on_white(breakthrough_board())
    yield "tictactoe-induction", on_white(tictactoe_induction())
    yield "tictactoe-symmetries", on_white(tictactoe_symmetries())
    yield "walkers-factors", on_white(walkers_factors())
    yield "hexapawn-graphs", on_white(hexapawn_graphs())
    yield "tictactoe-values", on_white(tictactoe_values())
    yield "belief-sizes", on_white(secret_pictures.belief_sizes())
    yield "left-to-gain", on_white(secret_pictures.left_to_gain())
    yield "kuhn-strategies", on_white(secret_pictures.strategies())


def from_the_page() -> Iterator[tuple[str, str]]:
    """The pictures that the analysis of breakthrough draws."""
    pictures = re.findall(r"<svg .*?</svg>", page(analyse(ludorum.load("breakthrough"))), re.DOTALL)
    for name, title in ON_THE_PAGE.items():
        yield name, on_white(next(picture for picture in pictures if f"<title>{title}</title>" in picture))


def step_counter() -> str:
    """The domain graph of a step counter, as far as it is about the counter."""
    places, width, height = ring(STEP_COUNTER_NODES)
    edges = [(str(one), str(other)) for one, other in Domains(ludorum.parse(STEP_COUNTER)).edges]
    kept = [edge for edge in edges if places.keys() >= set(edge)]
    return web(places, sorted({*kept, *((other, one) for one, other in kept)}), width, height,
               title="domain graph of a step counter", labels=True)


def breakthrough_board() -> str:
    """A board in the middle of a match."""
    game, random = ludorum.load("breakthrough"), Random(1)
    state = game.initial
    for _ in range(STEPS):
        state = state.after({role: random.choice(state.legal(role)) for role in game.roles})
    (grid,) = grids(game.initial)
    return board(grid, grid.contents(state.fluents), title=f"{grid.name}: after {STEPS} random steps")


def tictactoe_induction() -> str:
    """Why a cell may seem to get two contents: only from a state in which both roles are in control."""
    game = ludorum.load("tictactoe")
    (grid,) = grids(game.initial)
    shown = []
    now = game.initial
    both = game.state([*now.fluents, *(f"(control {role})" for role in game.roles)])
    for state, words in ((now, "one in control"), (both, "both in control")):
        later = state.after({role: "(mark 2 2)" if "(mark 2 2)" in state.legal(role) else "noop"
                             for role in game.roles})
        contents = grid.contents(later.fluents)
        bad = {cell: "#f4b6a6" for cell, content in contents.items() if len(content) > 1}
        shown += [(words, board(grid, grid.contents(state.fluents), title=words)),
                  ("one step later", board(grid, contents, title="one step later", fills=bad))]
    return beside(shown, across=4, title="a step of the induction, and one that cannot happen")


def tictactoe_symmetries() -> str:
    """Every symmetry of the board, as a permuted board; that which moves nothing first."""
    game = ludorum.load("tictactoe")
    (grid,) = grids(game.initial)
    found = find_symmetries(game)
    group = found.group()
    assert found.words is not None
    assert group is not None
    shown = []
    for number, symmetry in enumerate(sorted(group, key=lambda one: (not one.is_identity, tuple(one.fluents)))):
        moved = {found.words.fluents[i]: found.words.fluents[j] for i, j in enumerate(symmetry.fluents)}
        words = f"symmetry {number}" if number else "as it is"
        picture = permuted(grid, moved, title=words, even_if_still=True)
        assert picture is not None
        shown.append((words, picture))
    return beside(shown, across=4, title="the symmetries of tic-tac-toe")


def walkers_factors() -> str:
    """The fluent graph of the walkers in docs/factors.md, the parts and the clock apart."""
    text = (FOLDER.parent / "factors.md").read_text(encoding="utf-8")
    game = ludorum.load(text.partition("```kif save=walkers.kif\n")[2].partition("```")[0], name="walkers")
    factors = find_factors(game)
    edges = [(str(one), str(other)) for one, other in fluent_graph(game).edges() if one is not None]
    parts: list[tuple[str, Collection[int]]] = [("the clock", factors.clock)]
    parts += [(f"part {number}", factor.fluents) for number, factor in enumerate(factors.factors, start=1)]
    shown = []
    for words, fluents in parts:
        names = [str(factors.fluents[number]) for number in sorted(fluents)]
        around, width, height = ring(names)
        # An eighth of a turn on, so that no name stands on a line.
        places = {name: (width / 2 + (x - width / 2 - y + height / 2) * sqrt(0.5),
                         height / 2 + (x - width / 2 + y - height / 2) * sqrt(0.5)) for name, (x, y) in around.items()}
        within = [edge for edge in edges if places.keys() >= set(edge)]
        shown.append((words, web(places, sorted(within), width, height, title=words, labels=True)))
    return beside(shown, across=3, title="the parts of the walkers")


def hexapawn_graphs() -> str:
    """The ways of black pawns by two fluent graphs, and how far it is from the initial state by each."""
    game = ludorum.load("hexapawn")
    (grid,) = grids(game.initial)
    shown = []
    for words, preference in (("the most similar", Preference()), ("the same argument 3", Preference(argument=2))):
        graph = fluent_graph(game, preference)
        shown += [(words, _ways(grid, graph, "black")),
                  ("steps at least", _steps(grid, graph, game.initial, "black"))]
    return beside(shown, across=4, title="where black pawns come from in hexapawn")


def _ways(grid: Grid, graph: FluentGraph, content: str) -> str:
    places, width, height = centres(grid)
    named = {" ".join(cell): place for cell, place in places.items()}
    edges = []
    for one, other in graph.edges():
        here, there = None if one is None else grid.read(one), grid.read(other)
        if here is not None and there is not None and here != there and here[1] == there[1] == content:
            edges.append((" ".join(here[0]), " ".join(there[0])))
    return web(named, sorted(edges), width, height, title=f"fluent graph of {content}", labels=False)


def _steps(grid: Grid, graph: FluentGraph, state: State, content: str) -> str:
    steps = {told[0]: graph.distance(state, fluent) for fluent in graph.fluents
             if (told := grid.read(fluent)) is not None and told[1] == content}
    furthest = max(far or 0 for far in steps.values()) or 1
    return board(grid, {cell: "–" if far is None else str(far) for cell, far in steps.items()},
                 fills={cell: "#fff" if far is None else svg.heat(far / furthest) for cell, far in steps.items()},
                 title=f"distances to {content}")


def tictactoe_values() -> str:
    """A state, and what a mark in each empty cell is worth by the evaluation and by random play."""
    game = ludorum.load("tictactoe")
    (grid,) = grids(game.initial)
    state = game.replay("(mark 2 2) (mark 1 1) (mark 1 2) (mark 1 3)")
    worth = evaluation(game)
    evaluated, played = {}, {}
    for (move, _), later in game.expand(state):
        cell = tuple(map(str, move.term.args))
        evaluated[cell] = worth.values(later)["xplayer"]
        goals = game.playouts(PLAYOUTS, later, seed=1).goals
        played[cell] = float(goals[:, game.roles.index("xplayer")].mean())
    shown = [("x is to move", board(grid, grid.contents(state.fluents), title="a state"))]
    for words, values in (("evaluation", evaluated), ("mean goal", played)):
        least, most = min(values.values()), max(values.values())
        shown.append((words, board(
            grid, {cell: f"{value:.0f}" for cell, value in values.items()}, title=words,
            fills={cell: svg.heat((value - least) / (most - least)) for cell, value in values.items()})))
    return beside(shown, across=3, title="what the next moves are worth")


def beside(pictures: Sequence[tuple[str, str]], *, across: int, title: str) -> str:
    """Pictures with words above them, so many in a row."""
    sizes = [[int(number) for number in re.findall(r'(?:width|height)="(\d+)"', picture)[:2]]
             for _, picture in pictures]
    wide, high = max(width for width, _ in sizes), max(height for _, height in sizes) + ABOVE
    parts = []
    for number, ((words, picture), (width, _)) in enumerate(zip(pictures, sizes, strict=True)):
        x, y = wide * (number % across), high * (number // across)
        parts.append(svg.text(x + wide / 2, y + ABOVE / 2 + 4, words, fill="#555"))
        parts.append(picture.replace("<svg ", f'<svg x="{x + (wide - width) / 2:.0f}" y="{y + ABOVE}" ', 1))
    return svg.picture(wide * min(across, len(pictures)), high * -(-len(pictures) // across), parts, title=title)


def on_white(picture: str) -> str:
    """With a background, for readers whose pages are dark."""
    return picture.replace("</title>", '</title><rect width="100%" height="100%" fill="#fff"/>', 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (*drawn_here(), *from_the_page()):
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
