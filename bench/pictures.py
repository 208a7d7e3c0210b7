"""The pictures of the documentation, drawn anew: python bench/pictures.py writes them to docs/pictures, or to --folder.

What `ludorum analyse breakthrough --html` draws is taken from that page, by the titles there. The state and the domain
graph are drawn here, by the same means.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import ludorum
from ludorum.analysis.domains import Domains
from ludorum.draw import grids
from ludorum.report import analyse, page
from ludorum.report.board_pictures import board
from ludorum.report.graph_pictures import ring, web

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
#: By the names of files what the pictures are called on the page.
ON_THE_PAGE = {
    "breakthrough-symmetry": "generator 1 on cell",
    "breakthrough-distances": "distances to white on cell",
    "breakthrough-fluent-graph": "fluent graph of white",
}
STEPS = 30
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
