"""Programs that learn: the example of the documentation, and the notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import train_connectfour

pytestmark = pytest.mark.slow

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


def test_a_small_net_learns_to_beat_random_play_in_connect_four() -> None:
    # Random play wins half of its matches against itself.
    assert train_connectfour.train(matches=40_000, seed=1) >= 0.9


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path) -> None:
    names: dict[str, Any] = {}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells
    for cell in cells:
        exec("".join(cell["source"]), names)
