"""Games are found by the names that people use."""

from __future__ import annotations

from collections import Counter

import pytest

import ludorum
from ludorum import library
from ludorum.errors import UnknownGame


@pytest.mark.parametrize(("said", "name"), [
    ("checkers", "draughts"), ("Tic-Tac-Toe", "tictactoe"), ("noughts and crosses", "tictactoe"),
    ("Connect 4", "connectfour"), ("connect_four", "connectfour"), ("reversi", "othello"), ("mancala", "kalah"),
    ("Nine Men's Morris", "ninemensmorris"), ("15-puzzle", "fifteenpuzzle"), ("HEX", "hex"),
])
def test_a_game_is_found_by_name_title_or_alias(said: str, name: str) -> None:
    assert library.entry(said).name == name


def test_a_game_of_another_name_loads_as_itself() -> None:
    game = ludorum.load("Noughts and Crosses")
    assert game.name == "tictactoe"
    assert repr(game) == "ludorum.load('Noughts and Crosses')"


def test_a_game_in_two_languages_is_found_by_its_title_in_the_first() -> None:
    assert library.entry("Breakthrough").name == "breakthrough"
    assert library.entry("breakthrough.toss").title == library.entry("breakthrough").title


def test_no_two_games_share_a_name() -> None:
    twins = {entry.name for entry in library.catalogue() if entry.path.suffix == ".toss"}
    said = Counter(said for entry in library.catalogue() if entry.name not in twins
                   for said in {"".join(filter(str.isalnum, other.lower()))
                                for other in (entry.name, entry.title, *entry.aliases)})
    assert [name for name, count in said.items() if count > 1] == []
    assert all(library.entry(name).name for name in said)


def test_an_unknown_name_is_told_what_comes_close() -> None:
    with pytest.raises(UnknownGame, match=r"'chekers' is no file, .* did you mean draughts"):
        library.entry("chekers")
