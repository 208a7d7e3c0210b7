"""A battery for every game of the library that is no board game: puzzles, simultaneous games, chance and secrets."""

from __future__ import annotations

import pytest
from positions import load

from ludorum import Outcome, gdl, library

PUZZLES = [
    "asteroids", "blocksworld", "eightpuzzle", "fifteenpuzzle", "futoshiki", "hanoi", "knightstour",
    "lightsout", "maze", "missionaries", "pancakes", "pegsolitaire", "queens", "smallknightstour", "sokoban",
    "sudoku", "wolfgoatcabbage",
]
SIMULTANEOUS = [
    "biddingtictactoe", "colonelblotto", "goofspiel", "matchingpennies", "pacman", "passage",
    "prisonersdilemma", "racetrack", "rockpaperscissors", "standoff", "tron",
]
WITH_CHANCE_OR_SECRETS = [
    "abruptdarkhex", "abruptphantomtictactoe", "bankerandthief", "bankerandthief5", "battleshipsinfog", "blackjack",
    "blindbreakthrough", "explodingbomb", "hiddenconnect", "kriegtictactoe", "kuhnpoker", "leducpoker", "liarsdice",
    "liarsdice3", "liarsdice4", "mastermind", "meier", "minesweeper", "montyhall", "numberguessing",
    "phantomtictactoe", "pig", "snake", "spyvsspy", "transit",
]


@pytest.mark.parametrize("name", PUZZLES + SIMULTANEOUS + WITH_CHANCE_OR_SECRETS)
def test_the_rules_are_valid_and_say_what_they_are(name: str) -> None:
    entry = library.entry(name)
    assert gdl.check(entry.text, name=f"{name}.kif") == []
    roles = [role for role in gdl.parse(entry.text).roles if role.name != "random"]
    assert entry.players == len(roles)
    assert entry.description
    assert ("random" in entry.tags) == ("(role random)" in entry.text)
    assert ("simultaneous" in entry.tags) == (name in SIMULTANEOUS)
    assert ("puzzle" in entry.tags) == (name in PUZZLES)


@pytest.mark.parametrize("name", PUZZLES + SIMULTANEOUS + WITH_CHANCE_OR_SECRETS)
def test_every_match_ends_with_one_goal_value_a_role(name: str) -> None:
    played = load(name).playouts(500, seed=1, max_steps=200)
    assert played.count(Outcome.FINISHED) == 500
    assert sum(played.undefined_goals.values()) == 0
    assert played.goals.min() >= 0
    assert played.goals.max() <= 100


@pytest.mark.parametrize(("name", "kind"), [
    ("hanoi", "puzzle"), ("tron", "simultaneous"), ("tictactoe", "turn-taking"), ("pig", "chance"),
    ("snake", "chance"), ("montyhall", "hidden information"), ("blackjack", "hidden information"),
])
def test_secrets_and_chance_make_another_kind_of_game(name: str, kind: str) -> None:
    assert library.entry(name).kind == kind
