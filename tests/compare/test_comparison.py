"""The table of reasoners: every engine searches along the same matches, and counts the same nodes."""

from __future__ import annotations

import shutil

import pytest

import ludorum
from ludorum.compare import WAYS, compare, record_matches
from ludorum.compare.driving import driver
from ludorum.compare.matches import spread
from ludorum.loading import find

pytestmark = pytest.mark.slow

ENGINES = {"batch": "circuit", "incremental": "circuit"}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    if request.param == "prolog" and shutil.which("swipl") is None:
        pytest.skip("SWI-Prolog is not installed")
    return str(request.param)


def search(text: str, way: str):  # type: ignore[no-untyped-def]
    game = ludorum.load(text, engine=ENGINES.get(way, way))
    return driver(game.reasoner, is_following=way == "incremental"), game


def test_deepening_counts_every_sequence_of_moves(way: str) -> None:
    # Seven marks are on the board: two matches of two moves are left, and nobody can win.
    deepening, game = search("tictactoe", way)
    state = game.replay("(mark 1 1) (mark 2 2) (mark 3 3) (mark 1 2) (mark 3 2) (mark 3 1) (mark 1 3)")
    found = deepening.deepen(state.position, 20.0)
    assert found.completed == [0, 2, 2 + 2]
    assert found.nodes == sum(found.completed)
    assert found.seconds > 0


def test_deepening_sees_no_further_than_the_rules(way: str, cul_de_sac_rules: str) -> None:
    # One may stay or go; who went has no move, and that is no end.
    deepening, game = search(cul_de_sac_rules, way)
    found = deepening.deepen(game.initial.position, 0.5)
    assert len(found.completed) > 1
    assert found.completed == [2 * depth for depth in range(len(found.completed))]


def test_random_matches_of_a_game_of_one_turn_have_one_node_each(way: str) -> None:
    playing, game = search("(role r) (legal r a) (legal r b) (<= (next over) (does r ?m)) (<= terminal (true over))"
                           "(goal r 100)", way)
    found = playing.play_on(game.initial.position, 0.3, 5)
    assert found.playouts > 0
    # The last may have been interrupted.
    assert abs(found.nodes - found.playouts) <= 1


def test_a_comparison_has_a_row_for_every_way_and_they_agree() -> None:
    source = find("nim")
    matches = record_matches(ludorum.load("nim"), 2, seed=4)
    ways = [way for way in WAYS if way != "prolog" or shutil.which("swipl")]
    rows = compare(source, "nim", matches, ways=ways, seconds=0.3)
    assert [row.way for row in rows] == ways
    for row in rows:
        assert row.error is None
        assert row.agrees is True
        assert row.minimax["nodes_per_second"] > 0
        assert row.montecarlo["playouts"] > 0
        assert row.peak_memory_mb is not None
        assert row.peak_memory_mb > 10


def test_a_way_that_cannot_load_a_game_says_so_and_the_others_go_on() -> None:
    counting = """(role counter) (init (count zero)) (legal counter add)
        (<= (next (count (s ?n))) (true (count ?n)))
        (<= terminal (true (count (s (s zero))))) (goal counter 100)"""
    matches = record_matches(ludorum.load(counting, engine="relations"), 1)
    source = find(counting)
    batch, relations = compare(source, "counting", matches, ways=["batch", "relations"], seconds=0.2, load_seconds=1)
    assert batch.error is not None
    assert batch.error.startswith("TooLargeToGround")
    assert relations.error is None
    assert relations.agrees is None


def test_matches_are_the_same_for_the_same_seed_and_legal() -> None:
    game = ludorum.load("connectfour")
    matches = record_matches(game, 3, seed=7)
    assert matches == record_matches(game, 3, seed=7)
    assert matches != record_matches(game, 3, seed=8)
    assert all(game.replay(match).is_terminal for match in matches)


def test_positions_are_all_of_the_matches_or_spread_over_them() -> None:
    matches = [[["a"], ["b"], ["c"]], [["d"], ["e"]]]
    assert spread(matches, 10) == [[], [["a"]], [["a"], ["b"]], [], [["d"]]]
    assert spread(matches, 2) == [[], [["a"], ["b"]]]
    assert spread([[]], 3) == [[]]


def test_a_prolog_that_is_missing_is_one_row_without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    [row] = compare(find("nim"), "nim", [[]], ways=["prolog"], seconds=0.1)
    assert row.error is not None
    assert "swi-prolog-nox" in row.error
