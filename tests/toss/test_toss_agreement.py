"""The engines play every game of Toss as it is defined."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Pair
from random_games import random_game

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "shared" / "games" / "toss"

# Figure 1 of the paper: elements are added and copied.
GROWING = """
PLAYERS a, b
REL Leaf(x) = not ex y E(x, y)
RULE Grow: [x, y | E(x, y) | ] -> [x, z, y | E {(x, z); (z, y)} | ] emb E
RULE Cut: [x | P(x) | ] -> [ | | ] emb P pre Leaf(x)
RULE Copy: [x | Q(x) | ] -> [x, y | Q(x) | ] emb Q with [y <- x]
  post ex u, v (E(u, v) and E(v, u)) or not ex u Z(u)
LOC 0 { PLAYER a PAYOFF { a: :(ex x Leaf(x)); b: 0 } MOVES [Grow -> 1]; [Copy -> 1] }
LOC 1 { PLAYER b PAYOFF { a: 0; b: 1 } MOVES [Cut -> 0]; [Copy -> 0]; [Copy -> 1] }
MODEL [ u, v, w | E {(u, v); (v, w); (w, u)}; P {u}; Q {v}; Z:1 {} | ]
"""


def test_elements_that_come_and_go_are_those_of_the_definition() -> None:
    pair = Pair(GROWING)
    assert pair.played.engine == "relations"
    assert sum(pair.walk(seed, steps=8) for seed in range(6)) >= 20


@pytest.mark.parametrize("block", range(6))
def test_random_games_are_played_as_they_are_defined(block: int) -> None:
    for seed in range(1000 + 5 * block, 1005 + 5 * block):
        pair = Pair(random_game(seed), engine="relations" if seed % 2 else None)
        for walk in range(2):
            pair.walk(walk, steps=5)


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough", "connect4", "connect5", "pawn-whopping"])
def test_the_samples_are_played_as_they_are_defined(name: str) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the samples of Toss are not there")
    pair = Pair((SAMPLES / f"{name}.toss").read_text(encoding="utf-8"))
    assert pair.walk(seed=1, steps=12) >= 5
