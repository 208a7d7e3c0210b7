"""Null windows find in fewer states what plain alpha-beta finds."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game, library
from ludorum.engines.abilities import Simulates
from ludorum.evaluate import evaluation
from ludorum.search.minimax import MinimaxResult, MinimaxSearch

_STATES = 3000
_QUICK = ("tictactoe", "connectfour", "breakthrough", "knightthrough", "nim", "hexapawn", "tictactoe3p", "blocker")


def _search(game: Game, depth: int, *, null_windows: bool) -> MinimaxResult:
    # Without a table, which may know a state from a deeper search in one order of visits and not in the other.
    search = MinimaxSearch(game, paranoid=True, table_mb=0, null_windows=null_windows)
    return search.search(depth=depth, states=_STATES)


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in _QUICK else pytest.mark.slow)
                                  for name in library.names()])
def test_values_are_those_of_plain_alpha_beta(name: str) -> None:
    game = ludorum.load(name)
    if len(game.roles) == 1 or not isinstance(game.reasoner, Simulates):
        pytest.skip("nobody to play against, or no part in the core")
    for depth in range(1, 5 if game.engine == "circuit" else 3):
        plain, scouted = (_search(game, depth, null_windows=null_windows) for null_windows in (False, True))
        if plain.depth < depth or scouted.depth < depth:
            break
        assert scouted.values == plain.values, depth


def test_breakthrough_takes_at_most_twice_the_minimal_tree() -> None:
    game = ludorum.load("breakthrough")
    search = MinimaxSearch(game, constant_sum=True, goals=0, mobility=0, evaluation=evaluation(game).core)
    # A tree of depth 6 with 24 moves everywhere has 2 · 24^3 leaves if the best move always comes first.
    assert search.search(depth=6).states <= 2 * (2 * 24**3)
