"""The games that are written in Toss: the same as in GDL where there is such a sheet, and no larger."""

from __future__ import annotations

import random

import pytest
from positions import load

from ludorum import Game, State, languages, library
from ludorum.gdl import Source

TOSS = [name for name in library.names() if name.endswith(".toss")]
LETTERS = "abcdefghijklmno"


def square(element: str) -> tuple[int, int]:
    """Column and row of an element of a grid."""
    return LETTERS.index(element[0]) + 1, int(element[1:])


@pytest.mark.parametrize("name", TOSS)
def test_there_is_nothing_to_say_about_the_rules(name: str) -> None:
    entry = library.entry(name)
    assert languages.check(Source(entry.text, entry.path.name)) == []
    assert entry.players == len(entry.rules.roles)
    assert entry.description
    assert "toss" in entry.tags


def test_both_languages_may_have_a_game_of_the_same_name() -> None:
    assert library.entry("breakthrough").path.name == "breakthrough.kif"
    assert library.entry("Breakthrough").path.name == "breakthrough.kif"
    assert library.entry("breakthrough.toss").path.name == "breakthrough.toss"
    assert library.entry("Red-Blue Hackenbush").name == "hackenbush.toss"


@pytest.mark.parametrize(("name", "counts"), [
    ("tictactoe.toss", [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]),
    ("breakthrough.toss", [22, 484, 11_132, 256_036]),
    ("connectfour.toss", [7, 49, 343, 2_401, 16_807, 117_649]),
    ("pawnwhopping.toss", [16, 256, 3_846, 57_744]),
    ("gomoku.toss", [225, 50_400]),
])
def test_there_are_as_many_ways_to_play_as_are_known(name: str, counts: list[int]) -> None:
    assert load(name).perft(len(counts)) == counts


@pytest.mark.slow
def test_chess_in_toss_is_chess_and_takes_no_more_work_than_the_sheet_in_gdl() -> None:
    game = load("chess.toss")
    # The numbers that every chess program knows.
    assert game.perft(3) == [20, 400, 8_902]
    # The sheet in GDL takes some 7,300 steps a state.
    assert game.report["plans"]["steps_per_state"] < 10_000


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "connectfour", "gomoku"])
def test_circuits_are_no_larger_than_those_of_the_sheets_in_gdl(name: str) -> None:
    assert load(f"{name}.toss").report["gates"] <= 1.1 * load(name).report["gates"]


def mapped(name: str, move: str) -> str:
    """A move in Toss as the sheet in GDL calls it."""
    _, *elements = move.strip("()").split()
    places = [square(element) for element in elements]
    if name == "connectfour":
        return f"(drop {places[0][0]})"
    numbers = " ".join(f"{x} {y}" for x, y in places)
    return f"({'move' if name == 'breakthrough' else 'mark'} {numbers})"


def mover(state: State) -> str:
    return next(role for role in state.game.roles if "noop" not in map(str, state.legal(role)))


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "connectfour"])
def test_matches_end_as_they_do_in_gdl(name: str) -> None:
    toss, gdl = load(f"{name}.toss"), load(name)
    for seed in range(12):
        dice = random.Random(seed)
        ours, theirs = toss.initial, gdl.initial
        while not ours.is_terminal:
            role = mover(ours)
            move = str(dice.choice(list(ours.legal(role))))
            other = gdl.roles[toss.roles.index(role)]
            assert {mapped(name, str(legal)) for legal in ours.legal(role)} == set(map(str, theirs.legal(other)))
            ours, theirs = ours.after({role: move}), theirs.after({other: mapped(name, move)})
        assert theirs.is_terminal
        assert list(ours.goals.values()) == list(theirs.goals.values())


def test_what_no_longer_hangs_on_the_ground_cannot_be_cut() -> None:
    game = load("hackenbush.toss")
    state = game.replay("(cutblue ground stem)")
    assert "(cutred ground wall)" in map(str, state.legal("red"))
    assert "(cutred stem leaf)" not in map(str, state.legal("red"))


def test_sprouts_end_when_fewer_than_two_ends_are_left() -> None:
    game: Game = load("sprouts.toss")
    dice, state, moves = random.Random(1), game.initial, 0
    while not state.is_terminal:
        role = mover(state)
        state = state.after({role: dice.choice(list(state.legal(role)))})
        moves += 1
    # Six ends at first, and one less with every move.
    assert moves == 5
    assert state.goals == {"left": 100, "right": 0}
