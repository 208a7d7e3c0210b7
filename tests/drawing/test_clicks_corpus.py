"""Clicks in games that other people wrote, and against clicks that people wrote by hand."""

from __future__ import annotations

from random import Random

import pytest

import ludorum
from clicks import by_hand, is_same, is_same_in_other_words
from collection import GAMES
from ludorum import Move, State
from ludorum.drawing.clicking.clicks import Clicks
from ludorum.drawing.scene import Place
from ludorum.joint import goes_on

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

# Of the games with clicks by hand those that load in a moment.
BY_HAND = ["2pffa", "3pConnectFour", "3pttc", "breakthroughSmall", "chinook", "cittaceot", "connectFour",
           "lightsOnParallel", "nineBoardTicTacToePie", "pawnWhopping", "qyshinsu", "sheepAndWolf", "ticTacToeParallel",
           "zhadu"]
SCRAMBLED = ["merrills", "pancakes", "hanoi", "dotsAndBoxes", "nim4", "pentago", "ticTacToeParallel"]
# Short sheets load in a moment, most of them.
GAMES_AT_RANDOM = 100


def states(initial: State, count: int, seed: int = 0) -> list[State]:
    """The initial state and some of random play."""
    random = Random(seed)
    found, state = [initial], initial
    for _ in range(6 * count):
        state = state.after({role: random.choice(state.legal(role)) for role in state.game.roles}) if goes_on(
            state) else initial
        if len(found) < count and random.random() < 0.3 and goes_on(state):
            found.append(state)
    return found


def walked(found: Clicks, clicked: tuple[Place, ...] = ()) -> list[Move]:
    """Every move that clicks and choices lead to, as often as they do."""
    here = found.next(clicked)
    assert len({choice.label for choice in here.choices}) == len(here.choices)
    return [*(choice.move for choice in here.choices),
            *(move for place in here.places for move in walked(found, (*clicked, place)))]


def short_sheets() -> list[str]:
    every = sorted((GAMES / "ggp.org").glob("*.kif"), key=lambda path: (path.stat().st_size, path.name))
    return [path.stem for path in every[:GAMES_AT_RANDOM]]


@pytest.mark.parametrize("name", short_sheets())
def test_every_legal_move_is_reached_in_exactly_one_way_and_no_other_is(name: str) -> None:
    game = ludorum.load(GAMES / "ggp.org" / f"{name}.kif", seconds=30)
    for state in states(game.initial, 3):
        places = {cell.place for cell in ludorum.scene(state).cells}
        for role in game.roles:
            found = ludorum.clicks(state, role)
            legal = [] if state.is_terminal else list(state.legal(role))
            assert sorted(walked(found)) == sorted(legal)
            # What is to be clicked can be seen.
            assert {place for path in found.values() for place in path} <= places
            assert found.aliases.keys() <= places


@pytest.mark.parametrize("name", BY_HAND)
def test_clicks_are_those_that_people_wrote_by_hand(name: str) -> None:
    game = ludorum.load(GAMES / "ggp.org" / f"{name}.kif", seconds=30)
    oracle = by_hand(name)
    if not oracle:
        pytest.skip("the clicks that people wrote by hand are not here")
    met = 0
    for state in states(game.initial, 6):
        for role in state.choosers:
            found = ludorum.clicks(state, role)
            for move, path in found.items():
                if str(move) in oracle:
                    met += 1
                    assert is_same(found, path, oracle[str(move)]), f"{move}: {path}"
    assert met


@pytest.mark.parametrize("name", SCRAMBLED)
def test_other_words_give_the_same_picture_and_the_same_clicks(name: str) -> None:
    game = ludorum.load(GAMES / "ggp.org" / f"{name}.kif", seconds=30)
    assert is_same_in_other_words(game, states(game.initial, 2))
