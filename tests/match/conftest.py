"""Games for matches: one engine is enough here, for the others answer alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ludorum
from ludorum import Game

# Twelve steps without a choice for the referee to make: long enough to be interrupted.
MARCH = """
(role walker) (role dog)
(init (at 0))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9)
(after 9 10) (after 10 11) (after 11 12)
(<= (legal walker left) (true (at ?n)))
(<= (legal walker right) (true (at ?n)))
(<= (legal dog bark) (true (at ?n)))
(<= (legal dog sleep) (true (at ?n)))
(<= (next (at ?m)) (true (at ?n)) (after ?n ?m))
(<= (next (went ?n ?way)) (true (at ?n)) (does walker ?way))
(<= (next (went ?n ?way)) (true (went ?n ?way)))
(<= terminal (true (at 12)))
(<= (goal walker 100) (true (at ?n)))
(<= (goal dog 30) (true (at ?n)))
"""


@pytest.fixture(scope="session")
def load() -> Callable[[str, str], Game]:
    games: dict[str, Game] = {}

    def load(text: str, name: str) -> Game:
        if name not in games:
            games[name] = ludorum.load(text, name=name, engine="circuit")
        return games[name]

    return load


@pytest.fixture
def march(load: Callable[[str, str], Game]) -> Game:
    return load(MARCH, "march")


@pytest.fixture
def march_rules() -> str:
    return MARCH
