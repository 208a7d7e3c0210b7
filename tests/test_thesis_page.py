"""The page about the thesis: every item says what became of it, and what it says of numbers is so."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludorum
from ludorum.evaluate import evaluation
from ludorum.search.minimax import MinimaxSearch

PAGE = Path(__file__).parents[1] / "docs" / "lab" / "thesis.md"


def test_every_item_is_done_or_different_or_missing_and_a_difference_has_a_reason() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.read_text().splitlines()
            if line.startswith("| ") and not line.startswith(("| what", "| ---"))]
    assert rows
    for what, state, why in rows:
        assert what
        assert state in ("done", "different", "missing")
        assert why or state == "missing"


@pytest.mark.parametrize("windows", [True, False])
def test_states_of_breakthrough_to_depth_six(windows: bool) -> None:
    # The tree that alpha-beta must see at least: 24^3 + 24^3 - 1 leaves where every state has 24 moves.
    minimal = 2 * 24**3
    game = ludorum.load("breakthrough")
    search = MinimaxSearch(game, evaluation=evaluation(game).core, goals=0, mobility=0, null_windows=windows)
    found = search.search(depth=6)
    assert minimal == 27_648
    assert found.states <= 2 * minimal
    assert f"{found.states:,} " in PAGE.read_text()
