"""Small games for grounding."""

from __future__ import annotations

from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[3] / "shared" / "games" / "ggp.org"


@pytest.fixture
def corpus() -> Path:
    if not CORPUS.is_dir():
        pytest.skip("the corpus of games is not here")
    return CORPUS
