"""Games that differ in kind: turns, simultaneous moves, chance, secrets, one role, many.

`bench/environment_suites.py` runs the same suites over the whole library.
"""

from __future__ import annotations

from functools import cache

import pytest

import ludorum
from ludorum import Game

KINDS = ("tictactoe", "connectfour", "breakthrough", "nim", "rockpaperscissors", "goofspiel", "tron", "tictactoe3p",
         "pig", "montyhall", "kuhnpoker", "meier", "phantomtictactoe", "eightpuzzle")


@cache
def loaded(name: str) -> Game:
    return ludorum.load(name)


@pytest.fixture(params=KINDS)
def any_game(request: pytest.FixtureRequest) -> Game:
    return loaded(request.param)
