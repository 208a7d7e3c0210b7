"""Small games for grounding."""

from __future__ import annotations

from pathlib import Path

import pytest

from collection import GAMES, MISSING


@pytest.fixture
def corpus() -> Path:
    if not GAMES.is_dir():
        pytest.skip(MISSING)
    return GAMES / "ggp.org"
