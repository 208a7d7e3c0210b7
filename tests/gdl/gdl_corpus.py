"""A few rulesheets of the corpus, where it is at hand."""

from __future__ import annotations

import pytest

from collection import GAMES, MISSING


def corpus_text(path: str) -> str:
    """The text of a rulesheet of the corpus, stray bytes and all; skips the test without the corpus."""
    if not GAMES.is_dir():
        pytest.skip(MISSING)
    return (GAMES / path).read_bytes().decode("utf-8", errors="replace")


SAMPLE = [
    "ggp.org/ticTacToe.kif", "ggp.org/connectFour.kif", "ggp.org/breakthrough.kif", "ggp.org/checkers.kif",
    "ggp.org/knightwar.kif", "ggp.org/amazons_10x10.kif", "ggp.org/chinook.kif", "ggp.org/pentago.kif",
    "dresden/Corridor.kif", "dresden/javastrike.kif", "dresden/argentina.comp2006_3361209022.kif",
    "dresden/sudoku_simple.kif", "dresden/uf20-01.cnf.SAT.kif",
    "gdl2/BlindTicTacToe.kif", "gdl2/mastermind448.kif", "gdl2/transit.kif", "gdl2/backgammon.kif",
]
