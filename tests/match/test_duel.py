"""A against B: pairs with changed seats, a test that stops, an archive that remembers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ludorum
from ludorum import Game
from ludorum.errors import UnknownPlayer
from ludorum.match import Archive, Clocks, Hypotheses, compare
from ludorum.match.duel import Duel

STRONG = "montecarlo:playouts=100"


def test_the_better_player_is_found_and_the_test_stops() -> None:
    found = compare("connectfour", STRONG, "random", max_matches=60, hypotheses=Hypotheses(0, 300), workers=0)
    assert found.verdict == "better"
    assert found.score > 0.9
    assert found.interval[0] > 0.5
    assert found.matches < 60
    assert found.matches == 2 * len(found.scores)
    assert found.errors == (0, 0)
    assert found.cpu_seconds > 0
    # Whoever plays out thinks longer than who does not.
    assert found.slowest[0] > found.slowest[1] > 0
    assert compare("connectfour", "random", STRONG, hypotheses=Hypotheses(0, 300), workers=0).verdict == "not better"


def test_too_few_matches_leave_the_question_open() -> None:
    found = compare("tictactoe", "random", "random", max_matches=6, workers=0)
    assert (found.verdict, found.matches) == ("open", 6)
    assert (found.a, found.b) == ("random (A)", "random (B)")


def test_workers_play_the_same_matches_and_the_archive_knows_them(tmp_path: Path) -> None:
    def ask(archive: Path, workers: int) -> list[dict[str, str]]:
        found = compare("tictactoe", STRONG, "random", max_matches=8, seed=7, archive=archive, workers=workers)
        assert found.matches == 8
        with Archive(archive) as opened:
            assert len(opened) == 8
            return [move for record in sorted(opened.matches(), key=lambda record: record.id) for move in record.moves]

    alone, together = ask(tmp_path / "alone.db", 0), ask(tmp_path / "together.db", 2)
    assert alone == together


def test_a_question_asked_again_is_answered_without_a_match(tmp_path: Path) -> None:
    def ask(most: int) -> tuple[int, set[str]]:
        with Archive(tmp_path / "matches.db") as archive:
            found = compare("tictactoe", "random", "legal", max_matches=most, archive=archive, workers=0,
                            hypotheses=Hypotheses(0, 10))
            return found.matches, {record.started for record in archive.matches()}

    assert ask(4)[0] == 4
    first = ask(6)
    assert first[0] == 6
    assert ask(6) == first
    with Archive(tmp_path / "matches.db") as archive:
        assert len(archive) == 6


def seats(game: Game, pairs: int) -> Counter[tuple[str, str]]:
    duel = Duel(game, "random", "legal", Clocks())
    return Counter((role, name) for number in range(pairs) for task in duel.pair(number)
                   for role, name, _ in task.players)


def test_everyone_sits_everywhere_equally_often(tictactoe: Game) -> None:
    assert set(seats(tictactoe, 3).values()) == {3}
    three = ludorum.load("tictactoe3p")
    assert len(three.roles) == 3
    assert set(seats(three, 3).values()) == {3}


def test_in_a_puzzle_each_plays_alone() -> None:
    game = ludorum.load("lightsout")
    duel = Duel(game, "random", "legal", Clocks())
    assert [task.players[0][1] for task in duel.pair(0)] == ["random", "legal"]
    found = compare(game, "random", "legal", max_matches=4, workers=0, max_steps=200)
    assert found.matches == 4


def test_a_wrong_name_is_told_at_once() -> None:
    with pytest.raises(UnknownPlayer, match="grandmaster"):
        compare("tictactoe", "grandmaster", "random")
