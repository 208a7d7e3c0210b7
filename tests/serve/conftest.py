from __future__ import annotations

from collections.abc import Iterator

import pytest

import ludorum
from ludorum.game import Game
from ludorum.serve import Options, serving


@pytest.fixture(scope="session")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A player that many tests talk to."""
    with serving(Options(player="random", most_body=1 << 20)) as address:
        yield address
